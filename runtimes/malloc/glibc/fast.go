package glibc

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// maxFast bounds the chunks of a fastbin.
const maxFast = 1 << 20

// fastbins marks what the fastbins of an arena list.
func (h *Malloc) fastbins(arena core.Addr, _ int) {
	l := &h.l
	c := h.p.Cursor()
	for bin := range core.Addr(l.fast) {
		link := arena + l.top - l.w*core.Addr(l.fast) + l.w*bin
		at := c.Pointer(link) &^ l.ignore
		for n := 0; at != 0 && n < maxFast && c.Reset() == nil; n++ {
			r, ok := h.begins(at + l.header())
			if !ok {
				if at > maxSmall { // else it is what is before the fastbins
					h.heap.Stray(block.Stray{At: link, Value: at, List: "fastbin",
						Size: uint64(l.minChunk() + 2*l.w*bin)})
				}
				break
			}
			p := h.heap.Packed(r)
			if p.State() == block.Free && p.List() != inBin {
				h.heap.Stray(block.Stray{At: link, Value: p.At, List: "fastbin",
					Size: p.Size() + uint64(l.w), Twice: true})
				break
			}
			p.Set(block.Free, inFast)
			link = at + l.header()
			at = h.follow(c, link)
		}
		if c.Reset() != nil {
			return
		}
	}
}

const maxSmall = 4096

// follow returns what the link at an address refers to. From glibc 2.32 on it is mixed
// with where it lies (PROTECT_PTR).
func (h *Malloc) follow(c *core.Cursor, at core.Addr) core.Addr {
	if h.links++; h.links > maxLinks {
		return 0
	}
	v := c.Pointer(at)
	if h.l.w == 4 {
		if mixed := v ^ at>>12&(1<<32-1); v != 0 && (mixed == 0 || mixed%8 == 0 && h.Has(mixed)) {
			return mixed
		}
		return v
	}
	if mixed := (v ^ at>>12) &^ h.l.ignore; v != 0 && (mixed == 0 || mixed%16 == 0 && h.Has(mixed)) {
		return mixed
	}
	return v &^ h.l.ignore
}
