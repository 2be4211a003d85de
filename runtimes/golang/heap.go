package golang

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
)

// The heap is spans of pages. A span is for objects of one size, or for stacks, or for work of the collector;
// mheap_.allspans lists all (runtime/mheap.go of Go 1.16 to 1.26: mheap, mspan). How a span looks is in its
// type descriptor. The list is a slice in the program's data, and is known by its elements.
const (
	spanPage   = 8192
	spanDead   = 0 // mSpanDead
	spanInUse  = 1 // mSpanInUse
	spanManual = 2 // mSpanManual
	maxSpans   = 1 << 26
	maxPages   = 1 << 35 // of a span
	arenaSize  = 64 << 20
	smallArena = 4 << 20 // where addresses have 32 bits

	// maxTriedSpans bounds how many elements are looked at to find the list.
	maxTriedSpans = 4 << 20
)

var (
	errNoSpan  = errors.New("the type descriptor of the heap's spans was not found")
	errNoSpans = errors.New("the list of the heap's spans was not found")
)

// A heapSpan is pages of the heap.
type heapSpan struct {
	span
	state uint8
	size  uint64    // of an object, in bytes; 0 for work of the collector
	count uint64    // objects
	at    core.Addr // of its record
}

// A spanReader reads spans.
type spanReader struct {
	*scheduler
	c      *core.Cursor
	fields structure
}

// spanReader finds the descriptor of runtime.mspan by the name of a field. The fields before that one are not needed.
func (s *scheduler) spanReader() (*spanReader, error) {
	const first = "startAddr"
	d := s.types
	x := &spanReader{scheduler: s, c: s.t.Process.Cursor()}
	var names []core.Addr
	for _, text := range s.texts(string(rune(len(first))) + first)[0] {
		names = append(names, text-1, text-2) // the flags before one byte of length, or two
	}
	s.references(names, func(at, name core.Addr) {
		if text, ok := d.name(name); x.fields == nil && ok && text == first {
			if fields := d.fields(at, maxFields); fields.has("npages", "allocCount", "state", "elemsize") {
				x.fields = fields
			}
		}
		d.c.Reset()
	})
	if x.fields == nil {
		return nil, errNoSpan
	}
	return x, nil
}

// read returns the span at an address.
func (x *spanReader) read(at core.Addr) (h heapSpan, ok bool) {
	c := x.c
	if at == 0 || at&(x.word-1) != 0 {
		return h, false
	}
	start, pages := c.Pointer(at+x.fields["startAddr"].off), c.Word(at+x.fields["npages"].off)
	h = heapSpan{at: at, state: c.U8(at + x.fields["state"].off), size: c.Word(at + x.fields["elemsize"].off),
		count: uint64(c.U16(at + x.fields["allocCount"].off))}
	if c.Reset() != nil || h.state > spanManual {
		return h, false
	}
	if h.state == spanDead {
		return h, true
	}
	h.span = span{start, start + core.Addr(pages)*spanPage}
	return h, start%spanPage == 0 && start != 0 && pages > 0 && pages < maxPages && h.end > start &&
		h.size <= pages*spanPage
}

// list returns all spans that are in use: the longest slice in the program's data whose elements are all spans.
func (x *spanReader) list(ctx context.Context) ([]heapSpan, error) {
	var best []heapSpan
	tried := 0
	x.words(func(list, n, room uint64) {
		at := core.Addr(list)
		if n == 0 || n > room || room > maxSpans || n <= uint64(len(best)) || at&(x.word-1) != 0 ||
			tried > maxTriedSpans || ctx.Err() != nil {
			return
		}
		var all []heapSpan
		for i := range core.Addr(n) {
			p := x.c.Pointer(at + i*x.word)
			readable := x.c.Reset() == nil
			h, ok := x.read(p)
			if !ok || !readable {
				tried += int(i) + 1
				return
			}
			if h.state != spanDead {
				all = append(all, h)
			}
		}
		if len(all) > len(best) {
			best = all
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if best == nil {
		return nil, errNoSpans
	}
	slices.SortFunc(best, func(a, b heapSpan) int { return cmp.Compare(a.start, b.start) })
	return best, nil
}

// OwnMemory implements runtimes.MemoryOwner: the spans of the heap, and the memory between them that the runtime keeps.
func (r *Runtime) OwnMemory(ctx context.Context) (*runtimes.Owned, error) {
	x, list, err := r.readSpans(ctx)
	if err != nil {
		return nil, err
	}
	return x.owned(list), nil
}

// readSpans reads the spans of the heap in order of address, and returns them with their reader.
func (r *Runtime) readSpans(ctx context.Context) (*spanReader, []heapSpan, error) {
	s, err := newScheduler(r.process)
	if err != nil {
		return nil, nil, err
	}
	x, err := s.spanReader()
	if err != nil {
		return nil, nil, err
	}
	list, err := x.list(ctx)
	return x, list, err
}

// owned returns the memory of arenas around spans, which are in order of address.
func (x *spanReader) owned(list []heapSpan) *runtimes.Owned {
	out, size := &runtimes.Owned{}, core.Addr(arenaSize)
	if x.word == 4 {
		size = smallArena
	}
	last, heap := core.Addr(0), uint64(0) // where what was added ends; bytes
	add := func(start, end core.Addr) {
		if start = max(start, last); start < end {
			out.Spans, heap, last = append(out.Spans, core.Segment{Start: start, End: end}), heap+uint64(end-start), end
		}
	}
	open := core.Addr(0) // the end of the memory around the last span
	for i := range list {
		h := &list[i]
		if h.start >= open {
			add(last, open)
			m, ok := x.t.Process.Mapping(h.start)
			if !ok || m.Prot&core.Write == 0 {
				continue
			}
			last, open = max(last, m.Start, h.start&^(size-1)), min(m.End, h.end.Align(uint64(size)))
			// the runtime's own mapping, which may end with arenas that have no span
			if m.Start.Align(uint64(size)) == m.Start {
				open = m.End
			}
		}
		if h.end > open {
			open = h.end
		}
		switch {
		case h.state == spanInUse:
			out.Used += min(h.size*h.count, uint64(h.end-h.start))
		case h.size != 0 && h.start >= last:
			add(last, h.start)
			out.Stacks, last = append(out.Stacks, core.Segment{Start: h.start, End: h.end}), h.end
		}
	}
	add(last, open)
	out.Free = heap - min(heap, out.Used)
	return out
}
