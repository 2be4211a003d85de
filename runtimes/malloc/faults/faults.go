package faults

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A Kind is a kind of fault.
type Kind string

// The kinds; they are words of JSON.
const (
	Overrun  Kind = "overrun"  // a block was written to beyond its end
	Underrun Kind = "underrun" // a block was written to before its start
	FreeList Kind = "freelist" // a link of a list of free chunks leads to none: a free block was written to
	Header   Kind = "header"   // a header was overwritten, from which side does not show
)

// A Fault is something that was overwritten.
type Fault struct {
	Kind  Kind
	At    core.Addr // what was overwritten: a header's size, or a link
	Value uint64    // what is there
	// Culprit is the block that was written past, or to while it was free; its Addr is 0 if it is not known.
	Culprit block.Chunk
	Victim  core.Addr // the block whose header it is; 0 for none
	Why     string
}

// Of returns what of a heap was overwritten.
func Of(p *core.Process, h *block.Heap) []Fault {
	var out []Fault
	for i := range h.Breaks {
		out = append(out, ofBreak(p, h, &h.Breaks[i]))
	}
	for i := range h.Strays {
		out = append(out, ofStray(h, &h.Strays[i]))
	}
	return out
}

func ofBreak(p *core.Process, h *block.Heap, b *block.Break) Fault {
	if b.Apart {
		return Fault{Kind: Header, At: b.At, Value: b.Value, Why: b.Why}
	}
	if b.Past {
		return Fault{Kind: Overrun, At: b.At, Value: b.Value, Culprit: b.Before, Why: b.Why}
	}
	_, w := p.Words()
	f := Fault{Kind: Header, At: b.At, Value: b.Value, Victim: b.At + core.Addr(w), Why: b.Why}
	if b.Top {
		f.Victim = 0
	}
	switch SideOf(p, b) {
	case Before:
		f.Kind, f.Culprit = Overrun, b.Before
		if r, ok := h.Around(b.Before.Addr); ok {
			f.Culprit = h.Chunk(r)
		}
		if f.Culprit.State == block.Lost {
			f.Culprit = block.Chunk{} // what comes before is not known either
		}
	case After:
		f.Kind, f.Culprit = Underrun, block.Chunk{Addr: f.Victim}
	}
	return f
}

func ofStray(h *block.Heap, s *block.Stray) Fault {
	f := Fault{Kind: FreeList, At: s.At, Value: uint64(s.Value)}
	if r, ok := h.Around(s.Value); ok && s.Twice {
		f.Culprit, f.Why = h.Chunk(r), fmt.Sprintf("a %s has the block a second time: it was freed twice", s.List)
		return f
	}
	r, ok := h.Around(s.At)
	if ok && h.Chunk(r).State == block.Free {
		f.Culprit = h.Chunk(r)
		f.Why = fmt.Sprintf("its link in a %s leads to no chunk: it was written to after it was freed", s.List)
	} else {
		f.Why = fmt.Sprintf("a %s begins with what is no chunk: a block that was taken from it had been written to while it was free", s.List)
	}
	return f
}
