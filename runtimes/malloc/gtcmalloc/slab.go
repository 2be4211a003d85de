package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// The shape of the caches of processors.
const (
	minSlabShift = 12 // of the memory of one processor
	maxSlabShift = 20
	maxProcs     = 4096
	maxHeaders   = 1 << 22 // that are looked at in search of the caches
	locked       = 0xffff  // where the slots of a locked header begin; they end at 0
)

// slabs marks the objects in caches of processors, and reports whether there are any. A word of the program's
// data (slabs_and_shift_) has their address, with the shift of the memory of each processor in its lowest
// byte. That memory begins with a header for each class.
func (h *Malloc) slabs(ctx context.Context) (found bool) {
	tried := map[core.Addr]bool{}
	for _, d := range h.data {
		block.Words(h.m.p, d.Start, min(d.End, d.Start+maxData), func(at, v core.Addr) bool {
			shift := v & 255
			if shift >= minSlabShift && shift <= maxSlabShift && v>>addressBits == 0 && !tried[v] &&
				!h.m.inRoot(at) {
				tried[v] = true
				found = h.processors(ctx, v&^255, 1<<shift)
			}
			return !found && h.headers < maxHeaders && ctx.Err() == nil
		})
		if found || h.headers >= maxHeaders {
			break
		}
	}
	if !found && h.headers >= maxHeaders {
		h.heap.Notes = append(h.heap.Notes, "too much looks like caches of processors: free objects in them count as used")
	}
	return found
}

// processors marks the objects in the memory of processors from an address on.
func (h *Malloc) processors(ctx context.Context, at, step core.Addr) (found bool) {
	g, ok := h.m.p.Mapping(at)
	if !ok || at%pageSize != 0 || g.Prot&core.Write == 0 {
		return false
	}
	for cpu := range core.Addr(maxProcs) {
		base := at + cpu*step
		if base+step > g.End || ctx.Err() != nil || !h.isSlab(base, step) {
			break
		}
		for class := 1; class < h.base; class++ {
			begin, current, _, _ := h.header(base, class)
			for i := begin; i < current; i++ {
				slot := base + 8*i
				if v := h.m.c.Pointer(slot); h.m.c.Reset() != nil || !h.free(slot, v, h.size(class), inProcessor) {
					break
				}
				found = true
			}
		}
	}
	return found
}

// header reads the header of a class: its slots go from begin to end, and objects to current. A header that
// is locked has no slots.
func (h *Malloc) header(base core.Addr, class int) (begin, current, end core.Addr, ok bool) {
	h.headers++
	v := h.m.c.U64(base + core.Addr(8*class))
	if h.m.c.Reset() != nil {
		return 0, 0, 0, false
	}
	begin, current, end = core.Addr(v>>32&0xffff), core.Addr(v&0xffff), core.Addr(v>>48)
	if begin == locked && end == 0 {
		return 0, 0, 0, true
	}
	return begin, current, end, true
}

// isSlab reports whether the memory of a processor has headers whose slots follow each other, with the
// objects of their classes.
func (h *Malloc) isSlab(base, step core.Addr) bool {
	last := core.Addr(0)
	for class := 1; class < h.base; class++ {
		begin, current, end, ok := h.header(base, class)
		if !ok || h.headers >= maxHeaders || begin > current || current > end || end > step/8 ||
			begin < last && begin != 0 {
			return false
		}
		if current > begin {
			v := h.m.c.Pointer(base + 8*begin)
			r, ok := h.heap.Around(v)
			if h.m.c.Reset() != nil || !ok || h.heap.Packed(r).At != v || h.heap.Packed(r).Size() != h.size(class) {
				return false
			}
		}
		last = max(last, end)
	}
	return true
}
