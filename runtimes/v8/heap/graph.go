package heap

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/reference"
)

// A source is the heaps of a process as a graph: an object's type is its map.
type source struct {
	h         *Snapshot
	kinds     edgeKinds
	constants []layout.Area // read-only pages, which are never freed
	external  map[core.Addr]uint64
	buffer    int // the type of ArrayBuffers, which are in external
}

// Graph makes the graph of all heaps of the process, once.
func (h *Snapshot) Graph(ctx context.Context) (*graph.Graph, error) {
	return h.graph.Graph(ctx, func(context.Context) (graph.Source, error) {
		s := newSource(h)
		s.external = externalBytes(h)
		return s, nil
	})
}

// Sample returns the classes of objects on some pages, by size.
func Sample(ctx context.Context, h *Snapshot) ([]graph.Class, error) {
	return graph.Sample(ctx, newSource(h))
}

// newSource returns the source of a graph of all heaps of the process, without bytes outside the heaps.
func newSource(h *Snapshot) *source {
	s := &source{h: h, kinds: h.edgeKinds(), buffer: h.v.TypeNumber("JS_ARRAY_BUFFER_TYPE")}
	for i := range h.Pages {
		if p := &h.Pages[i]; p.Space == "read_only_space" {
			s.constants = append(s.constants, layout.Area{Start: p.AreaStart, End: p.AreaEnd})
		}
	}
	return s
}

// Path returns a way from a root to o, o last: a shortest one from the strongest roots,
// without feedback and code in between if there is one; false if there is none.
func (h *Snapshot) Path(ctx context.Context, o layout.Tagged) (Root, []layout.Tagged, bool, error) {
	g, err := h.Graph(ctx)
	if err != nil {
		return Root{}, nil, false, err
	}
	id, ok := g.ID(o.Addr())
	if !ok {
		return Root{}, nil, false, nil
	}
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return Root{}, nil, false, err
	}
	r := ways[0].Root
	path := make([]layout.Tagged, len(ways[0].Objects))
	for i, x := range ways[0].Objects {
		path[i] = layout.Tag(g.Addr(x))
	}
	return Root{Kind: RootKind(r.Kind), Name: r.Name, Place: r.Place, Thread: r.Thread, Code: r.Code,
			Target: layout.Tag(r.Target)},
		path, true, nil
}

// Spans returns the pages; evacuated pages have no objects.
func (s *source) Spans() []graph.Span {
	out := make([]graph.Span, len(s.h.Pages))
	for i := range s.h.Pages {
		p := &s.h.Pages[i]
		out[i] = graph.Span{Start: p.AreaStart, End: p.AreaEnd, Short: s.h.v.Compressed()}
	}
	return out
}

// Reader returns a reader of pages.
func (s *source) Reader() graph.Reader {
	return &graphReader{source: s, w: page.NewWalker(s.h.v.Reader, s.h.Maps, s.h.Gaps), maps: s.h.Maps.Listed()}
}

// A graphReader reads objects of pages, mostly one page after the other.
type graphReader struct {
	*source
	w    *page.Walker
	maps []*page.MapInfo
	page *page.Page
	data []byte // of page, from its first object on
	// protos records, for each map looked up, whether its objects are prototypes.
	protos map[int32]protos
}

// Objects visits the objects of a page.
func (r *graphReader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	p := &r.h.Pages[span]
	if p.FromSpace {
		return
	}
	r.w.Objects(p, func(a core.Addr, m *page.MapInfo, size int, _ []byte) { visit(a, uint64(size), m.ID) })
}

// External returns the bytes of an ArrayBuffer, for the first that has them.
func (r *graphReader) External(at core.Addr, typ int32) uint64 {
	if int(typ) < len(r.maps) && r.maps[typ].Typ != r.buffer {
		return 0
	}
	return r.external[at]
}

// bytes returns the bytes of the object at at.
func (r *graphReader) bytes(at core.Addr, size uint64) []byte {
	if r.page == nil || at < r.page.AreaStart || at >= r.page.AreaEnd {
		p, ok := PageIndex(r.h.Pages).At(at)
		if !ok {
			return nil
		}
		r.page = p
		r.data, _ = r.h.v.Space.Slice(p.AreaStart, int(p.AreaEnd-p.AreaStart))
	}
	off := uint64(at - r.page.AreaStart)
	if off <= uint64(len(r.data)) && size <= uint64(len(r.data))-off {
		return r.data[off : off+size]
	}
	data, _ := core.ReadBytes(r.h.v.Space, at, size) // a page that is in the core in parts
	return data
}

// Edges visits what an object keeps alive.
func (r *graphReader) Edges(at core.Addr, size uint64, typ int32, visit func(from, to core.Addr)) {
	if int(typ) >= len(r.maps) {
		return
	}
	m := r.maps[typ]
	r.h.eachEdge(&r.kinds, at, m.Typ, r.bytes(at, size), func(e wordEdge) {
		if e.strength == edgeStrong && !r.constant(e.to.Addr()) {
			visit(e.from, e.to.Addr())
		}
	})
}

// constant reports whether a is on a read-only page: objects there live without references to them.
func (s *source) constant(a core.Addr) bool {
	for _, c := range s.constants {
		if a >= c.Start && a < c.End {
			return true
		}
	}
	return false
}

// Roots visits what refers to objects from outside the heaps.
func (s *source) Roots(ctx context.Context, reached func(core.Addr) bool, visit func(graph.Root)) error {
	if err := s.readOnlyRoots(visit); err != nil {
		return err
	}
	f := rootFinder{h: s.h, looked: map[core.Addr]bool{}}
	if err := f.findTraced(ctx); err != nil {
		return err
	}
	for _, find := range []func(context.Context, func(Root)) error{f.handles, f.tables, f.scopes, f.frames, f.isolates,
		f.tracedRoots, f.stacks, f.helpers, f.memory} {
		err := find(ctx, func(x Root) {
			r := graph.Root{Kind: string(x.Kind), Name: x.Name, Place: x.Place, Thread: x.Thread, Code: x.Code,
				Target: x.Target.Addr()}
			switch x.Kind {
			case RootIsolate, RootCache, RootCompilation:
				r.Rank = graph.Engine
			case RootFrame, RootScope:
				r.Rank = graph.Calling
			case RootTraced:
				r.Strength = graph.Traced
			case RootStack:
				r.Strength, r.Rank = graph.Stacked, graph.Calling
			}
			if x.Helping || x.Kind == RootMemory {
				r.Strength = graph.Loose
				if reached(r.Target) {
					return
				}
			}
			visit(r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readOnlyRoots visits all objects of read-only pages, which nothing needs to keep.
func (s *source) readOnlyRoots(visit func(graph.Root)) error {
	r := s.Reader()
	for i := range s.h.Pages {
		if s.h.Pages[i].Space == "read_only_space" {
			r.Objects(i, func(at core.Addr, _ uint64, _ int32) {
				visit(graph.Root{Kind: "read-only", Rank: graph.Engine, Target: at})
			})
		}
	}
	return nil
}

// Type describes the objects of a map.
func (s *source) Type(t int32, first core.Addr) graph.Type {
	hs := s.h.v
	m := s.h.Maps.List[t]
	o := layout.Tag(first)
	if !m.Receiver {
		class, late := s.h.TypeClass(m.Typ, o), s.kinds.unnamed.Has(m.Typ)
		return graph.Type{Class: class, Internal: true, Late: late, Program: late || class == "(object shape)"}
	}
	c := graph.Type{Class: s.h.describe(m, o).Constructor}
	if fn, _, err := hs.objects.Constructor(o); err == nil && fn != 0 {
		if f, err := hs.objects.Function(fn); err == nil && f.File != "" && f.Name == c.Class {
			at := hs.objects.OriginalOf(f)
			c.Place = graph.Place{File: at.File, Line: at.Line}
		}
	}
	return c
}

// Damage says what walking the pages did not understand.
func (s *source) Damage() *graph.Damage {
	st := &s.h.Stats
	d := &graph.Damage{Missing: st.Missing, Skipped: st.Skipped, Doubtful: s.h.Doubtful}
	for i := range s.h.Pages {
		d.Total += uint64(s.h.Pages[i].AreaEnd - s.h.Pages[i].AreaStart)
	}
	for _, c := range s.h.Collections {
		d.Notes = append(d.Notes, fmt.Sprintf("a %s was under way: figures of moving objects are uncertain", c.Kind))
	}
	if d.Missing == 0 && d.Skipped == 0 && d.Doubtful == 0 && len(d.Notes) == 0 {
		return nil
	}
	return d
}

// Shown returns the tagged address.
func (s *source) Shown(at core.Addr) core.Addr { return layout.Tag(at).TaggedAddr() }

// Start takes either.
func (s *source) Start(a core.Addr) core.Addr {
	if layout.Tagged(a).IsHeap() {
		return layout.Tagged(a).Addr()
	}
	return a
}

// References visits all references of an object, weak ones too.
func (s *source) References(at core.Addr, size uint64, visit func(graph.Edge)) {
	o := layout.Tag(at)
	typ, ok := s.h.v.InstanceType(o)
	if !ok {
		return
	}
	r := s.Reader().(*graphReader)
	s.h.eachEdge(&s.kinds, at, typ, r.bytes(at, size), func(e wordEdge) {
		if e.from != at {
			return
		}
		x := reference.Word{Holder: o, Offset: e.offset, Type: typ, Target: e.to, Weak: e.strength == edgeWeak}
		visit(graph.Edge{Reference: s.referenceOf(x), To: e.to.Addr(), Weak: x.Weak})
	})
}

// Steps describes a way.
func (s *source) Steps(path []core.Addr) []graph.Step {
	objects := make([]layout.Tagged, len(path))
	for i, a := range path {
		objects[i] = layout.Tag(a)
	}
	steps := make([]graph.Step, len(path))
	for i, x := range s.h.Steps(objects) {
		steps[i] = graph.Step{Class: x.Class, Reference: x.Reference}
		if r := &steps[i].Reference; r.Kind == graph.Variable && i > 0 {
			r.Place = s.h.variablePlace(objects[i-1], r.Name)
		}
	}
	return steps
}

// Describe says what an object is.
func (s *source) Describe(at core.Addr) string {
	o := layout.Tag(at)
	if s.h.v.objects.IsString(o) {
		return s.h.names.Brief(o)
	}
	if f, err := s.h.v.objects.Function(o); err == nil {
		text := strings.TrimSpace(s.h.names.ClassOn(o, graph.Reference{}) + " " + f.Name)
		if f.File != "" {
			at := s.h.v.objects.OriginalOf(f)
			text += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
		}
		return text
	}
	class := s.h.names.ClassOn(o, graph.Reference{})
	if n, ok := countOf(s.h, o); ok {
		class = fmt.Sprintf("%s(%d)", class, n)
	}
	return class
}

// FunctionOf says which function an object is, or which one it runs.
func (s *source) FunctionOf(at core.Addr) (name string, place graph.Place, ok bool) {
	hs, o := s.h.v, layout.Tag(at)
	if !hs.IsFunction(o) {
		if hs.objects.KindOf(o, s.h.names.ShapeOf(o)) != object.KindGenerator {
			return "", place, false
		}
		if o, ok = hs.Field(o, hs.Layout.JSGeneratorObject.Function); !ok {
			return "", place, false
		}
	}
	f, err := hs.objects.Function(o)
	if err != nil {
		return "", place, true
	}
	return f.Name, graph.Place{File: strings.TrimPrefix(f.File, "file://"), Line: f.Line}, true
}

// externalBytes returns the bytes of the backing stores of ArrayBuffers, each for the
// first buffer that has it.
func externalBytes(h *Snapshot) map[core.Addr]uint64 {
	out := map[core.Addr]uint64{}
	h.EachBuffer(func(a, _ core.Addr, bytes uint64) { out[a] = bytes })
	return out
}

// countOf returns how many elements an array or a collection has.
func countOf(h *Snapshot, o layout.Tagged) (int, bool) {
	hs := h.v
	switch k := hs.objects.KindOf(o, h.names.ShapeOf(o)); k {
	case object.KindArray:
		if n, ok := hs.Field(o, hs.Layout.JSArray.Length); ok && n.IsSmi() {
			return int(n.Smi()), true
		}
	case object.KindMap, object.KindSet:
		if t, ok := hs.Field(o, hs.Layout.JSCollection.Table); ok {
			if n, ok := hs.objects.WordAt(t, 0); ok && n.IsSmi() {
				return int(n.Smi()), true
			}
		}
	}
	return 0, false
}

// referenceOf says how an object refers to another.
func (s *source) referenceOf(x reference.Word) graph.Reference {
	if x.Offset != 0 {
		if r, ok := s.h.names.Explain(x, x, nil); ok && r.Kind != reference.Internal {
			return r.Reference
		}
	}
	return s.h.names.PartOf(x)
}
