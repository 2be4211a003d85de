package glibc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// binStrays adds the links of free chunks in bins that lead astray: a bin is linked both ways.
func (h *Malloc) binStrays(ctx context.Context) {
	c, l := h.p.Cursor(), &h.l
	n := 0
	h.heap.Each(func(_ block.Ref, p *block.Packed) bool {
		if n++; n&4095 == 0 && ctx.Err() != nil || len(h.heap.Strays) >= block.MaxStrays {
			return false
		}
		if p.State() != block.Free || p.List() != inBin {
			return true
		}
		for n := range core.Addr(2) {
			link, back := p.At+l.w*n, l.header()+l.w-l.w*n
			to := c.Pointer(link)
			if c.Reset() != nil {
				continue
			}
			if v := c.Pointer(to + back); c.Reset() != nil || v != p.At-l.header() {
				h.heap.Stray(block.Stray{At: link, Value: to, List: "bin"})
			}
		}
		return true
	})
}
