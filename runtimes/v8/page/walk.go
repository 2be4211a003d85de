package page

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Stats says how well objects could be separated. Sizes are in bytes.
type Stats struct {
	Pages   int
	Objects int
	Bytes   uint64 // of objects
	Free    uint64 // between objects: fillers and free lists
	Unused  uint64 // linear allocation areas that were handed out and not used yet
	Making  uint64 // of objects that a thread was making
	// Skipped is what had to be searched for the next object, Resyncs how
	// often, and BadMaps how often because of a first word that is not a map.
	Skipped          uint64
	Resyncs, BadMaps int
	Missing          uint64 // bytes that the core does not have
	Forwarded        int    // objects that a collection was moving
	// Losses are the first places where the next object had to be searched for.
	Losses []Loss
}

// A Loss is a stretch whose objects could not be separated.
type Loss struct {
	Addr  core.Addr
	Bytes uint64
	// Type is the instance type at the start of the stretch, or "" if its first word is not a map. Before is
	// the type of the object before it.
	Type, Before string
}

// maxLosses bounds the list of losses of one walk.
const maxLosses = 1 << 10

// Add adds the figures of another walk.
func (s *Stats) Add(o *Stats) {
	s.Pages += o.Pages
	s.Objects += o.Objects
	s.Bytes += o.Bytes
	s.Free += o.Free
	s.Unused += o.Unused
	s.Making += o.Making
	s.Skipped += o.Skipped
	s.Resyncs += o.Resyncs
	s.BadMaps += o.BadMaps
	s.Missing += o.Missing
	s.Forwarded += o.Forwarded
	s.Losses = append(s.Losses, o.Losses[:min(len(o.Losses), maxLosses-len(s.Losses))]...)
}

// A Walker finds the objects of pages, one page after the other.
type Walker struct {
	v     *Reader
	maps  *MapTable
	gaps  map[core.Addr]core.Addr    // unused areas, start to end
	local map[layout.Tagged]*MapInfo // nil for words that are not maps
	holes map[layout.Tagged]bool     // constants, and whether they are the hole or its kin
	last  [recentMaps]*MapInfo
	head  objectHead // of the object whose size is asked for
	Stats Stats
	votes *ruleVotes // set while rules are learned
	// Varied, if it is set, gets the types whose objects have no fixed size.
	Varied *TypeSet
	// The callbacks of Objects, Blocks and Moves; nil if the walk is for another of them.
	visit   func(a core.Addr, m *MapInfo, size int, data []byte)
	each    func(a core.Addr, m *MapInfo, size int) bool
	moved   func(from, to core.Addr, size int)
	stopped bool // each has ended the walk
}

const (
	recentMaps = 1 << 8
	// maxLocalMaps bounds the words that a walker remembers not to be maps.
	maxLocalMaps = 1 << 18
)

// NewWalker returns a walker of pages.
func NewWalker(hs *Reader, maps *MapTable, gaps map[core.Addr]core.Addr) *Walker {
	return &Walker{v: hs, maps: maps, gaps: gaps, local: map[layout.Tagged]*MapInfo{},
		holes: map[layout.Tagged]bool{}}
}

// MapAt returns the map that a first word names, or nil. The bits of real maps
// are checked before any table is asked.
func (w *Walker) MapAt(word layout.Tagged) *MapInfo {
	if !w.v.IsReference(word) {
		return nil
	}
	slot := &w.last[word>>4%recentMaps]
	if *slot != nil && (*slot).Word == word {
		return *slot
	}
	m, ok := w.local[word]
	if !ok {
		if len(w.local) > maxLocalMaps {
			clear(w.local)
		}
		m = w.maps.find(word)
		w.local[word] = m
	}
	if m != nil {
		*slot = m
	}
	return m
}

// SizeOf returns the bytes of the object whose bytes begin data, or 0.
func (w *Walker) SizeOf(m *MapInfo, data []byte) int {
	if m.Size > 0 {
		return m.Size
	}
	if w.Varied != nil {
		w.Varied.Add(m.Typ)
	}
	w.head = objectHead{v: w.v, data: data, near: m.Word.Addr()}
	n := w.head.size(w.maps.rules[m.Typ])
	if n < w.v.SlotSize() || n > maxObjectSize {
		return 0
	}
	return n
}

// Objects visits the objects of a page in order of address. The bytes of each are data, cut off where the
// core ends, and for large objects after the first words.
func (w *Walker) Objects(p *Page, visit func(a core.Addr, m *MapInfo, size int, data []byte)) {
	w.visit = visit
	w.Walk(p)
	w.visit = nil
}

// Blocks visits the objects and the free blocks of a page in order of address, until visit returns false.
func (w *Walker) Blocks(p *Page, visit func(a core.Addr, m *MapInfo, size int) bool) {
	w.each = visit
	w.Walk(p)
	w.each, w.stopped = nil, false
}

// Moves visits the objects of a page that a collection has moved, with where they were and where they are.
func (w *Walker) Moves(p *Page, visit func(from, to core.Addr, size int)) {
	w.moved = visit
	w.Walk(p)
	w.moved = nil
}

// Walk walks a page for its figures: see Stats.
func (w *Walker) Walk(p *Page) {
	w.Stats.Pages++
	if p.Large {
		w.walkLarge(p)
		return
	}
	for at := p.AreaStart; at < p.AreaEnd && !w.stopped; {
		data, err := w.v.Space.Slice(at, int(p.AreaEnd-at))
		data = data[:len(data)&^(w.v.SlotSize()-1)]
		w.walkRun(at, data)
		at += core.Addr(len(data))
		if err == nil || at >= p.AreaEnd {
			return
		}
		// The rest of the page is in the core in parts, or not at all.
		next := min((at+layout.PageSize).Align(1)&^(layout.PageSize-1), p.AreaEnd)
		if w.guarded(at) {
			w.Stats.Unused += uint64(next - at)
		} else {
			w.Stats.Missing += uint64(next - at)
		}
		at = next
	}
}

// guarded reports whether a page was mapped without any access. V8 does so with the page after the maps of
// holes and of WebAssembly's null, so that code that takes one for an object crashes (objects/hole.h,
// wasm/wasm-objects.h @ 14.6).
func (w *Walker) guarded(at core.Addr) bool {
	m, ok := w.v.Process.Mapping(at)
	return ok && m.Prot == 0
}

// walkLarge visits the one object of a large page.
func (w *Walker) walkLarge(p *Page) {
	var head [128]byte
	n, _ := w.v.Space.ReadAt(head[:min(len(head), int(min(p.AreaEnd-p.AreaStart, 128)))], p.AreaStart)
	size := int(p.AreaEnd - p.AreaStart)
	if n < 16 {
		w.Stats.Missing += uint64(size)
		return
	}
	m := w.MapAt(w.v.Tagged(head[:], p.AreaStart))
	if m == nil {
		w.Stats.BadMaps++
		w.lost(p.AreaStart, size, nil, nil)
		return
	}
	if own := w.SizeOf(m, head[:n]); own > 0 && own <= size {
		w.Stats.Free += uint64(size - own) // an array that was cut short
		size = own
	}
	w.found(p.AreaStart, m, size, head[:n])
}

func (w *Walker) found(a core.Addr, m *MapInfo, size int, data []byte) {
	if w.each != nil && !w.each(a, m, size) {
		w.stopped = true
	}
	if m.Free {
		w.Stats.Free += uint64(size)
		return
	}
	w.Stats.Objects++
	w.Stats.Bytes += uint64(size)
	if w.visit != nil {
		w.visit(a, m, size, data)
	}
}

// walkRun visits the objects in data, the memory at start.
func (w *Walker) walkRun(start core.Addr, data []byte) {
	order, compressed := w.v.Order, w.v.Compressed() // this is where time goes
	var before *MapInfo
	for off := 0; off < len(data) && !w.stopped; {
		at := start + core.Addr(off)
		if end, ok := w.gaps[at]; ok {
			n := min(int(end-at), len(data)-off)
			w.Stats.Unused += uint64(n)
			off += n
			continue
		}
		var word layout.Tagged
		if compressed {
			word = w.v.Tagged(data[off:], at)
		} else {
			word = layout.Tagged(order.Uint64(data[off:]))
		}
		m := w.MapAt(word)
		if m == nil && word != 0 && word.IsSmi() {
			to := w.v.Forwarded(word, at)
			if n := w.forwarded(to); n > 0 && off+n <= len(data) {
				w.Stats.Forwarded++
				w.Stats.Free += uint64(n)
				if w.moved != nil {
					w.moved(at, to.Addr(), n)
				}
				off += n
				continue
			}
		}
		size := 0
		if m != nil {
			if w.votes != nil && m.Size == 0 {
				w.vote(m, at, data[off:])
			}
			size = w.SizeOf(m, data[off:])
		}
		if size == 0 || off+size > len(data) {
			if word == 0 && unwritten(data[off:]) {
				w.Stats.Unused += uint64(len(data) - off)
				return
			}
			if m == nil {
				w.Stats.BadMaps++
			}
			n := w.resync(start, data, off)
			w.lost(at, n, m, before)
			off += n
			continue
		}
		w.found(at, m, size, data[off:off+size])
		off += size
		before = m
	}
}

// unwritten reports whether rest is all zeros: memory that V8 has not used since it was mapped. Allocation
// areas at the end of a page whose limits are kept elsewhere look like this.
func unwritten(rest []byte) bool {
	for _, b := range rest {
		if b != 0 {
			return false
		}
	}
	return true
}

// lost notes that the n bytes at a are not objects that are known.
func (w *Walker) lost(a core.Addr, n int, m, before *MapInfo) {
	w.Stats.Resyncs++
	w.Stats.Skipped += uint64(n)
	if len(w.Stats.Losses) >= maxLosses {
		return
	}
	l := Loss{Addr: a, Bytes: uint64(n)}
	if m != nil {
		l.Type = w.v.Types.Name(m.Typ)
	}
	if before != nil {
		l.Before = w.v.Types.Name(before.Typ)
	}
	w.Stats.Losses = append(w.Stats.Losses, l)
}

// forwarded returns the size of an object whose first word is where a
// collection has moved it to, or 0.
func (w *Walker) forwarded(object layout.Tagged) int {
	to, ok := w.v.Field(object, 0)
	if !ok || !w.v.IsReference(object) {
		return 0
	}
	m := w.MapAt(to)
	if m == nil {
		return 0
	}
	if m.Size > 0 {
		return m.Size
	}
	// The object may be at the end of memory: the first words are enough.
	data, _ := core.ReadBytes(w.v.Space, object.Addr(), 128)
	return w.SizeOf(m, data)
}

// resync returns the offset of the next object after off: a word that is a map, with a size that ends where
// another object begins.
func (w *Walker) resync(start core.Addr, data []byte, off int) int {
	for n := w.v.SlotSize(); off+n < len(data); n += w.v.SlotSize() {
		if _, ok := w.gaps[start+core.Addr(off+n)]; ok {
			return n
		}
		m := w.MapAt(w.v.Tagged(data[off+n:], start))
		if m == nil {
			continue
		}
		size := w.SizeOf(m, data[off+n:])
		if size > 0 && w.begins(start, data, off+n+size) {
			return n
		}
	}
	return len(data) - off
}

// begins reports whether an object, an unused area or nothing at all begins at
// off.
func (w *Walker) begins(start core.Addr, data []byte, off int) bool {
	if off >= len(data) {
		return off == len(data)
	}
	if w.MapAt(w.v.Tagged(data[off:], start)) != nil {
		return true
	}
	_, ok := w.gaps[start+core.Addr(off)]
	return ok
}

// EachPage calls do for each number below pages, on all processors. begin returns a worker's walker.
func EachPage(ctx context.Context, pages int, begin func() *Walker, do func(w *Walker, page int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		w := begin()
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= pages {
				return
			}
			do(w, i)
			core.ReportProgress(ctx, "reading the heap", done.Add(1), int64(pages))
		}
	}
	for range min(runtime.GOMAXPROCS(0), max(pages, 1)) {
		wg.Go(func() {
			if err := core.Guard(work); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
