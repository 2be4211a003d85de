package musl

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	isAvail = 1 + iota
	isFreed
)

var lists = []string{"", "free slot", "freed slot"}

const givenBack = 255 // the byte before a freed block that has the number of its slot

// load makes regions of groups.
func (h *Malloc) load(ctx context.Context) {
	slices.SortFunc(h.groups, func(a, b meta) int {
		return cmp.Or(cmp.Compare(a.mem, b.mem),
			-cmp.Compare(a.mapped, b.mapped))
	})
	h.heap.Arenas = []block.Arena{{Addr: h.at, Main: true}}
	h.heap.Own = h.spans
	f := filler{h: h, c: h.p.Cursor()}
	for f.next < len(h.groups) && ctx.Err() == nil {
		m := &h.groups[f.next]
		f.next++
		if n := len(h.heap.Regions); n > 0 && m.mem < h.heap.Regions[n-1].End {
			continue // it overlaps one before
		}
		f.broken = false
		r := block.Region{Start: m.mem, End: m.end()}
		if m.class == ownClass {
			r.Arena, r.Mapped = -1, true
		}
		f.group(&r, m, 0)
		h.heap.Regions = append(h.heap.Regions, r)
	}
	h.heap.Done()
}

// A filler makes chunks of slots. Groups are in order of address, so that the next one is the one that a slot
// may have in it.
type filler struct {
	h      *Malloc
	c      *core.Cursor
	next   int
	broken bool // the region has a break
}

func (f *filler) group(r *block.Region, m *meta, depth int) {
	for i := range m.slots {
		start := m.storage + i*m.stride
		bit := uint32(1) << i
		if m.avail&bit != 0 || m.freed&bit != 0 {
			list := isFreed
			if m.avail&bit != 0 {
				list = isAvail
			}
			r.Chunks = append(r.Chunks, block.PackAs(start, uint64(m.stride-inBand), block.Free, list))
			continue
		}
		if x := f.inner(start, start+m.stride, depth); x != nil {
			f.next++
			f.group(r, x, depth+1)
			continue
		}
		f.slot(r, m, i, start)
	}
}

// inner returns the group in a slot; nil if there is none.
func (f *filler) inner(start, end core.Addr, depth int) *meta {
	for f.next < len(f.h.groups) && f.h.groups[f.next].mem < start {
		f.next++ // it overlaps what was read
	}
	if f.next == len(f.h.groups) || depth >= maxDepth {
		return nil
	}
	if x := &f.h.groups[f.next]; x.mem < end && x.end() <= end && x.mapped == 0 {
		return x
	}
	return nil
}

// slot adds the block in a slot. Before it are the number of the slot with how much of the slot is spare, and
// its distance from the first slot; where it does not begin with its slot, the slot's beginning says so.
func (f *filler) slot(r *block.Region, m *meta, i, start core.Addr) {
	c, end, at := f.c, start+m.stride-inBand, start
	if c.U8(start-3) == 7<<5 {
		at += core.Addr(c.U16(start-2)) * unit
	}
	head := c.U8(at - 3)
	off := core.Addr(c.U16(at - 2))
	if c.U8(at-4) != 0 {
		off = core.Addr(c.U32(at - 8))
	}
	spare := core.Addr(head >> 5)
	if spare >= 5 {
		spare = core.Addr(c.U32(end - 4))
	}
	if c.Reset() != nil {
		r.Missing += uint64(m.stride)
		r.Chunks = append(r.Chunks, block.Pack(start, uint64(m.stride-inBand)))
		return
	}
	if (head == 0 || head == givenBack) && off == 0 && i > 0 || head == givenBack {
		r.Chunks = append(r.Chunks, block.Pack(start, uint64(m.stride-inBand)))
		return // a thread was about to give it out, or to take it back
	}
	sound := core.Addr(head&31) == i && off*unit == at-m.storage && at < end
	if sound && head>>5 == 5 && spare > end-at {
		f.breaks(end-4, block.Chunk{Addr: at, Size: uint64(end - at)}, true,
			"the size of the spare bytes at the end of its slot was overwritten")
		r.Chunks = append(r.Chunks, block.Pack(at, uint64(end-at)))
		return
	}
	if !sound || spare > end-at || head>>5 > 5 {
		before := block.Chunk{}
		if n := len(r.Chunks); n > 0 {
			before = block.Chunk{Addr: r.Chunks[n-1].At, Size: r.Chunks[n-1].Size()}
		}
		at = min(at, start+m.stride-unit)
		f.breaks(at, before, false, fmt.Sprintf("it is not the header of slot %d of a group at %v", i, m.mem))
		r.Chunks = append(r.Chunks, block.Pack(start, uint64(m.stride-inBand)))
		return
	}
	p := block.Pack(at, uint64(end-spare-at))
	r.Chunks = append(r.Chunks, p)
	// A byte behind the block is zero while it was not written to.
	guard := end - spare
	if v := c.U8(guard); c.Reset() == nil && v != 0 {
		f.breaks(guard, block.Chunk{Addr: at, Size: p.Size()}, true, "the guard byte behind the block was overwritten")
	}
}

// breaks adds a header or a guard byte that was overwritten. Past is set if it is the byte behind the block before.
func (f *filler) breaks(at core.Addr, before block.Chunk, past bool, why string) {
	if !past {
		at = (at - inBand) &^ 7
	}
	v := f.c.U64(at)
	f.c.Reset()
	if f.h.heap.Break(block.Break{At: at, Value: v, Before: before, Why: why, Past: past, Again: f.broken}) {
		f.broken = true
	}
}

// breaks adds a record that contradicts itself.
func (h *Malloc) breaks(at core.Addr, why string) {
	h.heap.Contradiction(at, h.p.Cursor().U64(at), "a group", why)
}
