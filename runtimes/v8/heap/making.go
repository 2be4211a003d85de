package heap

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/page"
)

// settleMaking counts what was passed over before the top of an allocation area as an object
// that a thread was making: the memory is taken (LocalAllocator moves the top first), and the
// object's map, or the length in it, is not written yet. The thread has the object's address
// in a register or on its stack (FactoryBase::NewCode @ 14.1 has it in its result's register
// from the allocation to the first store); without that the bytes stay passed over.
func (b *builder) settleMaking() {
	for i := range b.found {
		s, addrs := &b.found[i].stats, b.found[i].addrs
		s.Losses = slices.DeleteFunc(s.Losses, func(l page.Loss) bool {
			end := l.Addr + core.Addr(l.Bytes)
			if b.Gaps[end] == 0 {
				return false
			}
			start := l.Addr
			// An object whose map is there and whose length is not seems to be shorter.
			if n, _ := slices.BinarySearch(addrs, l.Addr); n > 0 {
				start = addrs[n-1]
			}
			if !b.v.threadHolds(start, l.Addr, end) {
				return false
			}
			s.Resyncs--
			if l.Type == "" {
				s.BadMaps--
			}
			s.Skipped -= l.Bytes
			s.Making += l.Bytes
			return true
		})
	}
}

// settleReturned counts skipped memory as an allocation area that a thread is about to give back. The area is
// gone from its allocator, and the free-space filler is not written yet
// (PagedSpaceAllocatorPolicy::FreeLinearAllocationAreaUnsynchronized @ 13.6, which waits for the lock of
// ThreadIsolation::LookupJitPage in between). The thread has the address and the size, or the end, on its stack
// or in registers.
func (b *builder) settleReturned() {
	left := maxReturned
	for i := range b.found {
		s := &b.found[i].stats
		s.Losses = slices.DeleteFunc(s.Losses, func(l page.Loss) bool {
			if l.Type != "" || left == 0 {
				return false
			}
			if left--; !b.v.threadReturns(l.Addr, l.Bytes) {
				return false
			}
			s.Resyncs--
			s.BadMaps--
			s.Skipped -= l.Bytes
			s.Unused += l.Bytes
			return true
		})
	}
}

// maxReturned bounds the places that are looked for on stacks: each thread has a few areas, and a
// damaged heap any number of places.
const maxReturned = 64

// threadReturns reports whether one thread has the address of an area and its size or end.
func (hs *Walker) threadReturns(at core.Addr, size uint64) bool {
	p, stacks := hs.Process, hs.StacksInUse()
	for _, t := range p.Threads {
		start, extent := false, false
		look := func(x uint64) {
			start = start || x == uint64(at)
			extent = extent || x == size || x == uint64(at)+size
		}
		for i := range p.Arch.RegNames {
			if x, ok := t.Regs.Get(i); ok {
				look(x)
			}
		}
		sp, _ := t.Regs.Get(p.Arch.SP)
		for _, r := range stacks {
			if core.Addr(sp) < r.Start || core.Addr(sp) >= r.End {
				continue
			}
			data, _ := hs.Space.Slice(r.Start, int(r.End-r.Start))
			for i := 0; i+8 <= len(data); i += 8 {
				look(hs.Order.Uint64(data[i:]))
			}
		}
		if start && extent {
			return true
		}
	}
	return false
}

// threadHolds reports whether a thread has the address of an object from start to end, tagged
// or not, in a register, or one from the first byte without an object on, at, on the part of
// its stack that is in use: words of objects that are whole are common there.
func (hs *Walker) threadHolds(start, at, end core.Addr) bool {
	within := func(x uint64, from core.Addr) bool {
		a := core.Addr(x)
		return a >= from && a < end && a&core.Addr(hs.SlotSize()-1) <= 1
	}
	p := hs.Process
	for _, t := range p.Threads {
		for i := range p.Arch.RegNames {
			if x, ok := t.Regs.Get(i); ok && within(x, start) {
				return true
			}
		}
	}
	for _, r := range hs.StacksInUse() {
		data, _ := hs.Space.Slice(r.Start, int(r.End-r.Start))
		for i := 0; i+8 <= len(data); i += 8 {
			if within(hs.Order.Uint64(data[i:]), at) {
				return true
			}
		}
	}
	return false
}
