package text

import (
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

func TestStrings(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	hello, world := h.Str("hello "), h.Str("wörld")
	copy(h.Bytes[world.Addr()+16-h.Base:], "w\xf6rld\x00") // one-byte strings are Latin-1
	h.Put32(world.Addr()+12, 5)
	two := h.Object("SEQ_TWO_BYTE_STRING", 3<<32, 0xd83d_4e16|0xde00<<32)
	cons := h.Object("CONS_TWO_BYTE_STRING", 14<<32, uint64(hello),
		uint64(h.Object("CONS_TWO_BYTE_STRING", 8<<32, uint64(world), uint64(two))))
	sliced := h.Object("SLICED_TWO_BYTE_STRING", 4<<32, uint64(cons), v8test.Smi(4))
	thin := h.Object("THIN_ONE_BYTE_STRING", 6<<32, uint64(hello))
	data := h.Alloc(8)
	copy(h.Bytes[data-h.Base:], "extern")
	cached := h.Object("EXTERNAL_ONE_BYTE_STRING", 6<<32, 0, uint64(data))
	resource := h.Alloc(16)
	h.Put(resource+8, uint64(data))
	uncached := h.Object("UNCACHED_EXTERNAL_ONE_BYTE_STRING", 6<<32, uint64(resource))
	v := readerOf(h.Memory())
	for _, c := range []struct {
		what string
		s    layout.Tagged
		want string
	}{
		{"sequential one-byte", hello, "hello "},
		{"sequential Latin-1", world, "wörld"},
		{"sequential two-byte with a surrogate pair", two, "世😀"},
		{"cons of cons", cons, "hello wörld世😀"},
		{"slice of cons", sliced, "o wö"},
		{"thin", thin, "hello "},
		{"external, cached", cached, "extern"},
		{"external, uncached", uncached, "extern"},
	} {
		if got, err := v.Objects.String(c.s, 1000); got != c.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", c.what, got, err, c.want)
		}
	}
	if got, err := v.Objects.String(cons, 7); got != "hello w" || err == nil {
		t.Errorf("cut: got %q, %v", got, err)
	}
	if info, err := v.Objects.StringInfo(sliced); err != nil || info.Kind != SlicedString || info.Offset != 4 ||
		info.Parts[0] != cons {
		t.Errorf("StringInfo: %+v, %v", info, err)
	}
}

// TestRope: ropes that a loop of s += x makes are as deep as it is long.
func TestRope(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	s, x := h.Str("x"), h.Str("x")
	const depth = 50_000
	for n := 2; n <= depth; n++ {
		s = h.Object("CONS_ONE_BYTE_STRING", uint64(n)<<32, uint64(s), uint64(x))
	}
	v := readerOf(h.Memory())
	if got, err := v.Objects.String(s, depth); err != nil || got != strings.Repeat("x", depth) {
		t.Errorf("got %d characters, %v", len(got), err)
	}
}

func TestBrokenStrings(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	long := h.Str("abc")
	h.Put32(long.Addr()+12, 1<<31)
	self := h.Object("CONS_ONE_BYTE_STRING", 9<<32, 0, 0)
	h.Put(self.Addr()+16, uint64(self))
	h.Put(self.Addr()+24, uint64(self))
	loopA := h.Object("CONS_ONE_BYTE_STRING", 1<<31<<32, 0, 0)
	loopB := h.Object("CONS_ONE_BYTE_STRING", 1<<31<<32, uint64(loopA), uint64(loopA))
	h.Put(loopA.Addr()+16, uint64(loopB))
	h.Put(loopA.Addr()+24, uint64(loopB))
	parent := h.Object("SLICED_ONE_BYTE_STRING", 5<<32, 0, v8test.Smi(0))
	h.Put(parent.Addr()+16, uint64(parent))
	far := h.Object("SLICED_ONE_BYTE_STRING", 0xffffffff<<32, uint64(long), v8test.Smi(1<<31-1))
	thin := h.Object("THIN_ONE_BYTE_STRING", 5<<32, 0)
	h.Put(thin.Addr()+16, uint64(thin))
	nowhere := h.Object("EXTERNAL_ONE_BYTE_STRING", 5<<32, 0, 0xdead0000)
	number := h.Object("HEAP_NUMBER", 0)
	v := readerOf(h.Memory())
	for what, s := range map[string]layout.Tagged{
		"2^31 characters": long, "cons of itself": self, "cons in a circle": loopA, "slice of itself": parent,
		"slice past its parent": far, "thin string of itself": thin, "characters that are not mapped": nowhere,
	} {
		got, err := v.Objects.String(s, 1<<16)
		var short *StringError
		if !errors.As(err, &short) || short.Got >= int(short.Length) || len(got) > 1<<16 {
			t.Errorf("%s: %d characters, %v", what, len(got), err)
		}
	}
	for what, s := range map[string]layout.Tagged{"a number": number, "a Smi": 4 << 32, "no object": 0x123457,
		"a cleared weak reference": layout.ClearedWeak} {
		if got, err := v.Objects.String(s, 10); err == nil {
			t.Errorf("%s: got %q", what, got)
		}
	}
}

func FuzzString(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03"), uint8(1))
	f.Add([]byte("\x09\x00\x00\x00\x09\x00\x00\x10"), uint8(3))
	f.Fuzz(func(t *testing.T, junk []byte, kind uint8) {
		h := v8test.NewHeap(t, v8test.Node24)
		names := []string{"SEQ_ONE_BYTE_STRING", "SEQ_TWO_BYTE_STRING", "CONS_ONE_BYTE_STRING",
			"SLICED_TWO_BYTE_STRING",
			"THIN_ONE_BYTE_STRING", "EXTERNAL_ONE_BYTE_STRING", "UNCACHED_EXTERNAL_ONE_BYTE_STRING",
			"CONS_TWO_BYTE_STRING"}
		var all []layout.Tagged
		for i := range 8 {
			all = append(all, h.Object(names[(int(kind)+i)%len(names)], 0, 0, 0))
		}
		for i, b := range junk {
			o := all[i%len(all)]
			at := o.Addr() + 8 + core.Addr(i/len(all)%24)
			if b&1 != 0 && i%24 >= 8 {
				h.Put(o.Addr()+16+core.Addr(8*(i%2)), uint64(all[int(b)%len(all)]))
				continue
			}
			h.Bytes[at-h.Base] = b
		}
		v := readerOf(h.Memory())
		for _, o := range all {
			if s, _ := v.Objects.String(o, 1000); len(s) > 4000 {
				t.Fatalf("%d bytes of at most 1000 characters", len(s))
			}
		}
	})
}

// redacted is a source that lacks the bytes of a range.
type redacted struct {
	core.Source
	lo, hi int64
}

func (r redacted) Window(off int64) ([]byte, error) {
	w, err := r.Source.Window(off)
	switch {
	case err != nil || off >= r.hi:
		return w, err
	case off >= r.lo:
		return nil, &core.GapError{Gap: core.Redacted}
	}
	return w[:min(int64(len(w)), r.lo-off)], nil
}

// TestRedactedString: a string with a hole says so there, and goes on after it; so do ropes.
func TestRedactedString(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	first, secret, last := h.Str("connect to "), h.Str("s3cret-value"), h.Str(", at once")
	part := h.Str("user joe:hunter2 in")
	rope := h.Object("CONS_ONE_BYTE_STRING", 32<<32,
		uint64(h.Object("CONS_ONE_BYTE_STRING", 23<<32, uint64(first), uint64(secret))), uint64(last))
	m := h.Memory()
	cut := func(s layout.Tagged, from, to int64) {
		segs := append([]core.Segment(nil), m.Space.Segments()...)
		for i := range segs {
			if g := &segs[i]; g.Start <= s.Addr() && s.Addr() < g.End {
				at := g.Off + int64(s.Addr()-g.Start) + 16
				g.Src = redacted{g.Src, at + from, at + to}
			}
		}
		m.Space = core.NewSpace(segs, nil)
	}
	cut(secret, 0, 12)
	cut(part, 9, 16)
	v := readerOf(m)
	for s, want := range map[layout.Tagged]string{rope: "connect to <redacted>, at once",
		part: "user joe:<redacted> in", secret: "<redacted>", last: ", at once"} {
		if got, err := v.Objects.String(s, 100); got != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}
