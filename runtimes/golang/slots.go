package golang

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

var _ runtimes.Slotter = (*Runtime)(nil)

const (
	maxSlots     = 1 << 30   // of a heap
	maxSpanSlots = 1<<16 - 1 // of a span: nelems has 16 bits
)

// Slots implements runtimes.Slotter. Which slots of a span have an object is in its freeindex and its bitmap
// allocBits (runtime/mbitmap.go: mspan.isFree): the collector's last sweep made the bitmap, and allocations
// after it moved the index.
func (r *Runtime) Slots(ctx context.Context) (*runtimes.SlotHeap, error) {
	x, list, err := r.readSpans(ctx)
	if err != nil {
		return nil, err
	}
	if !x.fields.has("freeindex", "nelems", "allocBits") {
		return nil, fmt.Errorf("which slots have an object is not known: %w", errNoSpan)
	}
	out, total := &runtimes.SlotHeap{Stacks: r.liveStacks()}, 0
	for i := range list {
		h := &list[i]
		if h.state != spanInUse || h.size == 0 || ctx.Err() != nil {
			continue
		}
		span := x.slots(h)
		if total += span.Count; total > maxSlots {
			return nil, fmt.Errorf("the heap has more than %d slots", maxSlots)
		}
		out.Spans = append(out.Spans, span)
	}
	out.Stale = stale(x.owned(list), out)
	return out, ctx.Err()
}

// Internal implements runtimes.Slotter.
func (r *Runtime) Internal(variable string) bool { return strings.HasPrefix(variable, "runtime.") }

// slots reads which slots of a span have an object. All of them count where that cannot be read.
func (x *spanReader) slots(h *heapSpan) runtimes.SlotSpan {
	size := uint64(h.end - h.start)
	if size/h.size > maxSpanSlots {
		return runtimes.SlotSpan{Start: h.start, Size: size, Count: 1, Used: []byte{1}}
	}
	s := runtimes.SlotSpan{Start: h.start, Size: h.size, Count: int(size / h.size)}
	c := x.c
	free, n := x.number(h, "freeindex"), x.number(h, "nelems")
	bits := c.Pointer(h.at + x.fields["allocBits"].off)
	s.Head = x.header(h)
	if n > 0 && n < uint64(s.Count) {
		s.Count = int(n) // the rest is the span's own, such as its mark bits
	}
	s.Used = make([]byte, (s.Count+7)/8)
	if c.Reset() == nil && bits != 0 {
		if _, err := x.t.Process.Space.ReadAt(s.Used, bits); err == nil {
			for i := range min(free, uint64(s.Count)) {
				s.Used[i>>3] |= 1 << (i & 7)
			}
			return s
		}
	}
	for i := range s.Used {
		s.Used[i] = 0xff
	}
	return s
}

// header returns how many bytes a slot of a span has before its object: from Go 1.22 on a pointer to the
// object's type, where the type is neither in the span's own bits nor in its record (runtime/mbitmap.go:
// heapBitsInSpan; runtime/malloc.go: mallocHeaderSize).
func (x *spanReader) header(h *heapSpan) uint64 {
	class, ok := x.fields["spanclass"]
	bits := uint64(x.word * x.word * 8) // objects of this size have as many words as a word has bits
	if !ok || !x.fields.has("largeType") || h.size <= bits {
		return 0
	}
	if c := x.c.U8(h.at + class.off); x.c.Reset() != nil || c&1 == 1 || c>>1 == 0 { // without pointers; a large object
		return 0
	}
	return 8
}

// number reads a number of a span. Its size follows from the next field: these shrank to 16 bits in Go 1.22.
func (x *spanReader) number(h *heapSpan, name string) uint64 {
	f := x.fields[name]
	size := x.word
	for _, g := range x.fields {
		if g.off > f.off {
			size = min(size, g.off-f.off)
		}
	}
	if size == 2 {
		return uint64(x.c.U16(h.at + f.off))
	}
	return x.c.Word(h.at + f.off)
}

// liveStacks returns the parts of the goroutines' stacks above their stack pointers. The whole stack counts
// while a thread runs the goroutine.
func (r *Runtime) liveStacks() (out []runtimes.SlotStack) {
	list, _ := r.Goroutines()
	for _, g := range list {
		if g.Dead() || g.Err != nil || g.Low >= g.High {
			continue
		}
		s := runtimes.SlotStack{Start: g.Low, End: g.High, Thread: g.Task()}
		if s.Thread != nil && g.Thread == nil {
			if v, ok := s.Thread.Regs.Get(r.t.Process.Arch.SP); ok && core.Addr(v) >= g.Low && core.Addr(v) < g.High {
				s.Start = core.Addr(v)
			}
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b runtimes.SlotStack) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// stale returns the memory of a heap that has neither slots nor stacks in use.
func stale(mem *runtimes.Owned, h *runtimes.SlotHeap) (out []core.Segment) {
	busy := make([]span, 0, len(h.Spans)+len(h.Stacks))
	for i := range h.Spans {
		s := &h.Spans[i]
		busy = append(busy, span{s.Start, s.Start + core.Addr(s.Size*uint64(s.Count))})
	}
	for _, s := range h.Stacks {
		busy = append(busy, span{s.Start, s.End})
	}
	slices.SortFunc(busy, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	all := append(slices.Clone(mem.Spans), mem.Stacks...)
	slices.SortFunc(all, func(a, b core.Segment) int { return cmp.Compare(a.Start, b.Start) })
	i := 0
	for _, g := range all {
		at := g.Start
		for ; i < len(busy) && busy[i].start < g.End; i++ {
			if busy[i].start > at {
				out = append(out, core.Segment{Start: at, End: busy[i].start})
			}
			if at = max(at, busy[i].end); at > g.End {
				break // it goes on in the next piece
			}
		}
		if at < g.End {
			out = append(out, core.Segment{Start: at, End: g.End})
		}
	}
	return out
}
