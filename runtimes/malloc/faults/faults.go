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

// Find returns the overwritten parts of a heap.
func Find(p *core.Process, h *block.Heap) []Fault {
	var out []Fault
	for i := range h.Breaks {
		f := ofBreak(p, h, &h.Breaks[i])
		if n := len(out); n > 0 && f.Kind == Overrun && out[n-1].Kind == Overrun &&
			through(p, &h.Breaks[i], &out[n-1]) {
			f.Culprit = out[n-1].Culprit
		}
		if n := len(out); n > 0 && f.At == out[n-1].At && f.Kind == Overrun {
			continue // the end of a block and the header behind it are in one word
		}
		out = append(out, f)
	}
	for i := range h.Strays {
		out = append(out, OfStray(p, h, &h.Strays[i]))
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

// OfStray returns the fault behind a link that leads astray.
func OfStray(p *core.Process, h *block.Heap, s *block.Stray) Fault {
	f := Fault{Kind: FreeList, At: s.At, Value: uint64(s.Value)}
	to, known := h.Around(s.Value)
	if known && s.Twice {
		f.Culprit, f.Why = h.Chunk(to), fmt.Sprintf("a %s has the block a second time: it was freed twice", s.List)
		if s.Self() {
			f.Why += ", or written to after it was freed"
		}
		return f
	}
	from, ok := h.Around(s.At)
	array := ok && h.Packed(from).Own() // of addresses, without links in blocks
	switch {
	case ok && h.Packed(from).State() == block.Free:
		f.Culprit = h.Chunk(from)
		f.Why = fmt.Sprintf("its link in a %s leads to no chunk: it was written to after it was freed", s.List)
	case known && h.Chunk(to).Addr != s.Value && (array || links(p, h, s.Value)):
		f.Culprit = h.Chunk(to)
		f.Why = fmt.Sprintf("a %s has an address %d bytes into the block: a pointer to there was freed", s.List,
			s.Value-f.Culprit.Addr)
		if !array {
			f.Why += ", or another block was written to while it was free"
		}
	case array:
		f.Why = fmt.Sprintf("a %s has an address that is no block's", s.List)
	default:
		f.Why = fmt.Sprintf("a %s begins with what is no chunk: a block that was taken from it had been written to while it was free", s.List)
	}
	return f
}

// links reports whether an address has what the link of a free block can be: zero, or the start of a block.
func links(p *core.Process, h *block.Heap, at core.Addr) bool {
	c := p.Cursor()
	v := c.Pointer(at)
	if c.Reset() != nil {
		return false
	}
	r, ok := h.Around(v)
	return v == 0 || ok && h.Packed(r).At == v
}
