package heap

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// A partKind is how the objects of a part are found.
type partKind uint8

const (
	runPart    partKind = iota // one after the other
	markedPart                 // by a bitmap and the allocation stacks
	onePart                    // there is one, or none
)

// A part is a stretch of a space whose objects can be found without the rest of it.
type part struct {
	start, end core.Addr
	kind       partKind
	limit      core.Addr // that objects may reach to; 0 if that is not known
	marks      bitmap
	marked     bool // there is a bitmap
}

// parts returns the parts of a space in the order of its own lists.
func (w *heapWalk) parts(s *Space) []part {
	if s.Problem != "" {
		w.problem("%s: %s", s.Name, s.Problem)
		return nil
	}
	l := &w.a.Layout.Mirror
	switch s.Kind {
	case RegionSpace:
		return w.regions(s)
	case BumpPointerSpace:
		return w.blocks(s)
	case ImageSpace:
		begin := s.Begin + core.Addr(l.ImageHeader.Size+object.Alignment-1)&^(object.Alignment-1)
		return []part{runOf(begin, s.End)}
	case LargeMapSpace:
		return w.largeMap(s)
	case LargeListSpace:
		return w.largeList(s)
	case DlMallocSpace, RosAllocSpace, ZygoteSpace:
		b, ok := w.a.bitmapOf(s.Addr, l.Space.LiveBitmap)
		if !ok {
			w.problem("%s: its live bitmap cannot be read", s.Name)
		}
		if w.h.stackBy != nil {
			w.problem("%s: %v", s.Name, w.h.stackBy)
		}
		return []part{markedIn(s.Begin, s.End, b, ok)}
	}
	w.problem("%s: a space of an unknown kind is not walked", s.Name)
	return nil
}

func runOf(start, end core.Addr) part {
	return part{start: start, end: end, kind: runPart, limit: end}
}

func oneAt(start, end, limit core.Addr) part {
	return part{start: start, end: end, kind: onePart, limit: limit}
}

func markedIn(start, end core.Addr, marks bitmap, known bool) part {
	return part{start: start, end: end, kind: markedPart, limit: end, marks: marks, marked: known}
}

// walk visits the objects of a part.
func (w *heapWalk) walk(p *part) {
	switch p.kind {
	case runPart:
		w.run(p.start, p.end)
	case markedPart:
		w.marked(p)
	case onePart:
		w.one(p.start, 0, p.limit, true)
		w.stop()
	}
}

// space visits the objects of a space.
func (w *heapWalk) space(s *Space) {
	for _, p := range w.parts(s) {
		if w.walk(&p); w.done {
			return
		}
	}
}

// around visits the objects of the part of a space that holds an address.
func (w *heapWalk) around(s *Space, near core.Addr) {
	for _, p := range w.parts(s) {
		if near < p.start || near >= p.end {
			continue
		}
		if w.walk(&p); w.done {
			return
		}
	}
}

// States and types of regions (runtime/gc/space/region_space.h).
const (
	regionFree      = 0
	regionAllocated = 1
	regionLarge     = 2
	regionLargeTail = 3
)

// regions returns the parts of a region space.
func (w *heapWalk) regions(s *Space) []part {
	l := &w.a.Layout.Mirror
	n, ok1 := w.a.Word(s.Addr.Add(int64(l.RegionSpace.NumRegions)))
	array, ok2 := w.a.Pointer(s.Addr.Add(int64(l.RegionSpace.Regions)))
	if !ok1 || !ok2 || n > maxRegions {
		w.problem("%s: its %d regions at %v cannot be", s.Name, n, array)
		return nil
	}
	marks, known := w.a.bitmapOf(s.Addr, l.RegionSpace.MarkBitmap)
	r := w.a.Cursor()
	var out []part
	last := s.Begin // regions follow one another
	for i := range n {
		at := array.Add(int64(i) * int64(l.Region.Size))
		begin, end := r.Pointer(at.Add(int64(l.Region.Begin))), r.Pointer(at.Add(int64(l.Region.End)))
		top, live := r.Pointer(at.Add(int64(l.Region.Top))), r.Word(at.Add(int64(l.Region.LiveBytes)))
		state := r.U8(at.Add(int64(l.Region.State)))
		if err := r.Reset(); err != nil {
			w.problem("%s: region %d: %v", s.Name, i, err)
			return out
		}
		if begin < last || end > s.Limit || begin > end || top < begin || state > regionLargeTail {
			w.problem("%s: region %d at %v cannot be: %v to %v, top %v, state %d", s.Name, i, at, begin,
				end, top, state)
			continue
		}
		last = end
		none := uint64(1)<<(8*w.a.PtrSize-1)<<1 - 1 // live_bytes_ of a region that was not collected
		used := min(top, end)
		switch {
		case state == regionLarge:
			limit := min(max(top, end), s.Limit)
			out = append(out, oneAt(begin, limit, limit))
		case state != regionAllocated:
		case live != none && live != uint64(top-begin) && known:
			out = append(out, markedIn(begin, used, marks, true))
		default:
			out = append(out, runOf(begin, used))
		}
	}
	return out
}

// blocks returns the parts of a bump-pointer space: the main block, then blocks that threads got. Each ends
// where no class is. Until 13 a block has a header {size, unused} in front, from 14 on the sizes are in a
// deque.
func (w *heapWalk) blocks(s *Space) []part {
	l, a := &w.a.Layout.Mirror.BumpPointer, w.a
	if l.MainBlockSize == layout.Unknown {
		return []part{runOf(s.Begin, s.End)}
	}
	size, ok := a.Word(s.Addr.Add(int64(l.MainBlockSize)))
	if !ok || size > uint64(s.End-s.Begin) {
		w.problem("%s: its main block of %d bytes cannot be", s.Name, size)
		return nil
	}
	sizes, known := a.blockSizes(s)
	// After what the last collection compacted there may be a hole up to the
	// next page.
	p, word := s.Begin+core.Addr(size), core.Addr(a.PtrSize)
	out := []part{runOf(s.Begin, p)}
	if known && len(sizes) == 0 || l.BlockSizes == layout.Unknown && a.wordOrZero(s.Addr.Add(int64(l.NumBlocks))) == 0 {
		return append(out, runOf(p, s.End))
	}
	for i := 0; p < s.End && i < maxBumpBlocks; i++ {
		var block uint64
		switch {
		case !known:
			block = a.wordOrZero(p)
			p += 2 * word
		case i < len(sizes):
			block = sizes[i]
		}
		if block == 0 || p > s.End || block > uint64(s.End-p) {
			w.problem("%s: block %d at %v of %d bytes cannot be", s.Name, i, p, block)
			break
		}
		out = append(out, runOf(p, p+core.Addr(block)))
		p += core.Addr(block)
	}
	return out
}
