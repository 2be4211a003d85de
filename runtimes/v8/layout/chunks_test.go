package layout

import (
	"bytes"
	"slices"
	"testing"

	"coredbg/core"
)

// A holed source has bytes in one run only.
type holed struct {
	windowed
	start, end int64
}

func (h holed) Data(off int64) (start, end int64) {
	switch {
	case off >= h.end:
		return h.Size(), h.Size()
	case off < h.start:
		return h.start, h.end
	}
	return off, h.end
}

// TestEachChunk: chunks that begin in a hole are passed over.
func TestEachChunk(t *testing.T) {
	const start = core.Addr(0x1e08_0000_0000)
	src := windowed{bytes.NewReader(make([]byte, 8*ChunkSize))}
	for name, c := range map[string]struct {
		src  core.Source
		want []core.Addr
	}{
		"no holes":           {src, []core.Addr{0, 1, 2, 3, 4, 5, 6, 7}},
		"from a chunk on":    {holed{src, 2 * ChunkSize, 4 * ChunkSize}, []core.Addr{2, 3}},
		"within a chunk":     {holed{src, 2*ChunkSize + 4096, 4 * ChunkSize}, []core.Addr{3}},
		"a part of a chunk":  {holed{src, 2*ChunkSize + 4096, 2*ChunkSize + 8192}, nil},
		"nothing but a hole": {holed{src, 8 * ChunkSize, 8 * ChunkSize}, nil},
	} {
		s := core.Segment{Start: start, End: start + 8*ChunkSize, Kind: core.SegCore, Src: c.src}
		var got []core.Addr
		EachChunk(s, func(a core.Addr) bool {
			got = append(got, (a-start)/ChunkSize)
			return true
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: chunks %v, want %v", name, got, c.want)
		}
		if len(c.want) > 0 {
			n := 0
			if EachChunk(s, func(core.Addr) bool { n++; return false }) || n != 1 {
				t.Errorf("%s: it went on after the end: %d", name, n)
			}
		}
	}
}
