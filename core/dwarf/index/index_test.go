package index

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
)

func at(part int, off uint64) Ref {
	r, _ := At(part, off)
	return r
}

func all(Ref) bool { return true }

// some returns a Builder with names of all kinds, some of them in two Builders, and with places.
func some() *Builder {
	var a, b Builder
	for i := range uint64(100) {
		a.Add(Types, []byte("ns::T"), at(0, 1000-i))
		b.Add(Types, fmt.Appendf(nil, "ns::T%d<a::b>", i), at(1, i))
	}
	a.Add(Variables, []byte("ns::T"), at(0, 7))
	b.Add(Types, []byte("T"), at(0, 8))
	b.Add(Types, []byte("other::T"), at(2, 9))
	a.Add(Functions, []byte("_ZN2ns1fEv"), at(0, 10))
	a.Add(Functions, []byte("ns::g"), at(0, 10))
	b.Add(Gone, []byte("ns::gone"), at(maxPart, 1<<offBits-1))
	a.Place(0x2000, at(0, 7))
	b.Place(0x1000, at(0, 6))
	b.Place(0x1000, at(0, 5))
	a.Merge(&b)
	return &a
}

func TestNames(t *testing.T) {
	made, err := some().Names()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadNames(bytes.Clone(made.Bytes()), all)
	if err != nil {
		t.Fatal(err)
	}
	for how, n := range map[string]*Names{"made": made, "read": read} {
		list := n.Find(Types, "ns::T")
		if len(list) != MaxSame || !slices.IsSorted(list) || list[0].Off() != 937 {
			t.Errorf("%s: ns::T is %v", how, list)
		}
		for name, want := range map[string]Ref{"T": at(0, 8), "ns::T42<a::b>": at(1, 42)} {
			if got := n.Find(Types, name); !slices.Equal(got, []Ref{want}) {
				t.Errorf("%s: %s is %v", how, name, got)
			}
		}
		if got := n.Find(Gone, "ns::gone"); len(got) != 1 || got[0].Part() != maxPart || got[0].Off() != 1<<offBits-1 {
			t.Errorf("%s: %v", how, got)
		}
		if n.Find(Gone, "ns::T") != nil || n.Find(Types, "ns") != nil || n.Find(Types, "") != nil {
			t.Errorf("%s: what is not there is found", how)
		}
		for _, c := range []struct {
			kind Kind
			last string
			want []string
		}{{Types, "T", []string{"ns::T", "other::T"}}, {Variables, "T", []string{"ns::T"}},
			{Types, "T7<a::b>", []string{"ns::T7<a::b>"}}, {Functions, "g", nil}, {Types, "b>", nil}} {
			if got := n.Whole(c.kind, c.last); !slices.Equal(got, c.want) {
				t.Errorf("%s: %d %s is the end of %q, want %q", how, c.kind, c.last, got, c.want)
			}
		}
		seen := map[string]int{}
		n.All(Types, func(name string) bool { seen[name]++; return true })
		if len(seen) != 103 || slices.Max(slices.Collect(maps.Values(seen))) != 1 {
			t.Errorf("%s: %d types", how, len(seen))
		}
		var places []uint64
		n.Before(0x1fff, func(p Place) bool { places = append(places, p.Addr, p.Off()); return true })
		if !slices.Equal(places, []uint64{0x1000, 6, 0x1000, 5}) {
			t.Errorf("%s: places %#x", how, places)
		}
	}
	if empty, err := (&Builder{}).Names(); err != nil || empty.Find(Types, "a") != nil ||
		empty.Whole(Types, "a") != nil {
		t.Error("an index of nothing")
	}
}

func TestLastPart(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a::b": "b", "a::b<c::d>": "b<c::d>", "a::b<c::d>::e": "e", "{impl#0}::new": "new",
		"net/http.Server": "http.Server", "map[net/http.A]int": "map[net/http.A]int", "*net/http.A": "*net/http.A",
		"(anonymous)::x": "x", "::x": "x", "": "",
	} {
		if got := LastPart(name); got != want {
			t.Errorf("%q ends in %q, want %q", name, got, want)
		}
	}
}

// TestDamagedNames: an index that was cut anywhere is not read, nor one that leads where valid says there is nothing.
func TestDamagedNames(t *testing.T) {
	n, _ := some().Names()
	for i := range n.Bytes() {
		if _, err := ReadNames(n.Bytes()[:i], all); err == nil {
			t.Fatalf("its first %d bytes are read", i)
		}
	}
	if _, err := ReadNames(append(bytes.Clone(n.Bytes()), 0), all); err == nil {
		t.Error("a byte more is read")
	}
	if _, err := ReadNames(n.Bytes(), func(r Ref) bool { return r.Part() != 2 }); err == nil {
		t.Error("an entry that is not valid is taken")
	}
}

func TestCode(t *testing.T) {
	made := NewCode([]Range{{0x3000, 0x3010, 2}, {0x1000, 0x2000, 0}, {0x1800, 0x1810, 1}})
	read, err := ReadCode(bytes.Clone(made.Bytes()), 3)
	if err != nil {
		t.Fatal(err)
	}
	for how, c := range map[string]*Code{"made": made, "read": read} {
		for addr, want := range map[uint64]int{0xfff: -1, 0x1000: 0, 0x1800: 1, 0x1810: 0, 0x1fff: 0, 0x2000: -1,
			0x300f: 2, 0x3010: -1} {
			got, ok := c.Find(addr)
			if !ok {
				got = -1
			}
			if got != want {
				t.Errorf("%s: %#x is of %d, want %d", how, addr, got, want)
			}
		}
		if c.First() != 0x1000 {
			t.Errorf("%s: begins at %#x", how, c.First())
		}
	}
	for why, c := range map[string]*Code{
		"a unit that is not there": NewCode([]Range{{1, 2, 3}}),
		"no order": {slices.Concat(NewCode([]Range{{3, 4, 0}}).data,
			NewCode([]Range{{1, 2, 0}}).data)},
		"an end before the beginning": NewCode([]Range{{2, 1, 0}}), "a negative unit": NewCode([]Range{{1, 2, -1}}),
		"cut": {made.data[:30]},
	} {
		if _, err := ReadCode(c.Bytes(), 3); err == nil {
			t.Errorf("%s is read", why)
		}
	}
}

func TestSeal(t *testing.T) {
	of, data := []byte("of this"), []byte("the index")
	file := append(Seal(of, data), data...)
	if got, err := Open(of, file); err != nil || !bytes.Equal(got, data) {
		t.Fatal(got, err)
	}
	if _, err := Open([]byte("of that"), file); !errors.Is(err, ErrOther) {
		t.Error(err)
	}
	for i := range file {
		b := bytes.Clone(file)
		b[i] ^= 0x40
		if _, err := Open(of, b); err == nil {
			t.Errorf("byte %d may be another", i)
		}
		if _, err := Open(of, file[:i]); err == nil {
			t.Errorf("it may end after %d bytes", i)
		}
	}
	file[len(magic)]++
	if _, err := Open(of, file); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// FuzzRead: whatever bytes an index has, reading refuses them, or every query ends without a panic.
func FuzzRead(f *testing.F) {
	n, _ := some().Names()
	f.Add(n.Bytes())
	empty, _ := (&Builder{}).Names()
	f.Add(empty.Bytes())
	f.Add(NewCode([]Range{{0x1000, 0x2000, 0}, {0x1800, 0x1810, 1}}).Bytes())
	f.Add(append(Seal([]byte("x"), []byte("y")), 'y'))
	f.Fuzz(func(t *testing.T, b []byte) {
		if data, err := Open([]byte("x"), b); err == nil {
			b = data
		}
		if c, err := ReadCode(b, 4); err == nil {
			for addr := range uint64(64) {
				if u, ok := c.Find(c.First() + addr<<6); ok && u >= 4 {
					t.Error("a unit that is not there")
				}
			}
		}
		n, err := ReadNames(b, func(r Ref) bool { return r.Part() < 2 })
		if err != nil {
			return
		}
		for k := range kinds {
			n.All(k, func(name string) bool {
				for _, r := range n.Find(k, name) {
					if r.Part() >= 2 {
						t.Error("an entry that is not valid")
					}
				}
				n.Whole(k, LastPart(name))
				return true
			})
		}
		n.Before(^uint64(0), func(p Place) bool { return p.Part() < 2 })
	})
}

// TestFingerprint: a byte anywhere tells two files apart.
func TestFingerprint(t *testing.T) {
	data := make([]byte, 1<<20)
	sum := func() string {
		f := NewFingerprint("test")
		f.Bytes(data)
		return string(f.Sum(nil))
	}
	want := sum()
	for _, at := range []int{0, 4095, 4096, len(data) / 2, len(data) - 4097, len(data) - 1} {
		data[at]++
		if sum() == want {
			t.Errorf("another byte at %d makes no difference", at)
		}
		data[at]--
	}
	if sum() != want {
		t.Error("it is not made of the bytes alone")
	}
}
