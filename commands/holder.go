package commands

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc/class"
)

// The limits of a search for the object that has a handle.
const (
	holderBytes = 1 << 30 // of memory that is read
	holderHits  = 16      // words that are looked at
	holderChunk = 1 << 20
)

// HolderOf returns the object of C++ that a word of native memory which leads to slot is a member of, as
// "node::HTTPParser at 5581a0"; "" if the allocator does not know the block, or no vtable names its class.
func (s *Session) HolderOf(ctx context.Context, slot core.Addr) string {
	h, err := s.Malloc(ctx)
	order, word := s.Process.Words()
	if err != nil || word != 8 {
		return ""
	}
	left, hits := holderBytes, 0
	for _, g := range s.Process.Space.Segments() {
		if g.Kind != core.SegCore || g.Prot&core.Write == 0 || g.Prot&core.Exec != 0 {
			continue
		}
		for at := g.Start; at < g.End && left > 0 && hits < holderHits && ctx.Err() == nil; at += holderChunk {
			data, _ := s.Process.Space.Slice(at, int(min(g.End-at, holderChunk)))
			left -= len(data)
			for i := 0; i+8 <= len(data) && hits < holderHits; i += 8 {
				if core.Addr(order.Uint64(data[i:])) != slot {
					continue
				}
				hits++
				f, ok := h.Find(ctx, at+core.Addr(i))
				if !ok {
					continue
				}
				if k := s.Classes().Of(f.Addr, f.Size); k.Kind == class.Vtable {
					return fmt.Sprintf("%s at %x", k.Name, uint64(f.Addr))
				}
			}
		}
	}
	return ""
}
