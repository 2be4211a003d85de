package bundle

import (
	"io"
	"sort"
	"sync/atomic"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// extent is a run of a part's bytes; it ends where the next one starts.
type extent struct {
	start int64
	taken int64 // of span.Data: where it starts in the joined bytes
	kind  uint8
	gap   uint16 // of span.Gap: index of the reason
}

// chunk is where a frame is in the bundle, or in the folder that it shares.
type chunk struct {
	off, size int64 // bytes, packed
	start     int64 // of the joined bytes
	length    int64 // unpacked
	sum       *sum  // of a shared chunk; nil else
	Columns
}

// part is a file of the bundle, a core.Source. Its zero extents lend zeros, its
// gaps are errors.
type part struct {
	b       *Bundle
	kind    uint8
	path    string
	buildID []byte
	size    int64
	taken   int64 // bytes in chunks
	extents []extent
	gaps    []*core.GapError // the reasons, of all parts
	chunks  []chunk
	cached  []atomic.Pointer[[]byte] // the bytes of each chunk, while they are cached
}

// Size returns the size of the file that the part stands for, in bytes.
func (p *part) Size() int64 { return p.size }

var zeros [64 << 10]byte

// Window implements core.Source.
func (p *part) Window(off int64) ([]byte, error) {
	if off < 0 || off >= p.size {
		return nil, io.EOF
	}
	i := sort.Search(len(p.extents), func(i int) bool { return p.extents[i].start > off }) - 1
	e := p.extents[i]
	end := p.size
	if i+1 < len(p.extents) {
		end = p.extents[i+1].start
	}
	left := end - off
	switch e.kind {
	case span.Zero:
		return zeros[:min(left, int64(len(zeros)))], nil
	case span.Gap:
		return nil, p.gaps[e.gap]
	}
	at := e.taken + (off - e.start)
	in := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].start > at }) - 1
	data, err := p.chunk(in)
	if err != nil {
		return nil, err
	}
	data = data[at-p.chunks[in].start:]
	return data[:min(left, int64(len(data)))], nil
}

// chunk returns the bytes of the part's chunk i.
func (p *part) chunk(i int) ([]byte, error) {
	if data := p.cached[i].Load(); data != nil && !p.b.closed.Load() {
		return *data, nil
	}
	return p.b.chunk(p, i)
}

// Data implements core.SparseSource: zeros and gaps are not data.
func (p *part) Data(off int64) (start, end int64) {
	off = max(off, 0)
	i := max(sort.Search(len(p.extents), func(i int) bool { return p.extents[i].start > off })-1, 0)
	for ; i < len(p.extents); i++ {
		end := p.size
		if i+1 < len(p.extents) {
			end = p.extents[i+1].start
		}
		if e := p.extents[i]; e.kind == span.Data && end > off {
			return max(e.start, off), end
		}
	}
	return p.size, p.size
}

// Close does nothing: the part belongs to its bundle.
func (p *part) Close() error { return nil }
