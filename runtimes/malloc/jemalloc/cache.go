package jemalloc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Limits on caches, which damaged memory may exceed.
const (
	reach     = 128 << 10          // how far from the thread pointer the allocator's thread-local data may be
	mark      = 0x7a7a7a7a7a7a7a7a // cache_bin_preceding_junk
	binSize   = 24                 // cache_bin_s, before 5.3
	maxCached = 1 << 13            // blocks of a bin
	minStack  = 256                // bytes of all stacks of a cache
	maxStacks = 1 << 16
	minRun    = 16 // bins in a row that show where a cache is, before 5.3
)

// A finder looks for the caches of threads.
type finder struct {
	h      *Malloc
	heap   *block.Heap
	c      *core.Cursor
	stacks map[core.Addr]bool // blocks that hold stacks of caches, and whether a bin refers to one
	done   map[core.Addr]bool // bins that were read
}

// cachesOf marks the blocks that caches of threads hold.
func cachesOf(ctx context.Context, h *Malloc) {
	f := &finder{h: h, heap: &h.heap, c: h.t.p.Cursor(), stacks: map[core.Addr]bool{}, done: map[core.Addr]bool{}}
	marked := h.t.l.bits.marked
	if marked {
		f.marks(ctx)
	}
	for _, t := range h.t.p.Threads {
		if t.TLS == 0 || ctx.Err() != nil {
			continue
		}
		m, ok := h.t.p.Mapping(t.TLS)
		if !ok {
			continue
		}
		from, to := m.Start, min(m.End, t.TLS+reach)
		if t.TLS-from > reach {
			from = t.TLS - reach
		}
		if marked {
			f.scan(from, to, true)
		} else if h.t.l.word == wide.word {
			f.runs(from, to)
		}
	}
	if !marked {
		return
	}
	f.everywhere(ctx)
	missed := 0
	for _, at := range slices.Sorted(maps.Keys(f.stacks)) { // a cache that a program made itself follows its stacks
		r, ok := f.heap.Around(at)
		if !ok || f.heap.Packed(r).State() != block.Used {
			continue
		}
		p := f.heap.Packed(r)
		if !f.stacks[at] {
			f.scan(p.At, p.End(), true)
			if !f.stacks[at] {
				missed++
			}
		}
		p.Set(block.Used, ofCache)
	}
	if missed > 0 {
		f.heap.Notes = append(f.heap.Notes, fmt.Sprintf("%d caches of threads were not found: their free blocks count as used", missed))
	}
}

// everywhere scans all memory that is not jemalloc's, if a cache is missing: some cores do not have the
// thread pointers.
func (f *finder) everywhere(ctx context.Context) {
	for _, g := range f.h.t.p.Mappings {
		if g.Prot&core.Write == 0 || f.whole() || ctx.Err() != nil {
			continue
		}
		at, all := g.Start, f.heap.Regions
		for i := sort.Search(len(all), func(i int) bool { return all[i].End > at }); i < len(all) &&
			all[i].Start < g.End; i++ {
			if all[i].Start > at {
				f.scan(at, all[i].Start, false)
			}
			at = all[i].End
		}
		if at < g.End {
			f.scan(at, g.End, false)
		}
	}
}

// whole reports whether all stacks have a bin.
func (f *finder) whole() bool {
	for _, found := range f.stacks {
		if !found {
			return false
		}
	}
	return true
}

// marks notes the blocks that begin with the mark that is put before the first stack of a cache.
func (f *finder) marks(ctx context.Context) {
	n := 0
	f.heap.Each(func(_ block.Ref, p *block.Packed) bool {
		if p.State() == block.Used && p.Size() >= minStack {
			if n++; n&0xfff == 0 && ctx.Err() != nil {
				return false
			}
			if v := f.c.Pointer(p.At); f.c.Reset() == nil && v == mark&(1<<(8*f.h.t.l.pointer())-1) {
				f.stacks[p.At] = false
			}
		}
		return len(f.stacks) < maxStacks
	})
}

// scan reads the bins (cache_bin_s) in a range of memory. If some memory is not known to be a thread's, a bin
// counts if there is another one before it or behind it.
func (f *finder) scan(from, to core.Addr, known bool) {
	size := (f.h.t.l.countsAt() + 6).Align(uint64(max(f.h.t.l.align, f.h.t.l.pointer())))
	block.Words(f.h.t.p, from, to, func(at, v core.Addr) bool {
		n, stack, ok := f.bin(at, v)
		if !ok || f.done[at] {
			return true
		}
		if !known {
			_, before, one := f.bin(at-size, f.c.Pointer(at-size))
			_, behind, other := f.bin(at+size, f.c.Pointer(at+size))
			if f.c.Reset(); (!one || before != stack) && (!other || behind != stack) {
				return true
			}
		}
		f.stacks[stack], f.done[at] = true, true
		f.take(v, n)
		return true
	})
}

// bin reads a bin, whose first word is v: the head of a stack, a count, and the low halves of three addresses
// in the stack. It returns how many blocks the stack has, and the block that has the stack.
func (f *finder) bin(at, v core.Addr) (n, stack core.Addr, ok bool) {
	r, ok := f.heap.Around(v)
	if !ok {
		return 0, 0, false
	}
	p := f.heap.Packed(r)
	if _, ok := f.stacks[p.At]; !ok {
		return 0, 0, false
	}
	counts, w := at+f.h.t.l.countsAt(), f.h.t.l.pointer()
	full, empty, head := f.c.U16(counts+2), f.c.U16(counts+4), uint16(v)
	if f.c.Reset() != nil || v%w != 0 || (empty-head)%uint16(w) != 0 || (head-full)%uint16(w) != 0 ||
		empty-head > empty-full {
		return 0, 0, false
	}
	n = core.Addr(empty-head) / w
	return n, p.At, v+w*n <= p.End()
}

// runs reads the bins of versions before 5.3: a mark of low water, a count, requests, and the end of a stack.
// Stacks of all bins are one block, in order.
func (f *finder) runs(from, to core.Addr) {
	for at := from.Align(8); at+binSize*minRun <= to; at += 8 {
		if f.done[at] {
			continue
		}
		stack, ok := f.run(at)
		if !ok {
			continue
		}
		f.heap.Packed(stack).Set(block.Used, ofCache)
		for b := at; b+binSize <= to && b < at+reach; b += 8 {
			if n, end, r, ok := f.old(b); ok && r == stack && !f.done[b] {
				f.done[b] = true
				f.take(end-8*core.Addr(n), core.Addr(n))
			}
		}
		return
	}
}

// run reports whether bins begin at an address, and returns the block with their stacks.
func (f *finder) run(at core.Addr) (stack block.Ref, ok bool) {
	last := core.Addr(0)
	for i := range core.Addr(minRun) {
		_, end, r, ok := f.old(at + i*binSize)
		if !ok || end <= last || i > 0 && r != stack {
			return r, false
		}
		last, stack = end, r
	}
	return stack, true
}

// old reads a bin of versions before 5.3.
func (f *finder) old(at core.Addr) (n uint32, end core.Addr, stack block.Ref, ok bool) {
	end = f.c.Pointer(at + 16)
	n = f.c.U32(at + 4)
	low := int32(f.c.U32(at))
	if f.c.Reset() != nil || n > maxCached || low < -1 || low > maxCached || end%8 != 0 || end < 8 {
		return 0, 0, stack, false
	}
	stack, ok = f.heap.Around(end - 8)
	if !ok {
		return 0, 0, stack, false
	}
	p := f.heap.Packed(stack)
	return n, end, stack, p.State() == block.Used && end-8*core.Addr(n) >= p.At
}

// take marks the blocks of a stack. They have all one size.
func (f *finder) take(at, n core.Addr) {
	size, w := uint64(0), f.h.t.l.pointer()
	for ; n > 0; n, at = n-1, at+w {
		v := f.c.Pointer(at)
		if f.c.Reset() != nil {
			return
		}
		twice := false
		if r, ok := f.heap.Around(v); ok {
			p := f.heap.Packed(r)
			if ok = p.At == v && (size == 0 || p.Size() == size); ok && p.State() == block.Used {
				size = p.Size()
				p.Set(block.Free, inCache)
				continue
			}
			twice = ok && p.State() == block.Free
		}
		f.heap.Stray(block.Stray{At: at, Value: v, List: lists[inCache], Size: size, Twice: twice})
	}
}
