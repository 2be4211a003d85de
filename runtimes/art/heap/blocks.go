package heap

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

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

// largeMap returns the parts of a LargeObjectMapSpace, an object each: the keys of a std::map,
// nodes {color, parent, left, right, key} in libstdc++ and {left, right,
// parent, color, key} in libc++, in order.
func (w *heapWalk) largeMap(s *Space) []part {
	a, word := w.a, core.Addr(w.a.PtrSize)
	at := s.Addr.Add(int64(a.Layout.Mirror.LargeObject.Map))
	root, left, right := at+word, core.Addr(0), word // libc++: {first node, root, count}
	if a.Layout.Library == layout.LibStdCxx {
		root, left, right = at+2*word, 2*word, 3*word // {compare, header{color, parent = root, …}}
	}
	node, ok := a.Pointer(root)
	var path []core.Addr
	var out []part
	for count := 0; ok && (node != 0 || len(path) > 0) && count < maxLarge; count++ {
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
		out = append(out, oneAt(key, key+core.Addr(max(w.sizeAt(key), object.Alignment)), 0))
		node, ok = a.Pointer(n + right)
	}
	if !ok {
		w.problem("%s: its map of objects at %v breaks off", s.Name, at)
	}
	return out
}

// sizeAt returns the size of the object at an address; 0 if there is none.
func (w *heapWalk) sizeAt(at core.Addr) uint64 {
	b := w.at(at, w.classHead())
	if len(b) < object.HeaderSize {
		return 0
	}
	if c := w.class(w.a.Order.Uint32(b)); c != nil {
		return w.a.SizeOf(b, c)
	}
	return 0
}

// largeList returns the parts of a FreeListSpace, an object each. It has AllocationInfos {prev_free_,
// alloc_size_} of 32 bits each, one for each page of the system. Only the entry for the first page of an object
// or hole counts.
func (w *heapWalk) largeList(s *Space) []part {
	a, l := w.a, &w.a.Layout.Mirror.LargeObject
	infos, ok1 := a.Pointer(s.Addr.Add(int64(l.AllocationInfo)))
	free, ok2 := a.Word(s.Addr.Add(int64(l.FreeEnd)))
	if !ok1 || !ok2 || free > uint64(s.End-s.Begin) {
		w.problem("%s: its list of objects cannot be read", s.Name)
		return nil
	}
	const isFree, flags, auxPageSize = 1 << 31, 3 << 30, 6 // AT_PAGESZ
	page := core.Addr(4096)
	if n, ok := a.Process.AuxValue(auxPageSize); ok && (n == 1<<14 || n == 1<<16) {
		page = core.Addr(n)
	}
	end := s.End - core.Addr(free)
	var out []part
	for p := s.Begin; p < end && len(out) < maxLarge; {
		v, ok := a.U32(infos + (p-s.Begin)/page*8 + 4)
		size := uint64(v&^flags) * uint64(page)
		if !ok || size == 0 || size > uint64(end-p) {
			w.problem("%s: the object or hole at %v of %d bytes cannot be", s.Name, p, size)
			break
		}
		if v&isFree == 0 {
			out = append(out, oneAt(p, p+core.Addr(size), p+core.Addr(size)))
		}
		p += core.Addr(size)
	}
	return out
}
