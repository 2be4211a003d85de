package packed

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
)

// some returns the bytes of an index of 200 symbols, and the table of their names.
func some(t testing.TB) (data, names []byte) {
	var list []Symbol
	var of []uint16
	var cover []Stretch
	for i := range 200 {
		name := fmt.Appendf(nil, "_ZN%dname%dEv", i%7, i)
		if i%10 == 0 {
			name = []byte("same")
		}
		s := Symbol{Addr: 0x400000 + uint64(16*i), Size: 12, Name: name, At: uint32(len(names)), Kind: core.SymFunc,
			Global: i%2 == 0}
		if i >= 190 {
			s.Addr, s.Kind = uint64(8*i), core.SymTLS
		} else {
			cover = append(cover, Stretch{s.Addr, int32(i)}, Stretch{s.Addr + 12, -1})
		}
		names = append(append(names, name...), 0)
		list, of = append(list, s), append(of, Group(name))
	}
	data, ok := Pack(of, 190, func(i int) Symbol { return list[i] }, cover)
	if !ok {
		t.Fatal("not packed")
	}
	return data, names
}

func TestIndex(t *testing.T) {
	data, names := some(t)
	// The names are in two tables.
	x, err := Read(data, [][]byte{names[:bytes.IndexByte(names, 0)+1], names[bytes.IndexByte(names, 0)+1:]})
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64]int{0x3fffff: -1, 0x400000: 0, 0x40000b: 0, 0x40000c: -1, 0x400010: 1,
		0x400000 + 16*189: 189, 0x400000 + 16*190: -1, 8 * 195: -1} {
		if i, ok := x.Lookup(addr); ok != (want >= 0) || ok && i != want {
			t.Errorf("%#x: %d, %v, want %d", addr, i, ok, want)
		}
	}
	if s := x.At(195); s.Addr != 8*195 || s.Kind != core.SymTLS || s.Global || string(s.Name) != "_ZN6name195Ev" {
		t.Errorf("thread-local: %+v %q", s, s.Name)
	}
	for _, prefix := range []string{"", "_", "_ZN3", "_ZN3name", "_ZN3name3", "same", "same2", "absent"} {
		var got, want []int
		x.Begin([]byte(prefix), func(i int) bool { got = append(got, i); return true })
		for i := range x.Len {
			if bytes.HasPrefix(x.At(i).Name, []byte(prefix)) {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q begins %v, want %v", prefix, got, want)
		}
	}
	var got []int
	x.Named([]byte("same"), func(i int) bool { got = append(got, i); return len(got) < 3 })
	if !slices.Equal(got, []int{0, 10, 20}) {
		t.Errorf("same: %v", got)
	}
}

// TestTooFar: what does not fit is not packed, rather than cut.
func TestTooFar(t *testing.T) {
	for name, list := range map[string][]Symbol{
		"address": {{Addr: 1}, {Addr: 1 << 33}}, "size": {{Addr: 1, Size: 1 << 32}},
		"name": {{Name: make([]byte, maxName+1)}},
	} {
		if _, ok := Pack(make([]uint16, len(list)), len(list), func(i int) Symbol { return list[i] }, nil); ok {
			t.Errorf("%s is packed", name)
		}
	}
	if _, ok := Pack([]uint16{0}, 1, func(int) Symbol { return Symbol{Addr: 5} }, []Stretch{{4, 0}}); ok {
		t.Error("a stretch before the base is packed")
	}
}

// TestCut: an index that was cut anywhere is not read.
func TestCut(t *testing.T) {
	data, names := some(t)
	for i := range data {
		if _, err := Read(data[:i], [][]byte{names}); err == nil {
			t.Fatalf("its first %d bytes are read", i)
		}
	}
	if _, err := Read(append(data, 0), [][]byte{names}); err == nil {
		t.Error("a byte more is read")
	}
}

// FuzzRead: whatever bytes an index has, reading refuses them, or every query ends without a panic and
// stays within them.
func FuzzRead(f *testing.F) {
	one, _ := Pack([]uint16{Group([]byte("main"))}, 1, func(int) Symbol {
		return Symbol{Addr: 0x1000, Size: 8, Name: []byte("main"), Kind: core.SymFunc, Global: true}
	}, []Stretch{{0x1000, 0}, {0x1008, -1}})
	// The groups are most of it, and nothing to fuzz one by one: they are 64 KiB of one number.
	const begin = headSize + symbolSize + 16
	f.Add(one[:begin], one[begin+4*groups:], uint32(0), []byte("main\x00"))
	f.Add(bytes.Repeat([]byte{0xff}, begin), []byte{9, 9, 9, 9}, uint32(7), []byte{})
	f.Fuzz(func(t *testing.T, head, tail []byte, group uint32, names []byte) {
		list := make([]byte, 4*groups)
		for i := range groups {
			list[4*i], list[4*i+1], list[4*i+2], list[4*i+3] = byte(group), byte(group>>8), byte(group>>16),
				byte(group>>24)
		}
		x, err := Read(slices.Concat(head, list, tail), [][]byte{names, names})
		if err != nil {
			return
		}
		for i := range min(x.Len, 64) {
			s := x.At(i)
			x.Named(s.Name, func(k int) bool { return k < x.Len })
			x.Begin(s.Name, func(k int) bool { return k < x.Len })
			if k, ok := x.Lookup(s.Addr); ok {
				if at := x.At(k); k >= x.Placed || s.Addr < at.Addr || s.Addr-at.Addr >= at.Size {
					t.Fatalf("%#x is covered by %d, %+v", s.Addr, k, at)
				}
			}
		}
		x.Begin([]byte("_ZN2v8"), func(int) bool { return true })
	})
}
