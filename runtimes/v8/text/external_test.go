package text

import (
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// An embedder puts resources of external strings next to a heap.
type embedder struct{ *v8test.Heap }

// impl makes a WTF::StringImpl with a text of one byte a character.
func (e embedder) impl(text string) core.Addr {
	a := e.Alloc(12 + len(text))
	e.Put32(a+4, uint32(len(text)))
	e.Put32(a+8, 0xabcdef05)
	copy(e.Bytes[a+12-e.Base:], text)
	return a
}

// object makes an object of C++ of these words after its virtual table, and room after them.
func (e embedder) object(table core.Addr, words ...uint64) core.Addr {
	a := e.Alloc(8*len(words) + 40)
	e.Put(a, uint64(table))
	for i, w := range words {
		e.Put(a+8+core.Addr(8*i), w)
	}
	return a
}

// blink makes a resource of Blink, a String, an AtomicString and a ParkableString before what V8
// refers to, of a size of that base.
func (e embedder) blink(base int, words ...core.Addr) core.Addr {
	table := e.Alloc(40)
	e.Put(table, uint64(-int64(base))) // how far the whole object begins before
	a := e.Alloc(base + 16)
	for i, w := range words {
		e.Put(a+core.Addr(base-24+8*i), uint64(w))
	}
	res := a + core.Addr(base)
	e.Put(res, uint64(table+16))
	return res
}

// TestResources: characters of strings that do not have their address.
func TestResources(t *testing.T) {
	for _, ver := range []layout.Version{{Major: 8, Minor: 4}, v8test.Node24} {
		e := embedder{v8test.NewHeap(t, ver)}
		data := e.Alloc(8)
		copy(e.Bytes[data-e.Base:], "extern")
		p, other := uint64(data), uint64(e.Alloc(16))
		cached := map[bool]string{true: "extern"}[ver == v8test.Node24]
		wide := e.impl("extern")
		e.Put32(wide+8, 0xa3cdef04)
		early := e.impl("extern")
		e.Put32(early+8, 0x6a35924c) // as Chromium 85 has it
		parkable := func(text, metadata uint64) core.Addr { return e.object(3, text, metadata) }
		for _, c := range []struct {
			what     string
			resource core.Addr
			want     string
			why      string
		}{
			{"V8's own", e.object(0, p, 6), "extern", ""},
			{"Node's", e.object(0, other, p, 6), "extern", ""},   // of before V8 9.0
			{"Node 18's", e.object(0, 0, p, 0, 6), "extern", ""}, // one address for each width
			{"Node 18's of another length", e.object(0, 0, p, 0, 7), "", strangeContent},
			{"of another length", e.object(0, 0, p, 7), "", strangeContent},
			{"an address beside nothing", e.object(0, p), cached, strangeContent},
			{"Blink's String", e.blink(32, e.impl("extern"), 0, 0), "extern", ""},
			{"Blink's AtomicString", e.blink(40, 0, e.impl("extern"), 0), "extern", ""},
			{"Blink's String of another length", e.blink(32, e.impl("externs"), 0, 0), "", strangeContent},
			{"Blink's String of two bytes", e.blink(32, wide, 0, 0), "", strangeContent},
			{"Blink's String, with its flags after the hash", e.blink(40, early, 0, 0), "extern", ""},
			{"a cache that is no memory", e.object(0, 0x1f3, p, 6), "extern", ""},
			{"a base that is too large", e.blink(72, e.impl("extern"), 0, 0), "", strangeContent},
			{"Blink's ParkableString", e.blink(40, 0, 0, parkable(uint64(e.impl("extern")), other)), "extern", ""},
			{"one that is parked", e.blink(40, 0, 0, parkable(0, other)), "", parkedText},
			{"one of nothing", e.blink(40, 0, 0, parkable(0, 0)), "", strangeContent},
			{"nowhere", 0xdead0000, "", noResource},
			{"null", 0, "", noResource},
		} {
			if c.what == "Node's" && ver == v8test.Node24 {
				c.resource = e.object(0, p, other, p, 6)
			}
			s := e.Object("UNCACHED_EXTERNAL_ONE_BYTE_STRING", 6<<32, uint64(c.resource))
			v := readerOf(e.Memory())
			got, err := v.Objects.String(s, 100)
			var short *StringError
			switch {
			case got != c.want:
				t.Errorf("V8 %v: %s: got %q, want %q", ver, c.what, got, c.want)
			case got != "":
			case !errors.As(err, &short) || short.Reason != c.why || short.Length != 6:
				t.Errorf("V8 %v: %s: %v, want %s", ver, c.what, err, c.why)
			}
		}
	}
}

// TestRefersOutside: words with the map of an external string that may be one.
func TestRefersOutside(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	for _, c := range []struct {
		typ          string
		length, at   uint64
		keeps, refer bool
	}{
		{"EXTERNAL_ONE_BYTE_STRING", 6 << 32, 0x1000, true, true},
		{"EXTERNAL_TWO_BYTE_STRING", 0, 0x1000, true, false},
		{"EXTERNAL_ONE_BYTE_STRING", 6 << 32, 0, true, false},
		{"UNCACHED_EXTERNAL_ONE_BYTE_STRING", 6 << 32, 0x1000, false, true},
		{"SEQ_ONE_BYTE_STRING", 6 << 32, 0x1000, false, true},
		{"HEAP_NUMBER", 6 << 32, 0x1000, false, true},
	} {
		o := h.Object(c.typ, c.length, c.at)
		v := readerOf(h.Memory())
		typ, _ := v.InstanceType(o)
		if keeps, refer := v.Objects.KeepsAddress(typ), v.Objects.RefersOutside(o); keeps != c.keeps ||
			refer != c.refer {
			t.Errorf("%+v: %t, %t", c, keeps, refer)
		}
	}
}

// FuzzResource: whatever a resource looks like, reading its string ends.
func FuzzResource(f *testing.F) {
	f.Add([]byte{0, 8, 16, 24, 32, 40, 48, 56}, uint32(6))
	f.Fuzz(func(t *testing.T, junk []byte, length uint32) {
		e := embedder{v8test.NewHeap(t, layout.Version{Major: 8, Minor: 4})}
		at := e.Alloc(128)
		for i, b := range junk { // addresses among these words, and other numbers
			w := uint64(at) + uint64(b)&^7
			if b&1 != 0 {
				w = uint64(-int64(b &^ 7))
			}
			e.Put(at+core.Addr(i%16*8), w)
		}
		s := e.Object("UNCACHED_EXTERNAL_ONE_BYTE_STRING", uint64(length)<<32, uint64(at+64))
		if got, _ := readerOf(e.Memory()).Objects.String(s, 1000); len(got) > 2000 {
			t.Fatalf("%d bytes of at most 1000 characters", len(got))
		}
	})
}
