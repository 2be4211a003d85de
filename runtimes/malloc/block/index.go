package block

import (
	"sort"

	"coredbg/core"
)

// A stretch is a region of an allocator, with where its chunks begin by page.
type stretch struct {
	*Region
	base  int     // the number of the first chunk
	pages []int32 // the last chunk that begins at a page's start or before; -1 for none
}

const pageShift = 12

// An Index finds blocks of several heaps by address. Their numbers are dense, in order of address.
type Index struct {
	all       []stretch
	low, high core.Addr
	count     int
}

// NewIndex returns an Index of the chunks of heaps. A region that overlaps another one's is left out.
func NewIndex(heaps []*Heap) *Index {
	x := &Index{low: ^core.Addr(0)}
	for _, h := range heaps {
		for i := range h.Regions {
			if r := &h.Regions[i]; len(r.Chunks) > 0 {
				x.all = append(x.all, stretch{Region: r})
			}
		}
	}
	x.all = Separate(x.all, func(s stretch) Span { return Span{s.Start, s.End} })
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
func pagesOf(r *Region) []int32 {
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
func (x *Index) stretchOf(a core.Addr, last int) int {
	if s := &x.all[last]; a >= s.Start && a < s.End {
		return last
	}
	i := sort.Search(len(x.all), func(i int) bool { return x.all[i].Start > a }) - 1
	if i < 0 || a >= x.all[i].End {
		return -1
	}
	return i
}

// Find returns the number of the chunk in use that holds an address; -1 if there is none. Last speeds up the
// next search; it begins as 0.
func (x *Index) Find(a core.Addr, last *int) int {
	if len(x.all) == 0 || a < x.low || a >= x.high {
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
	if a >= p.limit() || p.State() != Used {
		return -1
	}
	return s.base + from - 1
}

// Chunk returns a chunk by its number.
func (x *Index) Chunk(id int) *Packed {
	i := sort.Search(len(x.all), func(i int) bool { return x.all[i].base > id }) - 1
	return &x.all[i].Chunks[id-x.all[i].base]
}

// Rounded reports whether the size of a chunk is one of a few classes (Region.Rounded).
func (x *Index) Rounded(id int) bool {
	i := sort.Search(len(x.all), func(i int) bool { return x.all[i].base > id }) - 1
	return x.all[i].Rounded
}

// Len returns how many chunks there are, free ones included.
func (x *Index) Len() int { return x.count }

// Bounds returns the range that holds all chunks.
func (x *Index) Bounds() (low, high core.Addr) { return x.low, x.high }

// Regions calls visit for each region, with the number of its first chunk.
func (x *Index) Regions(visit func(r *Region, first int)) {
	for i := range x.all {
		visit(x.all[i].Region, x.all[i].base)
	}
}

// Each calls visit for each chunk in use, in order of address, until it returns false.
func (x *Index) Each(visit func(id int, p *Packed) bool) {
	for i := range x.all {
		s := &x.all[i]
		for k := range s.Chunks {
			if p := &s.Chunks[k]; p.State() == Used && !visit(s.base+k, p) {
				return
			}
		}
	}
}
