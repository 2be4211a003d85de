package codeinfo

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

// The witness is AOSP's stack_map.h of Android 8; no core of that version is at hand.

func appendUleb(b []byte, v uint32) []byte {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// encoded lays out a CodeInfo of Android 8: columns have the widths given, and
// rows the values as stored.
func encoded(inline bool) []byte {
	// native pc, dex pc, dex register map, inline info, register mask, stack mask
	widths := []int{8, 5, 3, 2, 1, 1}
	if !inline {
		widths[3] = 0
	}
	maps := rows{{10, 0, 0, 0, 0, 0}, {20, 1 + 3, 1 + 2, 1 + 0, 1, 1}, {40, 1 + 9, 1, 1 + 2, 0, 0},
		{12, 1 + 20, 0, 0, 0, 0}}
	// is last, method index or high bits, dex pc, extra data, dex register map
	inlineWidths := []int{1, 16, 5, 32, 3}
	inlines := rows{{0, 1, 1 + 7, 1, 0}, {1, 0x1234, 1 + 11, 0x89abcde0, 0}, {1, 0, 1 + 2, 1, 0}}
	offsets := func(b []byte, widths []int, from int) []byte {
		end := 0
		for c, n := range widths {
			if end += n; c >= from {
				b = append(b, byte(end))
			}
		}
		return b
	}
	b := appendUleb(appendUleb(nil, 2), 3)   // dex register maps: entries, bytes
	b = appendUleb(appendUleb(b, 1), 200)    // location catalog
	b = offsets(appendUleb(b, 4), widths, 0) // stack maps
	b = appendUleb(appendUleb(b, 2), 7)      // register masks: rows, bits
	b = appendUleb(appendUleb(b, 2), 140)    // stack masks
	b = append(appendUleb(b, 3), 4, 6, 9)    // invoke infos
	if inline {
		b = offsets(appendUleb(b, 3), inlineWidths, 1)
	}
	w := bitWriter{bytes: append(b, make([]byte, 203)...)}
	w.pos = 8 * len(w.bytes)
	put := func(t rows, widths []int) {
		for _, r := range t {
			for c, v := range r {
				w.bits(v, widths[c])
			}
		}
	}
	put(maps, widths)
	put(rows{{0x05}, {0x41}}, []int{7})
	for _, bit := range []int{3, 139} { // one slot of each stack mask
		for n := range 140 {
			w.bits(map[bool]uint32{true: 1}[n == bit], 1)
		}
	}
	put(rows{{1}, {2}, {3}}, []int{9})
	if inline {
		put(inlines, inlineWidths)
	}
	return append(w.bytes, 0)
}

// encodedHeader puts a header and code after a CodeInfo and its MethodInfo.
func encodedHeader(inline bool) (mem core.Memory, code core.Addr) {
	const base = 0x10000
	b := encoded(inline)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	methods := len(b)
	b = append(b, 2, 70, 0, 0x45, 0x23, 0, 0, 0) // two indices: 70 and 0x2345
	at := len(b) + 24
	for _, v := range []uint32{uint32(at), uint32(at - methods), 96, 0x10028, 0xc000, 0x80000033} {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return core.NewSpace([]core.Segment{{Start: base, End: base + core.Addr(len(b)), Kind: core.SegCore,
		Src: core.Bytes(b)}}, nil), base + core.Addr(at)
}

func TestEncoded(t *testing.T) {
	for _, v := range []Version{124, 131, 138} {
		mem, code := encodedHeader(true)
		h, err := ReadHeader(mem, code, v)
		if err != nil || h.CodeInfo != 0x10000 || h.CodeSize != 0x33 || !h.ShouldDeoptimize ||
			*h.Frame != (Frame{96, 0x10028, 0xc000}) {
			t.Fatalf("version %d: header %+v, %v", v, h, err)
		}
		i, err := h.Decode(mem, v)
		if err != nil {
			t.Fatal(err)
		}
		if i.FrameSize != 96 || i.CoreSpillMask != 0x10028 || i.StackMaps() != 4 {
			t.Errorf("%+v", i)
		}
		m, ok, err := i.Find(80, 4)
		if !ok || err != nil || m.Row != 1 || m.DexPC != 3 {
			t.Fatalf("Find(80) = %+v, %v, %v", m, ok, err)
		}
		in, err := i.Inlined(m)
		want := []Inlined{{Row: 0, DexPC: 7, Method: 0x2345, DexFile: NoValue},
			{Row: 1, DexPC: 11, Method: NoValue, DexFile: NoValue, ArtMethod: 0x123489abcde0}}
		if err != nil || !reflect.DeepEqual(in, want) {
			t.Errorf("Inlined = %+v, %v; want %+v", in, err, want)
		}
		if mask, err := i.RegisterRoots(m); mask != 0x41 || err != nil {
			t.Errorf("RegisterRoots = %#x, %v", mask, err)
		}
		if slots, err := i.StackRoots(m); len(slots) != 140 || slices.Index(slots, true) != 139 || err != nil {
			t.Errorf("StackRoots: %d slots, %d, %v", len(slots), slices.Index(slots, true), err)
		}
		if regs, err := i.Registers(m); regs != nil || err != nil {
			t.Errorf("Registers = %v, %v", regs, err)
		}
		if m, ok, _ := i.Find(48, 4); !ok || m.DexPC != 20 || m.InlineInfo != NoValue {
			t.Errorf("map of a catch block: %+v, %v", m, ok)
		}
		if m, ok, _ := i.Find(160, 4); ok {
			if in, err := i.Inlined(m); fmt.Sprint(in) != fmt.Sprint([]Inlined{{Row: 2, DexPC: 2, Method: 70,
				DexFile: NoValue}}) || err != nil {
				t.Errorf("Inlined = %+v, %v", in, err)
			}
		}
		if _, ok, err := i.Find(81, 4); ok || err != nil {
			t.Errorf("Find(81): %v, %v", ok, err)
		}
	}
}

func TestEncodedWithoutInlining(t *testing.T) {
	mem, code := encodedHeader(false)
	h, err := ReadHeader(mem, code, 138)
	if err != nil {
		t.Fatal(err)
	}
	i, err := h.Decode(mem, 138)
	if err != nil {
		t.Fatal(err)
	}
	m, ok, err := i.Find(20, 1)
	if !ok || err != nil || m.DexPC != 3 || m.InlineInfo != NoValue {
		t.Errorf("Find(20) = %+v, %v, %v", m, ok, err)
	}
	if in, err := i.Inlined(m); in != nil || err != nil {
		t.Errorf("Inlined = %v, %v", in, err)
	}
}

func TestBadEncoded(t *testing.T) {
	decode := func(b []byte) error {
		mem := core.NewSpace([]core.Segment{{Start: 64, End: 64 + core.Addr(len(b)), Kind: core.SegCore,
			Src: core.Bytes(b)}}, nil)
		_, err := MethodHeader{CodeInfo: 64}.Decode(mem, 138)
		return err
	}
	backwards := append([]byte{0, 0, 0, 0, 1, 8, 4, 9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 20)...)
	long := append([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 8, 8, 8, 8, 8, 8}, make([]byte, 20)...)
	for _, tt := range []struct {
		want string
		err  error
	}{
		{"not mapped", decode([]byte{1, 2, 3})},
		{"StackMap.DexPc has -4 bits", decode(backwards)},
		{"StackMap has 268435455 rows", decode(long)},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("error %v, want %q", tt.err, tt.want)
		}
	}
}

func FuzzEncoded(f *testing.F) {
	f.Add(encoded(true))
	f.Add(encoded(false))
	f.Fuzz(func(t *testing.T, b []byte) {
		mem := core.NewSpace([]core.Segment{{Start: 64, End: 64 + core.Addr(len(b)), Kind: core.SegCore,
			Src: core.Bytes(b)}}, nil)
		i, err := MethodHeader{CodeInfo: 64, MethodInfo: 70}.Decode(mem, 138)
		if err != nil {
			return
		}
		for row := range min(i.StackMaps(), 20) {
			m, err := i.StackMap(row, 1)
			if err != nil {
				return
			}
			i.Inlined(m)
			i.RegisterRoots(m)
			i.StackRoots(m)
			i.Registers(m)
		}
	})
}
