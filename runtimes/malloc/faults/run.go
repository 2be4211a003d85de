package faults

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	maxRun  = 4096 // bytes on either side of a place that a run is followed
	leastIn = 8    // the least bytes of a run in each of two blocks
	leastEq = 16   // the same for words that are equal and no text
)

// A Run is bytes that look as if one write had made them: text, or one word again and again. It lies over the
// boundary of two blocks.
type Run struct {
	Start, End    core.Addr
	Text          bool
	Before, After block.Chunk // the blocks on both sides of the boundary
}

// Across returns the run around a word of a block if it goes over the start or the end of the block. The
// block is in use, and so is the other one.
func Across(p *core.Process, h *block.Heap, r block.Ref, at core.Addr) (Run, bool) {
	x := runAt(p, at)
	least := core.Addr(leastEq)
	if x.Text {
		least = leastIn
	}
	own := h.Chunk(r)
	chunks := h.Regions[r.Region].Chunks
	if r.Index > 0 {
		x.Before, x.After = h.Chunk(block.Ref{Region: r.Region, Index: r.Index - 1}), own
		if x.over(least) {
			return x, true
		}
	}
	if r.Index+1 < len(chunks) {
		x.Before, x.After = own, h.Chunk(block.Ref{Region: r.Region, Index: r.Index + 1})
		if x.over(least) {
			return x, true
		}
	}
	return Run{}, false
}

// over reports whether a run lies over the boundary of its blocks. A run that fills the second block is more
// likely its own content.
func (x *Run) over(least core.Addr) bool {
	end := x.Before.Addr + core.Addr(x.Before.Size)
	return x.Before.State == block.Used && x.After.State == block.Used && x.Start+least <= end &&
		x.End >= x.After.Addr+least &&
		x.End < x.After.Addr+core.Addr(x.After.Size)
}

// runAt returns the run around a word.
func runAt(p *core.Process, at core.Addr) Run {
	c := p.Cursor()
	w := core.Addr(c.PtrSize())
	at &^= w - 1
	v := c.Word(at)
	x := Run{Start: at, End: at + w, Text: printable(v, int(w))}
	if c.Reset() != nil || !x.Text && v == 0 {
		return Run{Start: at, End: at}
	}
	step := w
	if x.Text {
		step = 1
	}
	like := func(a core.Addr) bool {
		if x.Text {
			b := c.U8(a)
			return c.Reset() == nil && b >= 0x20 && b <= 0x7e
		}
		u := c.Word(a)
		return c.Reset() == nil && u == v
	}
	for at-x.Start < maxRun && like(x.Start-step) {
		x.Start -= step
	}
	for x.End-at < maxRun && like(x.End) {
		x.End += step
	}
	return x
}
