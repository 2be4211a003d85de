package malloc

import (
	"context"

	"coredbg/core"
)

// A Stray is a link of a list of free chunks that leads to none: memory was written after it was
// freed, or a chunk was overrun.
type Stray struct {
	At    core.Addr // of the link
	Value core.Addr // where it leads
	List  string    // "tcache", "fastbin", "bin"
	Size  uint64    // of the list's chunks, in bytes with their headers; 0 for bins
}

const maxStrays = 16

func (h *Heap) strayed(s Stray) {
	if len(h.strays) < maxStrays {
		h.strays = append(h.strays, s)
	}
}

// Strays returns the links that lead astray, links of small chunks first.
func (h *Heap) Strays(ctx context.Context) []Stray {
	h.load(ctx)
	out := h.strays
	c := h.p.Cursor()
	for _, r := range h.regions {
		for i := range r.chunks {
			if len(out) >= maxStrays || ctx.Err() != nil {
				return out
			}
			k := &r.chunks[i]
			if !k.free || h.lists[k.at+headerSize] != "" {
				continue
			}
			// A bin is linked both ways.
			for n := range core.Addr(2) {
				link, back := k.at+headerSize+8*n, headerSize+8-8*n
				to := c.Pointer(link)
				if c.Reset() != nil {
					continue
				}
				if v := c.Pointer(to + back); c.Reset() != nil || v != k.at {
					out = append(out, Stray{At: link, Value: to, List: "bin"})
				}
			}
		}
	}
	return out
}
