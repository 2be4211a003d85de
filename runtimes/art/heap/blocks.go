package heap

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// blocks visits the objects of a bump-pointer space: those of the main block,
// then of blocks that threads got, each of which ends where no class is. Until
// 13 a block has a header {size, unused} in front, from 14 on the sizes are in
// a deque.
func (w *heapWalk) blocks(s *Space) {
	l, a := &w.a.Layout.Mirror.BumpPointer, w.a
	if l.MainBlockSize == layout.Unknown {
		w.run(s.Begin, s.End)
		return
	}
	size, ok := a.Word(s.Addr.Add(int64(l.MainBlockSize)))
	if !ok || size > uint64(s.End-s.Begin) {
		w.problem("%s: its main block of %d bytes cannot be", s.Name, size)
		return
	}
	sizes, known := a.blockSizes(s)
	// Behind what the last collection compacted there may be a hole up to the
	// next page.
	w.run(s.Begin, s.Begin+core.Addr(size))
	if known && len(sizes) == 0 || l.BlockSizes == layout.Unknown && a.wordOrZero(s.Addr.Add(int64(l.NumBlocks))) == 0 {
		w.run(s.Begin+core.Addr(size), s.End)
		return
	}
	p, word := s.Begin+core.Addr(size), core.Addr(a.PtrSize)
	for i := 0; p < s.End && i < maxBumpBlocks && !w.stop(); i++ {
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
			return
		}
		w.run(p, p+core.Addr(block))
		p += core.Addr(block)
	}
}

func (w *Walker) wordOrZero(at core.Addr) uint64 {
	v, _ := w.Word(at)
	return v
}

// blockSizes reads block_sizes_, a std::deque of words. libc++ keeps {first,
// begin, end, capacity} of its pages of 4096 bytes, the index of the first
// element and the count; libstdc++ {map, pages} and two iterators {current,
// first, last, page} over pages of 512 bytes.
func (w *Walker) blockSizes(s *Space) ([]uint64, bool) {
	off := w.Layout.Mirror.BumpPointer.BlockSizes
	if off == layout.Unknown {
		return nil, false
	}
	at, word := s.Addr.Add(int64(off)), core.Addr(w.PtrSize)
	r := w.Cursor()
	var pages core.Addr
	var first, count, perPage uint64
	if w.Layout.Library == layout.LibCxx {
		pages, first, count, perPage = r.Pointer(at+word), r.Word(at+4*word), r.Word(at+5*word), 4096/uint64(w.PtrSize)
	} else {
		perPage = 512 / uint64(w.PtrSize)
		cur, page, pageAt := r.Pointer(at+2*word), r.Pointer(at+3*word), r.Pointer(at+5*word)
		end, endPage, endAt := r.Pointer(at+6*word), r.Pointer(at+7*word), r.Pointer(at+9*word)
		pages, first = pageAt, uint64(cur-page)/uint64(w.PtrSize)
		count = uint64(endAt-pageAt)/uint64(w.PtrSize)*perPage + uint64(end-endPage)/uint64(w.PtrSize) - first
	}
	if r.Err() != nil || count > maxBumpBlocks || first > maxBumpBlocks {
		return nil, false
	}
	var out []uint64
	for i := first; i < first+count; i++ {
		page := r.Pointer(pages + core.Addr(i/perPage)*word)
		out = append(out, r.Word(page+core.Addr(i%perPage)*word))
		if r.Err() != nil {
			return out, false
		}
	}
	return out, true
}

// largeMap visits the objects of a LargeObjectMapSpace: the keys of a std::map,
// nodes {color, parent, left, right, key} in libstdc++ and {left, right,
// parent, color, key} in libc++, in order.
func (w *heapWalk) largeMap(s *Space) {
	a, word := w.a, core.Addr(w.a.PtrSize)
	at := s.Addr.Add(int64(a.Layout.Mirror.LargeObject.Map))
	root, left, right := at+word, core.Addr(0), word // libc++: {first node, root, count}
	if a.Layout.Library == layout.LibStdCxx {
		root, left, right = at+2*word, 2*word, 3*word // {compare, header{color, parent = root, …}}
	}
	node, ok := a.Pointer(root)
	var path []core.Addr
	for count := 0; ok && (node != 0 || len(path) > 0) && count < maxLarge && !w.stop(); count++ {
		for node != 0 && ok && len(path) < 256 {
			path = append(path, node)
			node, ok = a.Pointer(node + left)
		}
		if len(path) == 0 || len(path) >= 256 {
			ok = false
			break
		}
		n := path[len(path)-1]
		path = path[:len(path)-1]
		key, got := a.Pointer(n + 4*word)
		if ok = ok && got; !ok {
			break
		}
		w.one(key, 0, 0, true)
		node, ok = a.Pointer(n + right)
	}
	if !ok {
		w.problem("%s: its map of objects at %v breaks off", s.Name, at)
	}
}

// largeList visits the objects of a FreeListSpace: AllocationInfos {prev_free_,
// alloc_size_} of 32 bits each, one for each page of the system, of which that of
// an object's or hole's first page counts.
func (w *heapWalk) largeList(s *Space) {
	a, l := w.a, &w.a.Layout.Mirror.LargeObject
	infos, ok1 := a.Pointer(s.Addr.Add(int64(l.AllocationInfo)))
	free, ok2 := a.Word(s.Addr.Add(int64(l.FreeEnd)))
	if !ok1 || !ok2 || free > uint64(s.End-s.Begin) {
		w.problem("%s: its list of objects cannot be read", s.Name)
		return
	}
	const isFree, flags, auxPageSize = 1 << 31, 3 << 30, 6 // AT_PAGESZ
	page := core.Addr(4096)
	if n, ok := a.Process.AuxValue(auxPageSize); ok && (n == 1<<14 || n == 1<<16) {
		page = core.Addr(n)
	}
	end := s.End - core.Addr(free)
	for p := s.Begin; p < end && !w.stop(); {
		v, ok := a.U32(infos + (p-s.Begin)/page*8 + 4)
		size := uint64(v&^flags) * uint64(page)
		if !ok || size == 0 || size > uint64(end-p) {
			w.problem("%s: the object or hole at %v of %d bytes cannot be", s.Name, p, size)
			return
		}
		if v&isFree == 0 {
			w.one(p, 0, p+core.Addr(size), true)
		}
		p += core.Addr(size)
	}
}
