package commands

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/class"
)

// The limits of a search for the objects that have handles.
const (
	holderBytes = 1 << 30 // of memory that is read
	holderHits  = 16      // words that are looked at, for each handle
	holderChunk = 1 << 20
)

// A Holder is an object of C++ with a member that leads to a handle.
type Holder struct {
	Class string
	Addr  core.Addr
	File  string // of the module that made it, if a runtime knows that; "" otherwise
}

// String names it, as in "node::HTTPParser at 5581a0".
func (h Holder) String() string { return fmt.Sprintf("%s at %x%s", h.Class, uint64(h.Addr), h.From()) }

// From says which module made it, as in " (/srv/addon.node)"; "" if that is not known.
func (h Holder) From() string {
	if h.File == "" {
		return ""
	}
	return " (" + h.File + ")"
}

// HoldersOf returns the objects of C++ that have words of native memory which lead to slots. It reads that
// memory once. A slot has no entry if the allocator does not know the block around such a word, or no vtable
// names its class.
func (s *Target) HoldersOf(ctx context.Context, slots []core.Addr) map[core.Addr]Holder {
	h, err := s.Native().Malloc(ctx)
	order, word := s.Process.Words()
	if err != nil || word != 8 || len(slots) == 0 {
		return nil
	}
	x := &holderSearch{s: s, heap: h, hits: make(map[core.Addr]int, len(slots)), found: map[core.Addr]Holder{},
		low: slots[0], high: slots[0]}
	for _, a := range slots {
		x.hits[a], x.low, x.high = 0, min(x.low, a), max(x.high, a)
	}
	left := holderBytes
	for _, g := range s.Process.Space.Segments() {
		if g.Kind != core.SegCore || g.Prot&core.Write == 0 || g.Prot&core.Exec != 0 {
			continue
		}
		for at := g.NextData(g.Start); at < g.End && left > 0 && len(x.hits) > 0 &&
			ctx.Err() == nil; at = g.NextData(at + holderChunk) {
			data, _ := s.Process.Space.Slice(at, int(min(g.End-at, holderChunk)))
			left -= len(data)
			for i := 0; i+8 <= len(data); i += 8 {
				if a := core.Addr(order.Uint64(data[i:])); a >= x.low && a <= x.high {
					x.hit(ctx, a, at+core.Addr(i))
				}
			}
		}
	}
	return x.found
}

// holderSearch is a search for words that lead to slots.
type holderSearch struct {
	s         *Target
	heap      *malloc.Heap
	hits      map[core.Addr]int // words that were looked at, by the slots still to be found
	low, high core.Addr         // of all slots
	found     map[core.Addr]Holder
}

// hit looks at a word that has the value slot.
func (x *holderSearch) hit(ctx context.Context, slot, at core.Addr) {
	n, wanted := x.hits[slot]
	if !wanted {
		return
	}
	if x.hits[slot] = n + 1; n+1 == holderHits {
		delete(x.hits, slot)
	}
	f, ok := x.heap.Find(ctx, at)
	if !ok {
		return
	}
	k := x.s.Native().Classes().Of(f.Addr, f.Size)
	if k.Kind != class.Vtable {
		return
	}
	h := Holder{Class: k.Name, Addr: f.Addr}
	if x.s.MadeBy != nil {
		h.File = x.s.MadeBy(f.Addr)
	}
	x.found[slot] = h
	delete(x.hits, slot)
}
