package page

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// A Page is a chunk of memory that holds objects of one space: a page of 256
// KiB, or more for a single large object.
type Page struct {
	Start, End core.Addr // the chunk, End exclusive
	// Area is where objects lie.
	AreaStart, AreaEnd core.Addr
	Flags              uint64    // MemoryChunk::Flag
	Heap               core.Addr // the Heap that owns it; 0 for read-only pages
	Owner              core.Addr // the Space; 0 if unknown
	Space              string    // as V8 names spaces: "old_space"
	// Large is set if the page holds one object.
	Large bool
	// FromSpace is set for the half of the young generation that was
	// evacuated, and for FreedPages: what it holds is dead, or a copy.
	FromSpace bool
	// Evacuating is set for that half while a collection is under way in it:
	// what was not moved yet is live, or not known to be dead.
	Evacuating bool

	Head core.Addr // the chunk or its metadata
}

// Limits for the headers of pages, which a core may have wrong.
const (
	maxPageHeader = 32 << 10
	maxPageSize   = 1 << 40
	maxPages      = 1 << 22
)

// pageFinder finds pages by probing the start of every chunk of the core.
type pageFinder struct {
	v      *Reader
	layout layout.Page
	spaces map[core.Addr]string
}

// FindPages returns the pages of all heaps of the process in order of address.
// Reservations of V8 are large and nearly empty: chunks are probed one by one.
func (hs *Reader) FindPages(ctx context.Context) (pages []Page, err error) {
	chunks, err := hs.chunks(ctx)
	if err != nil {
		return nil, err
	}
	hs.Space.Scattered(func() { pages, err = hs.probePages(ctx, chunks) })
	return pages, err
}

// probePages returns the chunks that are pages.
func (hs *Reader) probePages(ctx context.Context, chunks []core.Addr) ([]Page, error) {
	f := &pageFinder{v: hs, spaces: map[core.Addr]string{}}
	best := 0
	for _, l := range layout.Pages {
		trial := pageFinder{v: hs, layout: l}
		n := 0
		for _, c := range chunks {
			if _, ok := trial.page(c); ok {
				n++
			}
		}
		if n > best {
			best, f.layout = n, l
		}
	}
	if best == 0 {
		return nil, ctx.Err()
	}
	heaps := f.heaps(chunks)
	var out []Page
	for _, c := range chunks {
		p, ok := f.page(c)
		if !ok || p.Heap != 0 && !heaps[p.Heap] {
			continue
		}
		if p.Heap == 0 && !f.startsWithObject(p) {
			continue
		}
		if n := len(out); n > 0 && p.Start < out[n-1].End {
			continue // inside a large object
		}
		f.name(&p)
		out = append(out, p)
		if len(out) >= maxPages {
			break
		}
	}
	f.nameByNumber(out)
	return out, nil
}

// chunks returns where pages may start: each multiple of a page's size in
// readable memory of the core that no file backs.
func (hs *Reader) chunks(ctx context.Context) ([]core.Addr, error) {
	var out []core.Addr
	for i, s := range hs.Space.Segments() {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if s.Kind != core.SegCore {
			continue
		}
		layout.EachChunk(s, func(a core.Addr) bool {
			out = append(out, a)
			return len(out) < maxPages
		})
	}
	return out, nil
}

// page reads the header of the chunk at a. It accepts what fits together: an
// area within the chunk, and for the chunk's metadata a way back.
func (f *pageFinder) page(a core.Addr) (Page, bool) {
	l := &f.layout
	hs := f.v
	head := a
	var b [128]byte
	if !hs.Bytes(b[:24], a) {
		return Page{}, false
	}
	if l.Metadata != 0 {
		m := hs.metadata(b[l.Metadata:])
		if m == 0 || m&7 != 0 || m>>48 != 0 {
			return Page{}, false
		}
		head = m
	}
	p := Page{Start: a, Head: head, Flags: hs.Order.Uint64(b[l.Flags:])}
	if !hs.Bytes(b[:], head) {
		return Page{}, false
	}
	word := func(off int) core.Addr { return core.Addr(hs.Order.Uint64(b[off:])) }
	size := uint64(word(l.Size))
	p.Heap, p.AreaStart, p.AreaEnd = word(l.Heap), word(l.AreaStart), word(l.AreaEnd)
	switch {
	// A read-only page has given up its reservation.
	case l.Metadata != 0 && word(8) != a && (word(8) != 0 || p.Heap != 0),
		size < 4096 || size > maxPageSize || size&7 != 0,
		p.AreaStart <= a || p.AreaStart > a+maxPageHeader || p.AreaStart&core.Addr(hs.SlotSize()-1) != 0,
		p.AreaEnd < p.AreaStart || p.AreaEnd > a+core.Addr(size) || p.AreaEnd&core.Addr(hs.SlotSize()-1) != 0,
		// After the area is a guard at most: any other word may look like a
		// size, a pointer into the low memory of an image that does not move too.
		uint64(a+core.Addr(size)-p.AreaEnd) >= l.Bytes(),
		p.Heap&7 != 0 || p.Heap>>48 != 0 || p.Heap >= a && p.Heap < a+core.Addr(size):
		return Page{}, false
	}
	if size > l.Bytes() {
		// A large page must end in mapped memory, even if the core leaves some of it out.
		if _, ok := hs.Space.Find(p.AreaEnd - 8); !ok {
			return Page{}, false
		}
	}
	p.End = a + core.Addr(size)
	p.Large = size > l.Bytes() || p.Flags>>48 == 0 && f.largeBySize(p, size)
	p.FromSpace = p.Flags&layout.PageFrom != 0 && p.Flags&layout.PageTo == 0
	return p, true
}

// metadata returns the address of a page's metadata from a field of the page, which is an index with the
// sandbox; 0 if it has no metadata.
func (hs *Reader) metadata(field []byte) core.Addr {
	if hs.Sandbox == nil || hs.Sandbox.PageMetadata == nil {
		return core.Addr(hs.Order.Uint64(field))
	}
	at, _ := hs.Sandbox.PageMetadata(hs.Order.Uint32(field))
	return at
}

// largeBySize recognizes the page of a large object by its size. It equals the object's size, and no page of
// many objects has it.
func (f *pageFinder) largeBySize(p Page, size uint64) bool {
	return size != f.layout.Bytes() && p.Heap != 0
}

// heaps returns the heaps that own pages. A heap counts if more than one page names it, or if the isolate of a
// thread is near it.
func (f *pageFinder) heaps(chunks []core.Addr) map[core.Addr]bool {
	count := map[core.Addr]int{}
	for _, c := range chunks {
		if p, ok := f.page(c); ok && p.Heap != 0 {
			count[p.Heap]++
		}
	}
	out := map[core.Addr]bool{}
	for h, n := range count {
		// The Heap is a member of the Isolate: memory that can be read.
		if _, ok := f.v.Word(h); ok && n > 1 {
			out[h] = true
		}
	}
	return out
}

// startsWithObject reports whether the page starts with an object that has a valid map: pages of the shared
// read-only heap name no heap.
func (f *pageFinder) startsWithObject(p Page) bool {
	_, ok := f.v.InstanceType(layout.Tag(p.AreaStart))
	return ok
}

// HeapsOfPages returns the heaps that own pages, in order of their first.
func (hs *Reader) HeapsOfPages() []core.Addr {
	pages, err := hs.FindPages(context.Background())
	if err != nil {
		return nil
	}
	var list []core.Addr
	seen := map[core.Addr]bool{}
	for i := range pages {
		if h := pages[i].Heap; h != 0 && !seen[h] {
			seen[h] = true
			list = append(list, h)
		}
	}
	return list
}

// IsolateOf returns the isolate that a heap belongs to: the one of a thread
// that begins below it and nearest. Where no thread's is known, V8's own code
// says how far below it begins.
func (hs *Reader) IsolateOf(heap core.Addr) core.Addr {
	var best core.Addr
	for _, t := range hs.Process.Threads {
		if i, ok := hs.objects.Isolate(t); ok && i <= heap && heap-i < code.MaxIsolate && i > best {
			best = i
		}
	}
	if hs.Sandbox != nil {
		for _, i := range hs.Sandbox.Isolates {
			if i <= heap && heap-i < code.MaxIsolate && i > best {
				best = i
			}
		}
	}
	if best == 0 {
		if off, ok := hs.HeapOffset(); ok && off < heap {
			best = heap - off
		}
	}
	return best
}

// An Index finds the page of an address.
type Index []Page

// At returns the page that holds the address a.
func (x Index) At(a core.Addr) (*Page, bool) {
	i, ok := x.IndexOf(a)
	if !ok {
		return nil, false
	}
	return &x[i], true
}

// IndexOf returns the index of the page that holds the address a.
func (x Index) IndexOf(a core.Addr) (int, bool) {
	i, found := slices.BinarySearchFunc(x, a, func(p Page, a core.Addr) int { return cmp.Compare(p.Start, a) })
	if !found {
		i--
	}
	return i, i >= 0 && a < x[i].End
}

// SkipFault returns where memory of the core goes on after the fault at a, at
// most end.
func (hs *Reader) SkipFault(a, end core.Addr) core.Addr {
	next := (a + layout.PageSize) &^ (layout.PageSize - 1)
	if s, ok := hs.Space.Find(a); ok && (s.Kind == core.SegGap) {
		next = s.End
	} else if !ok {
		segs := hs.Space.Segments()
		i, _ := slices.BinarySearchFunc(segs, a,
			func(s core.Segment, a core.Addr) int { return cmp.Compare(s.Start, a) })
		next = end
		if i < len(segs) {
			next = segs[i].Start
		}
	}
	return min(max(next, a+8), end)
}
