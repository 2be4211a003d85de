package pymalloc

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/block"
)

// Where the interpreter that laidOut makes has its parts; objects are the arena_objects.
const (
	text, data, objects = 0x400000, 0x500000, 0x600010
	memory              = 0x700000 // an arena of 256 KiB, with pools of 4 KiB
	first, second       = memory + 0x1000, memory + 0x2000
	metatype, session   = data + 0x100, data + 0x500
)

// laidOut is an interpreter with an arena, laid out as CPython 3.9 does it: a pool of 64 bytes with two
// blocks in use and one free one, a pool that is free, and the rest. The first block in use is an object with
// a head of the collector.
func laidOut(change func(word func(at, v uint64))) *core.Process {
	parts := map[uint64][]byte{text: make([]byte, 4096), data: make([]byte, 4096), 0x600000: make([]byte, 4096),
		memory - 0x1000: make([]byte, 0x43000)}
	word := func(at, v uint64) {
		for start, b := range parts {
			if at >= start && at+8 <= start+uint64(len(b)) {
				binary.LittleEndian.PutUint64(b[at-start:], v)
			}
		}
	}
	copy(parts[text][0x100:], "type\x00Session\x00")
	word(data+0x40, objects)
	word(objects, memory+0x800&^0xfff)
	word(objects+8, memory+0x3000)
	word(objects+16, 64<<32|1)
	for _, x := range []struct{ at, count, free, of, next uint64 }{{memory, 2, 0, 0, 48 + 2*64},
		{first, 2, first + 48 + 64, 0, 48 + 3*64}, {second, 0, 0, 0, 48}} {
		word(x.at, x.count)
		word(x.at+8, x.free)
		word(x.at+32, 3<<32|x.of)
		word(x.at+40, (4096-64)<<32|x.next)
	}
	word(first+48+16, 1)
	word(first+48+24, session)
	for at, name := range map[uint64]uint64{metatype: text + 0x100, session: text + 0x105} {
		word(at+8, metatype)
		word(at+24, name)
		word(at+32, 880)
	}
	if change != nil {
		change(word)
	}
	b := coretest.New(core.AMD64)
	for start, bytes := range parts {
		prot := core.Read | core.Write
		if start == text {
			prot = core.Read
		}
		b.MapProt(core.Addr(start), bytes, prot)
	}
	b.Module("/usr/bin/python3.9", text, data+4096, core.ModuleFacts{})
	return b.Process()
}

func open(t *testing.T, p *core.Process) *Malloc {
	t.Helper()
	all := Open(t.Context(), p)
	if len(all) != 1 {
		t.Fatalf("%d allocators", len(all))
	}
	return all[0].(*Malloc)
}

// TestLaidOut: used and free blocks, and the type of an object.
func TestLaidOut(t *testing.T) {
	h := open(t, laidOut(nil))
	if s := h.Heap(t.Context()).Sum(block.All); s.Used != 4 || s.UsedBytes != 256 || h.Version() != "3.9" ||
		h.heap.Arenas[0].Addr != objects {
		t.Errorf("%+v, version %q, %v", s, h.Version(), h.heap.Arenas)
	}
	for at, want := range map[core.Addr]string{first + 48: "used", first + 48 + 64: "free pool",
		second + 100: "free free pool", memory + 0x4000: "top "} {
		r, ok := h.heap.Around(at)
		if c := h.heap.Chunk(r); !ok || !strings.HasPrefix(c.State.String()+" "+c.List, want) {
			t.Errorf("%v is %+v, want %s", at, c, want)
		}
	}
	if len(h.heap.Breaks)+len(h.heap.Strays) > 0 {
		t.Errorf("%+v %+v", h.heap.Breaks, h.heap.Strays)
	}
	if got := h.TypeOf(first+48, 64); got != "Session" {
		t.Errorf("the object is a %q", got)
	}
	if got := h.TypeOf(first+48+128, 64); got != "" {
		t.Errorf("a block of zeros is a %q", got)
	}
}

// TestDamage: what contradicts itself is found, and memory that only looks like arenas is none.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name           string
		at, v          uint64
		breaks, strays int
		twice          bool
	}{
		{"a count", first, 3, 1, 0, false},
		{"a header", first + 40, 0x4141414141414141, 1, 0, false},
		{"the number of another arena", first + 32, 3<<32 | 7, 1, 0, false},
		{"a link to nowhere", first + 48 + 64, 0x4141414141414141, 0, 1, false},
		{"a link to itself", first + 48 + 64, first + 48 + 64, 0, 1, true},
		{"a link into a block", first + 8, first + 48 + 8, 0, 1, false},
	} {
		h := open(t, laidOut(func(word func(at, v uint64)) { word(c.at, c.v) }))
		x := h.Heap(t.Context())
		if len(x.Breaks) != c.breaks || len(x.Strays) != c.strays || c.strays > 0 && x.Strays[0].Twice != c.twice {
			t.Errorf("%s: %+v %+v", c.name, x.Breaks, x.Strays)
		}
	}
	for name, c := range map[string][2]uint64{"no memory": {objects, 0x10000000},
		"too many pools": {objects + 16, 65<<32 | 1}, "pools beyond the end": {objects + 8, memory + 1<<30},
		"no header": {memory + 40, 0}} {
		if all := Open(t.Context(), laidOut(func(word func(at, v uint64)) { word(c[0], c[1]) })); len(all) > 0 {
			t.Errorf("%s: arenas were found", name)
		}
	}
}

// FuzzArenas changes words of an interpreter's memory: chunks stay in order and in their regions, and nothing
// takes long.
func FuzzArenas(f *testing.F) {
	f.Add([]byte{0x10, 0x00, 0x02, 0x00, 0x00, 0x70})
	f.Add([]byte{0x30, 0x00, 0x03, 0xff, 0xff, 0xff})
	f.Add([]byte{0x70, 0x00, 0x03, 0x70, 0x10, 0x70})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := laidOut(func(word func(at, v uint64)) {
			for ; len(b) >= 6; b = b[6:] { // an offset, a part, a value
				off := uint64(b[0]) | uint64(b[1]&0xf)<<8
				word([]uint64{data, 0x600000, memory, first}[b[2]&3]+off&^7, uint64(b[3])|uint64(b[4])<<8|
					uint64(b[5])<<16)
			}
		})
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		for _, a := range Open(ctx, p) {
			x, end := a.Heap(ctx), core.Addr(0)
			x.Each(func(r block.Ref, c *block.Packed) bool {
				if g := &x.Regions[r.Region]; c.At < end || c.At < g.Start || c.End() > g.End {
					t.Fatalf("the chunk at %v, %d bytes, is after %v, in %v to %v", c.At, c.Size(), end, g.Start, g.End)
				}
				end = c.End()
				a.(block.Typer).TypeOf(c.At, c.Size())
				return true
			})
			if ctx.Err() != nil {
				t.Fatal(ctx.Err())
			}
		}
	})
}
