package slots

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/malloc/block"
)

// maxSlots is how many slots a heap has whose objects are followed.
const maxSlots = 1 << 24

// A Heap is the objects of a runtime's heap, as the blocks of an allocator.
type Heap struct {
	runtime runtimes.Slotter
	slots   *runtimes.SlotHeap
	blocks  *block.Heap
}

// New reads the slots of a runtime's heap.
func New(ctx context.Context, r runtimes.Slotter) (*Heap, error) {
	s, err := r.Slots(ctx)
	if err != nil {
		return nil, err
	}
	return &Heap{runtime: r, slots: s}, nil
}

// Name implements block.Allocator.
func (h *Heap) Name() string { return h.runtime.Name() }

// Version implements block.Allocator.
func (h *Heap) Version() string { return h.runtime.Version() }

// Has implements block.Allocator.
func (h *Heap) Has(a core.Addr) bool {
	i := sort.Search(len(h.slots.Spans), func(i int) bool { return h.slots.Spans[i].Start > a }) - 1
	if i < 0 {
		return false
	}
	s := &h.slots.Spans[i]
	return uint64(a-s.Start) < s.Size*uint64(s.Count)
}

// Large reports whether there are too many slots for their objects to be followed.
func (h *Heap) Large() bool {
	n := 0
	for i := range h.slots.Spans {
		n += h.slots.Spans[i].Count
	}
	return n > maxSlots
}

// Stacks returns the parts of stacks in the heap that are in use.
func (h *Heap) Stacks() []runtimes.SlotStack { return h.slots.Stacks }

// redZone is how many bytes below a stack pointer a function may use (System V ABI, AMD64 supplement 3.2.2).
// No ABI has more.
const redZone = 128

// Trim leaves out what a stack has below the frames of the thread that runs on it. Lowest returns the lowest
// stack pointer of these frames in a stack, 0 if it is not known.
func (h *Heap) Trim(lowest func(t *core.Thread, start, end core.Addr) core.Addr) {
	for i := range h.slots.Stacks {
		s := &h.slots.Stacks[i]
		if s.Thread == nil || s.Thread.Task != nil {
			continue // it begins at its stack pointer
		}
		if sp := lowest(s.Thread, s.Start, s.End); sp < s.End && sp > s.Start+redZone {
			h.slots.Stale = append(h.slots.Stale, core.Segment{Start: s.Start, End: sp - redZone})
			s.Start = sp - redZone
		}
	}
	slices.SortFunc(h.slots.Stale, func(a, b core.Segment) int { return cmp.Compare(a.Start, b.Start) })
}

// Internal reports whether a variable, by its name with its package, is the runtime's own.
func (h *Heap) Internal(variable string) bool { return h.runtime.Internal(variable) }

// Heap implements block.Allocator: a region for each span.
func (h *Heap) Heap(ctx context.Context) *block.Heap {
	if h.blocks != nil {
		return h.blocks
	}
	out := &block.Heap{Lists: []string{""}}
	for i := range h.slots.Spans {
		s := &h.slots.Spans[i]
		if ctx.Err() != nil {
			return out
		}
		r := block.Region{Start: s.Start, End: s.Start + core.Addr(s.Size*uint64(s.Count)), Arena: -1, Rounded: true,
			Mapped: s.Count == 1}
		for k := range s.Count {
			state := block.Free
			if s.Has(k) {
				state = block.Used
			}
			at := s.Start + core.Addr(uint64(k)*s.Size+s.Head)
			r.Chunks = append(r.Chunks, block.PackAs(at, s.Size-s.Head, state, 0))
		}
		out.Regions = append(out.Regions, r)
	}
	out.Own = h.stale()
	out.Done()
	h.blocks = out
	return out
}

// Holes is the memory of the heap that leads to nothing, as records of an allocator without blocks: free
// slots, and parts of stacks that are not in use.
func (h *Heap) Holes() *block.Heap {
	out := &block.Heap{Lists: []string{""}, Own: h.stale()}
	for i := range h.slots.Spans {
		s := &h.slots.Spans[i]
		for k := 0; k < s.Count; k++ {
			from := k
			for k < s.Count && !s.Has(k) {
				k++
			}
			if k > from {
				out.Own = append(out.Own, block.Span{Start: s.Start + core.Addr(uint64(from)*s.Size),
					End: s.Start + core.Addr(uint64(k)*s.Size)})
			}
		}
	}
	return out
}

func (h *Heap) stale() (out []block.Span) {
	for _, g := range h.slots.Stale {
		out = append(out, block.Span{Start: g.Start, End: g.End})
	}
	return out
}

// TypeOf implements block.Typer: objects have no types of their own.
func (h *Heap) TypeOf(at core.Addr, _ uint64) string {
	if !h.Has(at) {
		return ""
	}
	return "(object of " + h.Name() + ")"
}
