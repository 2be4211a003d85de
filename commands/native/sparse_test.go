package native

import (
	"io"
	"slices"
	"testing"

	"coredbg/core"
)

// sparse is a file of some GiB with two pages of bytes: reading a hole fails the test.
type sparse struct {
	t    *testing.T
	size int64
	runs map[int64][]byte
}

func (s *sparse) Size() int64  { return s.size }
func (s *sparse) Close() error { return nil }

func (s *sparse) Window(off int64) ([]byte, error) {
	for at, b := range s.runs {
		if at <= off && off < at+int64(len(b)) {
			return b[off-at:], nil
		}
	}
	s.t.Errorf("the hole at %#x was read", off)
	return nil, io.ErrUnexpectedEOF
}

func (s *sparse) Data(off int64) (start, end int64) {
	start, end = s.size, s.size
	for at, b := range s.runs {
		if to := at + int64(len(b)); to > off && max(at, off) < start {
			start, end = max(at, off), to
		}
	}
	return start, end
}

// TestSearchSkipsHoles searches 30 GiB that contain 12 KiB of bytes.
func TestSearchSkipsHoles(t *testing.T) {
	const base, size = 0x100000, 30 << 30
	page := func(at int, text string) []byte {
		b := make([]byte, 4096)
		copy(b[at:], text)
		return b
	}
	src := &sparse{t, size, map[int64][]byte{
		0x5000: page(8, "needle"), 20 << 30: append(page(4090, "needle"), page(0, "")...),
		size - 4096: page(4090, "needle"),
	}}
	// Two segments of the one file, with their border in a hole.
	p := &core.Process{Arch: core.AMD64, Space: core.NewSpace([]core.Segment{
		{Start: base, End: base + 10<<30, Kind: core.SegCore, Src: src},
		{Start: base + 10<<30, End: base + size, Kind: core.SegCore, Src: src, Off: 10 << 30},
	}, nil)}
	var got []core.Addr
	err := search(t.Context(), p, chunks(p, 16, false), func(b []byte, c chunk) []core.Addr {
		var hits []core.Addr
		for _, i := range findText(b, c.size, []byte("needle"), false) {
			hits = append(hits, c.start+core.Addr(i))
		}
		return hits
	}, func(a core.Addr) error { got = append(got, a-base); return nil })
	want := []core.Addr{0x5008, 20<<30 + 4090, size - 6}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	// Who looks for zeros looks into the holes.
	all := 0
	for _, c := range chunks(p, 0, true) {
		all += c.size
	}
	if all != size {
		t.Errorf("%d bytes to search for zeros, want %d", all, size)
	}
}
