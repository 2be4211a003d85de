package bundle

import (
	"bytes"
	"cmp"
	"slices"

	"coredbg/core"
)

// fileRange is a range of offsets in a file, in bytes; hi is exclusive.
type fileRange struct{ lo, hi int64 }

// join sorts ranges, cuts them to [0, size) and joins those that touch.
func join(rs []fileRange, size int64) []fileRange {
	slices.SortFunc(rs, func(a, b fileRange) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	var out []fileRange
	for _, r := range rs {
		r.lo, r.hi = max(r.lo, 0), min(r.hi, size)
		if r.lo >= r.hi {
			continue
		}
		if n := len(out); n > 0 && r.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, r.hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// outside returns what joined ranges leave of [0, size).
func outside(rs []fileRange, size int64) []fileRange {
	var out []fileRange
	at := int64(0)
	for _, r := range rs {
		if r.lo > at {
			out = append(out, fileRange{at, r.lo})
		}
		at = r.hi
	}
	if at < size {
		out = append(out, fileRange{at, size})
	}
	return out
}

// span is an extent to be.
type span struct {
	lo, hi int64
	kind   uint8
	gap    core.GapError // extentGap
}

// block is the unit in bytes in which zeros are found: a page of most systems.
const block = 4096

// fewZeros is the length in bytes up to which zeros between data are taken as
// data: they pack to nothing, and an extent costs more.
const fewZeros = 4 * block

// tile returns the spans of a file of which keep, joined, is taken, and the
// rest has the gap left.
func tile(src core.Source, keep []fileRange, left core.GapError) []span {
	t := &tiler{}
	at := int64(0)
	for _, r := range keep {
		t.add(span{at, r.lo, extentGap, left})
		t.scan(src, r)
		at = r.hi
	}
	t.add(span{at, src.Size(), extentGap, left})
	return t.spans
}

// tiler joins spans as they come, in order.
type tiler struct{ spans []span }

func (t *tiler) add(s span) {
	if s.lo >= s.hi {
		return
	}
	n := len(t.spans)
	if n > 0 && t.spans[n-1].kind == s.kind && t.spans[n-1].gap == s.gap {
		t.spans[n-1].hi = s.hi
		return
	}
	if n > 1 && s.kind == extentData && t.spans[n-1].kind == extentZero && t.spans[n-2].kind == extentData &&
		t.spans[n-1].hi-t.spans[n-1].lo <= fewZeros {
		t.spans[n-2].hi = s.hi
		t.spans = t.spans[:n-1]
		return
	}
	t.spans = append(t.spans, s)
}

// scan adds what is zero and what is data in r.
func (t *tiler) scan(src core.Source, r fileRange) {
	for at := r.lo; at < r.hi; {
		w, err := src.Window(at)
		if err != nil {
			end := min(r.hi, (at/block+1)*block)
			if data, _ := core.SourceData(src, at); data > at {
				end = min(end, data) // of a bundle, whose gaps end anywhere
			}
			t.add(span{at, end, extentGap, gapOf(err)})
			at = end
			continue
		}
		w = w[:min(int64(len(w)), r.hi-at)]
		start, end := core.SourceData(src, at)
		hole := start > at // and not a gap, as it can be read
		if hole {
			end = start
		}
		w = w[:min(int64(len(w)), max(end-at, 1))]
		for len(w) > 0 {
			n := min(int64(len(w)), block-at%block)
			if hole {
				n = int64(len(w))
			}
			kind := uint8(extentData)
			if hole || bytes.Equal(w[:n], zeros[:n]) {
				kind = extentZero
			}
			t.add(span{lo: at, hi: at + n, kind: kind})
			at += n
			w = w[n:]
		}
	}
}

// carve makes gaps of the ranges out, joined, in spans that tile a file.
func carve(spans []span, out []fileRange, gap core.GapError) []span {
	t := &tiler{}
	for _, s := range spans {
		for len(out) > 0 && out[0].hi <= s.lo {
			out = out[1:]
		}
		at := s.lo
		for _, r := range out {
			if r.lo >= s.hi || s.kind == extentGap {
				break
			}
			lo, hi := max(r.lo, at), min(r.hi, s.hi)
			t.add(span{at, lo, s.kind, s.gap})
			t.add(span{lo, hi, extentGap, gap})
			at = max(at, hi)
		}
		t.add(span{at, s.hi, s.kind, s.gap})
	}
	return t.spans
}
