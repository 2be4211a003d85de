package span

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"coredbg/core"
)

// The kinds of spans.
const (
	Data = 0 // bytes that are taken
	Zero = 1 // bytes that are zero
	Gap  = 2 // bytes that are not there, for a reason
)

// A Range is a range of offsets in a file, in bytes; Hi is exclusive.
type Range struct{ Lo, Hi int64 }

// Between returns the range [lo, hi).
func Between(lo, hi int64) Range { return Range{lo, hi} }

// Join sorts ranges, cuts them to [0, size) and merges adjacent and overlapping ones.
func Join(rs []Range, size int64) []Range {
	slices.SortFunc(rs, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi)) })
	var out []Range
	for _, r := range rs {
		r.Lo, r.Hi = max(r.Lo, 0), min(r.Hi, size)
		if r.Lo >= r.Hi {
			continue
		}
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Outside returns what joined ranges leave of [0, size).
func Outside(rs []Range, size int64) []Range {
	var out []Range
	at := int64(0)
	for _, r := range rs {
		if r.Lo > at {
			out = append(out, Between(at, r.Lo))
		}
		at = r.Hi
	}
	if at < size {
		out = append(out, Between(at, size))
	}
	return out
}

// A Span is an extent of a part: a run of bytes of one kind.
type Span struct {
	Lo, Hi int64         // offsets in the file; Hi is exclusive
	Kind   uint8         // Data, Zero or Gap
	Gap    core.GapError // of a Gap: why
}

// Block is the granularity at which zeros are found, in bytes: a page of most systems.
const Block = 4096

// fewZeros is the longest run of zeros, in bytes, between data that is taken as data: zeros pack to
// nothing, and an extent costs more.
const fewZeros = 4 * Block

// Tile returns the spans of a file. The ranges of keep, which are joined, are taken; the rest has the
// gap left.
func Tile(src core.Source, keep []Range, left core.GapError) []Span {
	t := &tiler{}
	at := int64(0)
	for _, r := range keep {
		t.add(Span{at, r.Lo, Gap, left})
		t.scan(src, r)
		at = r.Hi
	}
	t.add(Span{at, src.Size(), Gap, left})
	return t.spans
}

var zeros [Block]byte

// tiler joins spans as they come, in order.
type tiler struct{ spans []Span }

func (t *tiler) add(s Span) {
	if s.Lo >= s.Hi {
		return
	}
	n := len(t.spans)
	if n > 0 && t.spans[n-1].Kind == s.Kind && t.spans[n-1].Gap == s.Gap {
		t.spans[n-1].Hi = s.Hi
		return
	}
	if n > 1 && s.Kind == Data && t.spans[n-1].Kind == Zero && t.spans[n-2].Kind == Data &&
		t.spans[n-1].Hi-t.spans[n-1].Lo <= fewZeros {
		t.spans[n-2].Hi = s.Hi
		t.spans = t.spans[:n-1]
		return
	}
	t.spans = append(t.spans, s)
}

// scan adds the spans of zeros and of data in r.
func (t *tiler) scan(src core.Source, r Range) {
	for at := r.Lo; at < r.Hi; {
		w, err := src.Window(at)
		if err != nil {
			end := min(r.Hi, (at/Block+1)*Block)
			if data, _ := core.SourceData(src, at); data > at {
				end = min(end, data) // of a bundle, whose gaps end anywhere
			}
			t.add(Span{at, end, Gap, gapOf(err)})
			at = end
			continue
		}
		w = w[:min(int64(len(w)), r.Hi-at)]
		start, end := core.SourceData(src, at)
		hole := start > at // and not a gap, as it can be read
		if hole {
			end = start
		}
		w = w[:min(int64(len(w)), max(end-at, 1))]
		for len(w) > 0 {
			n := min(int64(len(w)), Block-at%Block)
			if hole {
				n = int64(len(w))
			}
			kind := uint8(Data)
			if hole || bytes.Equal(w[:n], zeros[:n]) {
				kind = Zero
			}
			t.add(Span{Lo: at, Hi: at + n, Kind: kind})
			at += n
			w = w[n:]
		}
	}
}

// Carve makes gaps of the ranges out, joined, in spans that tile a file.
func Carve(spans []Span, out []Range, gap core.GapError) []Span {
	t := &tiler{}
	for _, s := range spans {
		for len(out) > 0 && out[0].Hi <= s.Lo {
			out = out[1:]
		}
		at := s.Lo
		for _, r := range out {
			if r.Lo >= s.Hi || s.Kind == Gap {
				break
			}
			lo, hi := max(r.Lo, at), min(r.Hi, s.Hi)
			t.add(Span{at, lo, s.Kind, s.Gap})
			t.add(Span{lo, hi, Gap, gap})
			at = max(at, hi)
		}
		t.add(Span{at, s.Hi, s.Kind, s.Gap})
	}
	return t.spans
}

// Without returns joined ranges without the holes, joined too.
func Without(keep, holes []Range) []Range {
	var out []Range
	for _, r := range keep {
		at := r.Lo
		for i, _ := slices.BinarySearchFunc(holes, r.Lo, func(h Range, lo int64) int {
			if h.Hi <= lo {
				return -1
			}
			return 1
		}); i < len(holes) && holes[i].Lo < r.Hi; i++ {
			if holes[i].Lo > at {
				out = append(out, Between(at, holes[i].Lo))
			}
			at = holes[i].Hi
		}
		if at < r.Hi {
			out = append(out, Between(at, r.Hi))
		}
	}
	return out
}

// Shifted moves ranges of an image to where it is in a universal file.
func Shifted(rs []Range, by int64) []Range {
	for i := range rs {
		rs[i].Lo += by
		rs[i].Hi += by
	}
	return rs
}

// gapOf returns the reason that reading a Source failed for.
func gapOf(err error) core.GapError {
	var gap *core.GapError
	if errors.As(err, &gap) {
		return *gap
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return core.GapError{Gap: core.Truncated}
	}
	return core.GapError{Gap: core.Unreadable, Detail: err.Error()}
}
