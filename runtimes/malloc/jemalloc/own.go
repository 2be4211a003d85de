package jemalloc

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const maxSteps = 1 << 10 // huge pages of a base block

// own returns the base blocks (base_block_s) that have the extents and the leaves: the allocator's records,
// whose pointers keep no block.
func (t *tree) own() []block.Span {
	var all []core.Addr
	for i := range t.extents {
		if a := t.extents[i].at; a != 0 {
			all = append(all, a)
		}
	}
	all = append(all, t.leaves...)
	slices.Sort(all)
	var out []block.Span
	for _, a := range all {
		if n := len(out); n > 0 && a < out[n-1].End {
			continue
		}
		out = append(out, t.baseOf(a))
	}
	slices.SortFunc(out, func(a, b block.Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// baseOf returns the base block that has a record: it begins with its size, and has an extent for the part
// that is left. A record in no such block is returned with its page.
func (t *tree) baseOf(a core.Addr) block.Span {
	at := a &^ (hugePage - 1)
	for range maxSteps {
		size, rest := t.c.Pointer(at), t.c.Pointer(at+2*t.l.pointer()+addrAt)
		if t.c.Reset() == nil && size != 0 && size%hugePage == 0 && size < 1<<40 && at+size > a && rest > at &&
			rest <= at+size {
			return block.Span{Start: at, End: at + size}
		}
		if at < hugePage {
			break
		}
		at -= hugePage
	}
	page := a &^ (1<<t.l.page - 1)
	return block.Span{Start: page, End: page + 1<<t.l.page}
}
