package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java/query"
)

// A graphReader reads objects of parts, for one goroutine. It allocates nothing for an
// object.
type graphReader struct {
	s     *Source
	w     *heapWalk
	near  [512]*kind // by class
	kinds graph.TypeView[core.Addr, kind]
	query.Fields
}

// Reader returns a reader of parts.
func (s *Source) Reader() graph.Reader {
	return &graphReader{s: s, w: s.h.newWalk(context.Background(), nil),
		kinds:  graph.TypeView[core.Addr, kind]{Types: &s.kinds},
		Fields: query.Fields{Heap: s.h.w.JavaHeap()}}
}

// Objects visits the objects of a part.
func (r *graphReader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	p, w := &r.s.parts[span], r.w
	w.Walked, w.done = Walked{}, false
	var classes []core.Addr
	last := p.start
	w.visit = func(o object.Object, size uint64) bool {
		k := r.kind(o.Class)
		if o.Class.Flags&object.FlagClass != 0 {
			classes = append(classes, o.Addr)
		}
		last = o.Addr + core.Addr(size)
		visit(o.Addr, size, k.number)
		return true
	}
	w.walk(p)
	if len(classes) > 0 || w.Moved > 0 || len(w.Bad) > 0 || len(w.Problems) > 0 {
		r.s.note(p, w, classes, last)
	}
}

// note keeps what a walk met; last is where its last object ends.
func (s *Source) note(p *part, w *heapWalk, classes []core.Addr, last core.Addr) {
	if w.Moved > 0 {
		s.moved.Store(true)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.classes = append(s.classes, classes...)
	s.walked.Moved += w.Moved
	if len(s.walked.Bad) < maxBad {
		s.walked.Bad = append(s.walked.Bad, w.Bad...)
	}
	if len(s.walked.Problems) < maxBad {
		s.walked.Problems = append(s.walked.Problems, w.Problems...)
	}
	if len(w.Bad) == 0 || p.kind == markedPart || last >= p.end {
		return
	}
	at := w.Bad[len(w.Bad)-1].Addr
	if len(w.at(at, object.HeaderSize)) < object.HeaderSize {
		s.missing += uint64(p.end - at)
	} else {
		s.skipped += uint64(p.end - at)
	}
}

// kind returns the kind of a class.
func (r *graphReader) kind(c *object.Class) *kind {
	slot := &r.near[c.Addr/object.Alignment%core.Addr(len(r.near))]
	if *slot == nil || (*slot).class != c {
		*slot = r.s.kinds.Get(c.Addr, func(n int32) *kind { return r.s.h.w.newKind(c, n) })
	}
	return *slot
}

// External returns nothing: what objects own outside is not known.
func (r *graphReader) External(core.Addr, int32) uint64 { return 0 }

// Edges visits what an object refers to strongly, its class first, unless that is a root
// anyway: half of all references would be such.
func (r *graphReader) Edges(at core.Addr, size uint64, typ int32, visit func(from, to core.Addr)) {
	k := r.kinds.Of(typ)
	if k == nil {
		return
	}
	if !k.rooted {
		visit(at, k.class.Addr)
	}
	if !k.has {
		return
	}
	if r.s.moved.Load() {
		straight := visit
		visit = func(from, to core.Addr) { straight(from, r.forward(to)) }
	}
	if k.array {
		r.elements(at, size, visit)
		return
	}
	b := r.w.at(at, int(min(size, maxObjectBytes)))
	for _, off := range k.strong {
		if int(off)+4 <= len(b) {
			if to := r.w.u32(b[off:]); to != 0 {
				visit(at, core.Addr(to))
			}
		}
	}
	switch {
	case k.class.Flags&object.FlagClass != 0:
		for _, off := range r.s.h.w.StaticReferences(r.s.h.w.ClassAt(at)) {
			if to, ok := r.s.h.w.Ref(at + core.Addr(off)); ok && to != 0 {
				visit(at, to)
			}
		}
	case k.class.Flags&object.FlagClassLoader != 0:
		for _, c := range r.s.KeptBy(at) {
			visit(at, c)
		}
	}
}

// maxObjectBytes bounds the fields of an object that are read at once.
const maxObjectBytes = 1 << 18

// elements visits the references of an array.
func (r *graphReader) elements(at core.Addr, size uint64, visit func(from, to core.Addr)) {
	b := r.w.at(at, object.HeaderSize+4)
	if len(b) < object.HeaderSize+4 {
		return
	}
	const chunk = 16 << 10
	n := uint64(r.w.u32(b[object.HeaderSize:]))
	begin := at + object.ArrayData(4)
	end := min(begin+core.Addr(4*n), at+core.Addr(size))
	for p := begin; p < end; {
		want := int(min(end-p, chunk))
		b := r.w.at(p, want)
		if len(b) < 4 {
			p = (p + core.TracePage) &^ (core.TracePage - 1) // what is after it may be there
			continue
		}
		b = b[:min(len(b), want)]
		for ; len(b) >= 4; b, p = b[4:], p+4 {
			if to := r.w.u32(b); to != 0 {
				visit(at, core.Addr(to))
			}
		}
	}
}

// forward returns where a collection under way has moved an object to.
func (r *graphReader) forward(to core.Addr) core.Addr {
	if b := r.w.at(to, object.HeaderSize); len(b) >= object.HeaderSize {
		if lock := object.LockWord(r.w.u32(b[4:])); lock.State() == object.Forwarded {
			return lock.Forward()
		}
	}
	return to
}
