package leaks

import (
	"cmp"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A stretch is a region of an allocator, with where its chunks begin by page.
type stretch struct {
	*block.Region
	heap  *block.Heap
	base  int     // the number of the first chunk
	pages []int32 // the last chunk that begins at a page's start or before; -1 for none
}

const pageShift = 12

// An index finds blocks by address.
type index struct {
	all       []stretch
	low, high core.Addr
	count     int
}

func newIndex(heaps []*block.Heap) *index {
	x := &index{low: ^core.Addr(0)}
	for _, h := range heaps {
		for i := range h.Regions {
			if r := &h.Regions[i]; len(r.Chunks) > 0 {
				x.all = append(x.all, stretch{Region: r, heap: h})
			}
		}
	}
	slices.SortStableFunc(x.all, func(a, b stretch) int { return cmp.Compare(a.Start, b.Start) })
	for i := range x.all {
		s := &x.all[i]
		s.base = x.count
		x.count += len(s.Chunks)
		x.low, x.high = min(x.low, s.Start), max(x.high, s.End)
		if !s.Mapped {
			s.pages = pagesOf(s.Region)
		}
	}
	return x
}

// pagesOf returns the last chunk before each page of a region.
func pagesOf(r *block.Region) []int32 {
	n := int((r.End-r.Start)>>pageShift) + 1
	pages := make([]int32, 0, min(n, 8*len(r.Chunks)+1))
	k := int32(-1)
	for at := r.Start; at < r.End && len(pages) < cap(pages); at += 1 << pageShift {
		for int(k)+1 < len(r.Chunks) && r.Chunks[k+1].At <= at {
			k++
		}
		pages = append(pages, k)
	}
	return pages
}

// stretchOf returns the number of the stretch that holds an address; -1 for none. The last one is tried first.
func (x *index) stretchOf(a core.Addr, last int) int {
	if s := &x.all[last]; a >= s.Start && a < s.End {
		return last
	}
	i := sort.Search(len(x.all), func(i int) bool { return x.all[i].Start > a }) - 1
	if i < 0 || a >= x.all[i].End {
		return -1
	}
	return i
}

// find returns the number of the chunk in use that holds an address; -1 for none.
func (x *index) find(a core.Addr, last *int) int {
	if a < x.low || a >= x.high {
		return -1
	}
	i := x.stretchOf(a, *last)
	if i < 0 {
		return -1
	}
	*last = i
	s := &x.all[i]
	from, to := 0, len(s.Chunks)
	if page := int((a - s.Start) >> pageShift); page < len(s.pages) {
		from = max(int(s.pages[page]), 0)
		if page+1 < len(s.pages) {
			to = min(to, int(s.pages[page+1])+1)
		}
	}
	for from < to { // the first chunk after a
		if mid := (from + to) / 2; s.Chunks[mid].At <= a {
			from = mid + 1
		} else {
			to = mid
		}
	}
	if from == 0 {
		return -1
	}
	p := &s.Chunks[from-1]
	if a >= p.End() || p.State() != block.Used {
		return -1
	}
	return s.base + from - 1
}

// chunk returns a chunk by its number.
func (x *index) chunk(id int) *block.Packed {
	i := sort.Search(len(x.all), func(i int) bool { return x.all[i].base > id }) - 1
	return &x.all[i].Chunks[id-x.all[i].base]
}
