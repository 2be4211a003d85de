package core

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSpaceAgainstByteMap splices random overlapping segments and compares
// each address with a map that was written byte by byte.
func TestSpaceAgainstByteMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		var segs []Segment
		truth := map[Addr]byte{}
		gaps := map[Addr]bool{}
		for range rng.IntN(12) {
			start := Addr(rng.IntN(200))
			data := make([]byte, rng.IntN(60))
			for i := range data {
				data[i] = byte(rng.IntN(255) + 1)
			}
			seg := Segment{Start: start, End: start + Addr(len(data)), Kind: SegCore, Src: Bytes(data)}
			if rng.IntN(4) == 0 {
				seg = Segment{Start: start, End: seg.End, Gap: NotDumped}
			}
			segs = append(segs, seg)
			for i := range data {
				a := start + Addr(i)
				delete(truth, a)
				delete(gaps, a)
				if seg.Kind == SegGap {
					gaps[a] = true
				} else {
					truth[a] = data[i]
				}
			}
		}
		s := NewSpace(segs, nil)
		for a := Addr(0); a < 280; a++ {
			var b [1]byte
			_, err := s.ReadAt(b[:], a)
			want, ok := truth[a]
			switch {
			case ok && (err != nil || b[0] != want):
				t.Fatalf("round %d: at %v got %#x, %v, want %#x", round, a, b[0], err, want)
			case gaps[a] && (Fault(err) == nil || Fault(err).Gap != NotDumped):
				t.Fatalf("round %d: at %v got %v, want not dumped", round, a, err)
			case !ok && !gaps[a] && (Fault(err) == nil || Fault(err).Gap != Unmapped):
				t.Fatalf("round %d: at %v got %v, want not mapped", round, a, err)
			}
		}
	}
}

func TestSpaceWrapsAndEdges(t *testing.T) {
	top := ^Addr(0) - 3
	s := NewSpace([]Segment{
		{Start: 16, End: 8, Kind: SegCore, Src: Bytes("wrapping")},
		{Start: top, End: ^Addr(0), Kind: SegCore, Src: Bytes("abc")},
		{Start: 0x100, End: 0x200, Kind: SegCore, Src: Bytes("short")},
	}, nil)
	got := make([]byte, 8)
	if n, err := s.ReadAt(got, top); n != 3 || Fault(err) == nil || !bytes.Equal(got[:3], []byte("abc")) {
		t.Errorf("at the top: %d bytes %q, %v", n, got[:n], err)
	}
	if n, err := s.ReadAt(got, 0x100); n != 5 || Fault(err) == nil || Fault(err).Gap != Truncated {
		t.Errorf("past the end of the source: %d bytes, %v", n, err)
	}
	if _, ok := s.Find(16); ok {
		t.Errorf("a segment that wraps around was mapped")
	}
}

func TestCursorKeepsFirstError(t *testing.T) {
	s := NewSpace([]Segment{{Start: 0, End: 8, Kind: SegCore, Src: Bytes("\x01\x02\x03\x04\x05\x06\x07\x08")}}, nil)
	c := NewCursor(s, AMD64.Order, 8)
	if v := c.U16(6); v != 0x0807 {
		t.Errorf("U16 = %#x", v)
	}
	if v := c.U32(6); v != 0 || Fault(c.Err()) == nil || Fault(c.Err()).Addr != 8 {
		t.Errorf("U32 over the edge = %#x, %v", v, c.Err())
	}
	if v := c.U64(0); v != 0 {
		t.Errorf("after an error U64 = %#x", v)
	}
	if c.Reset() == nil || c.U64(0) != 0x0807060504030201 {
		t.Errorf("Reset did not clear the error")
	}
}

func TestCString(t *testing.T) {
	data := append(bytes.Repeat([]byte("x"), 600), 0)
	s := NewSpace([]Segment{{Start: 0x1000, End: 0x1000 + Addr(len(data)), Kind: SegCore, Src: Bytes(data)},
		{Start: 0x2000, End: 0x2003, Kind: SegCore, Src: Bytes("end")}}, nil)
	for _, c := range []struct {
		at    Addr
		max   int
		n     int
		fault bool
	}{{0x1000, 1000, 600, false}, {0x1000, 10, 10, false}, {0x1258, 10, 0, false}, {0x2000, 10, 3, true},
		{0x3000, 10, 0, true}} {
		got, err := CString(s, c.at, c.max)
		if len(got) != c.n || (err != nil) != c.fault {
			t.Errorf("CString(%v, %d) = %d bytes, %v", c.at, c.max, len(got), err)
		}
	}
}

// told is a source that notes hints.
type told struct {
	Bytes
	hints []bool
}

func (s *told) Scattered(on bool) { s.hints = append(s.hints, on) }

// TestSpaceScattered: each source of the core is told once, and once that it is over.
func TestSpaceScattered(t *testing.T) {
	a, b := &told{Bytes: Bytes("abcdefgh")}, &told{Bytes: Bytes("library")}
	s := NewSpace([]Segment{
		{Start: 16, End: 20, Kind: SegCore, Src: a},
		{Start: 32, End: 36, Kind: SegCore, Src: a, Off: 4},
		{Start: 48, End: 52, Kind: SegFile, Src: b},
		{Start: 64, End: 68, Kind: SegCore, Src: Bytes("plain")},
	}, nil)
	s.Scattered(func() {
		if !slices.Equal(a.hints, []bool{true}) {
			t.Errorf("while it reads: %v", a.hints)
		}
	})
	if !slices.Equal(a.hints, []bool{true, false}) || len(b.hints) != 0 {
		t.Errorf("core's source: %v, library's: %v", a.hints, b.hints)
	}
}
