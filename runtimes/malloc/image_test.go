package malloc_test

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/faults"
	"coredbg/runtimes/malloc/leaks"
)

// An image is the memory of a process as an allocator lays it out.
type image struct {
	pieces []piece
	tls    uint64
	// hot are the words that an allocator reads, which a fuzzer changes.
	hot []uint64
}

// A piece is a mapping; a module has it as its data.
type piece struct {
	at     uint64
	data   []byte
	module bool
	rest   uint64 // bytes of the mapping behind data, which the core lacks
}

func (m *image) add(at uint64, size int, module bool) {
	m.pieces = append(m.pieces, piece{at: at, data: make([]byte, size), module: module})
}

// extend makes the mapping of the last piece longer.
func (m *image) extend(size uint64) { m.pieces[len(m.pieces)-1].rest = size }

// bytes returns the bytes from an address on; nil if it is in no piece.
func (m *image) bytes(at uint64) []byte {
	for _, p := range m.pieces {
		if at >= p.at && at+8 <= p.at+uint64(len(p.data)) {
			return p.data[at-p.at:]
		}
	}
	return nil
}

// word sets a word.
func (m *image) word(at, v uint64) {
	binary.LittleEndian.PutUint64(m.bytes(at), v)
	m.hot = append(m.hot, at)
}

func (m *image) half(at uint64, v uint16) { binary.LittleEndian.PutUint16(m.bytes(at), v) }

func (m *image) process() *core.Process {
	b := coretest.New(core.AMD64)
	for _, p := range m.pieces {
		start, end := core.Addr(p.at), core.Addr(p.at)+core.Addr(len(p.data))
		b.MapProt(start, p.data, core.Read|core.Write)
		if p.rest > 0 {
			b.Gap(end, p.rest, core.Read|core.Write, core.NotInDump)
		}
		if p.module {
			b.Module("/lib/liballoc.so", start, end+core.Addr(p.rest), core.ModuleFacts{})
		}
	}
	b.Thread(1, map[string]uint64{"rsp": 0x10})
	x := b.Process()
	for _, p := range m.pieces {
		end := core.Addr(p.at) + core.Addr(len(p.data))
		i := slices.IndexFunc(x.Mappings, func(g core.Mapping) bool { return g.Start == end })
		if p.rest > 0 && i > 0 { // one mapping, part of which was dumped
			x.Mappings[i-1].End = x.Mappings[i].End
			x.Mappings = slices.Delete(x.Mappings, i, i+1)
		}
	}
	for _, t := range x.Threads {
		t.TLS = core.Addr(m.tls)
	}
	return x
}

// change changes words: four bytes are a change. They say which word becomes a small number, another word's
// address, or itself with some bits changed.
func (m *image) change(b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		at := m.hot[(int(b[0])|int(b[1])<<8)%len(m.hot)]
		was := binary.LittleEndian.Uint64(m.bytes(at))
		v := uint64(b[3])
		switch b[2] & 7 {
		case 0:
			v = was ^ 1<<(b[3]&63)
		case 1:
			v = m.hot[(int(b[3])*len(m.hot)>>8)%len(m.hot)] + uint64(b[2]>>3)
		case 2:
			v = was + uint64(int8(b[3]))*8
		case 3:
			v = ^uint64(0) >> (b[3] & 63)
		}
		binary.LittleEndian.PutUint64(m.bytes(at), v)
	}
}

// fuzzImage changes words of an image: whatever they are, chunks stay in order and in their regions, and
// nothing takes long.
func fuzzImage(f *testing.F, made func() *image) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 3, 2, 0, 1, 9})
	f.Add([]byte{0, 0, 2, 0xff, 7, 0, 3, 0, 9, 0, 1, 0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		m := made()
		m.change(b)
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		p := m.process()
		h, err := malloc.Open(ctx, p)
		if err != nil {
			return
		}
		var heaps []*block.Heap
		for _, a := range h.All {
			x := a.Heap(ctx)
			heaps = append(heaps, x)
			ordered(t, x)
			faults.Find(p, x)
			x.Sum(block.All)
			a.Version()
			x.Each(func(_ block.Ref, c *block.Packed) bool {
				return a.Has(c.At) || c.State() == block.Lost || fail(t, a, c)
			})
		}
		if _, err := leaks.Find(ctx, p, heaps, leaks.Options{Conservative: true}); err != nil {
			t.Fatal(err)
		}
	})
}

func fail(t *testing.T, a block.Allocator, c *block.Packed) bool {
	t.Errorf("%s has no memory at %v, where a chunk is", a.Name(), c.At)
	return false
}

// states returns what the chunks of the only allocator that has some are, by address.
func states(t *testing.T, m *image, name string) (map[uint64]malloc.Chunk, *block.Heap) {
	t.Helper()
	h, err := malloc.Open(t.Context(), m.process())
	if err != nil {
		t.Fatal(err)
	}
	if len(h.All) != 1 || h.All[0].Name() != name {
		t.Fatalf("%d allocators, the first is %s", len(h.All), h.All[0].Name())
	}
	x := h.All[0].Heap(t.Context())
	out := map[uint64]malloc.Chunk{}
	x.Each(func(r block.Ref, c *block.Packed) bool { out[uint64(c.At)] = x.Chunk(r); return true })
	return out, x
}
