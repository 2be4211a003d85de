package heapsnapshot

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// A Schema is what the snapshots of a version of V8 have.
type Schema struct {
	NodeFields []string // "type", "name", …
	NodeTypes  []string // of nodes, in the order of NodeType
	Extra      bool     // extra_native_bytes
}

// A NodeType is the type of a node; HeapGraphNode::Type of include/v8-profiler.h.
type NodeType uint8

// The types of nodes, which have not changed but that later versions have more.
const (
	Hidden NodeType = iota
	Array
	String
	Object
	Code
	Closure
	RegExp
	Number
	Native
	Synthetic
	ConcatenatedString
	SlicedString
	Symbol
	BigInt
	ObjectShape
)

// An EdgeType is the type of an edge; HeapGraphEdge::Type.
type EdgeType uint8

// The types of edges.
const (
	ContextEdge EdgeType = iota
	ElementEdge
	PropertyEdge
	InternalEdge
	HiddenEdge
	ShortcutEdge
	WeakEdge
)

// A Name is the string of a node or of edges. It keeps its number in the first snapshot that it is used
// for. An Exporter has a Name for each string that it uses again and again.
type Name struct {
	Text string
	n    uint32 // 0 if it is not known yet
}

// An Edge is a reference as snapshots have it.
type Edge struct {
	Type  EdgeType
	Name  *Name // of types other than ElementEdge and HiddenEdge
	Index int   // of these
	From  core.Addr
	To    core.Addr
}

// An Exporter describes the objects of a graph as snapshots do.
type Exporter interface {
	// Schema returns the schema of the engine's version.
	Schema() Schema
	// Node returns the type and the name of an object, and the size of it that counts. The
	// name is good until the next call.
	Node(at core.Addr, size uint64, typ int32) (t NodeType, name *Name, counted uint64)
	// Edges calls visit for all references of an object, weak ones too. If an object keeps a reference
	// on behalf of another one, From is the other object. The names of edges are valid until visit
	// returns.
	Edges(at core.Addr, size uint64, typ int32, visit func(Edge))
	// Held names the synthetic node that refers to all objects of a type; "" for most.
	Held(typ int32) string
	// Keeper reports whether objects of a type keep references on behalf of others.
	Keeper(typ int32) bool
	// External names what an object owns outside the heap, and how it refers to it.
	External() (name, reference string)
	// Roots names the synthetic node for roots of a kind: "(Global handles)".
	Roots(kind string) string
	// Global returns the object of the program's own that a root stands for: the
	// global object of a realm. Tools measure distances from these, and hold to be
	// the program's what is reachable from them.
	Global(at core.Addr, typ int32) (core.Addr, bool)
}

// maxName is how much of a string is written, in bytes: V8 cuts at 1024 characters.
const maxName = 1024

// A writer writes a snapshot.
type writer struct {
	g      *heap.Graph
	ids    *heap.Locator
	x      Exporter
	schema Schema
	fields []uint8 // of nodes
	nodes  *spool
	edges  *spool
	buf    []byte
	node   []int32 // of each object; 0 for objects that are left out
	first  int     // node of the first object
	texts  *texts
	late   map[core.Addr][]Edge // of objects, from other objects
	owners []heap.ID            // objects that own something outside the heap
	after  int                  // the node of the first memory that they own
	store  Name                 // of these nodes
	owned  Name                 // of the edges to them
	kinds  []rootNode
	global []heap.ID // what roots stand for, once each
	count  struct{ nodes, edges int }
	id     uint64 // of the last node

	// The current object, its node, the number of its edges so far, and the function that visits them.
	from    core.Addr
	current int
	degree  int
	visit   func(Edge)
}

// A rootNode is a synthetic node below "(GC roots)".
type rootNode struct {
	name    string
	targets []heap.ID
}

// Write writes a graph as a heap snapshot: the objects that certain roots and words of stacks lead to,
// each with its address and 1 as its id, and the memory that it owns outside the heap with its address
// and 2. The number of edges comes first and is known only at the end: until then nodes and edges are
// kept in temporary files.
func Write(ctx context.Context, w io.Writer, g *heap.Graph, x Exporter) error {
	nodes, err := newSpool()
	if err != nil {
		return err
	}
	defer nodes.f.Close()
	edges, err := newSpool()
	if err != nil {
		return err
	}
	defer edges.f.Close()
	s := &writer{g: g, ids: g.Locator(), x: x, schema: x.Schema(), nodes: nodes, edges: edges, texts: newTexts(),
		late: map[core.Addr][]Edge{}}
	defer s.texts.close()
	s.fields = fieldsOf(s.schema)
	s.store.Text, s.owned.Text = x.External()
	s.visit = func(e Edge) {
		if e.From == s.from {
			s.edgeOf(&e)
		}
	}
	if err := s.all(ctx); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, spoolSize)
	s.head(out)
	for _, part := range []struct {
		name  string
		write func(context.Context, io.Writer) error
	}{{"nodes", s.writeNodes}, {"edges", s.writeEdges}} {
		fmt.Fprintf(out, "%q:[", part.name)
		if err := out.Flush(); err != nil {
			return err
		}
		if err := part.write(ctx, w); err != nil {
			return err
		}
		io.WriteString(out, "],\n")
	}
	io.WriteString(out, "\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"locations\":[],\n")
	if err := s.writeStrings(out); err != nil {
		return err
	}
	return out.Flush()
}

// all keeps nodes and edges.
func (s *writer) all(ctx context.Context) error {
	s.roots()
	s.first = 2 + len(s.kinds)
	s.node = make([]int32, s.g.Len())
	next := s.first
	for id := range s.node {
		if s.g.Reachable(heap.ID(id), heap.Stacked) {
			s.node[id] = int32(next)
			next++
			if s.g.External(heap.ID(id)) > 0 {
				s.owners = append(s.owners, heap.ID(id))
			}
		}
	}
	s.after = next
	if next += len(s.owners); next > math.MaxInt32/len(s.schema.NodeFields) {
		return heap.ErrTooLarge
	}
	if err := s.ephemerons(ctx); err != nil {
		return err
	}
	s.rootNodes()
	s.g.Each(func(id heap.ID, at core.Addr) bool {
		if id&0xffff == 0 {
			core.ReportProgress(ctx, "writing the snapshot", int64(id), int64(len(s.node)))
		}
		if s.node[id] != 0 {
			s.object(id, at)
		}
		return id&0xffff != 0 || ctx.Err() == nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, id := range s.owners {
		s.row(Native, &s.store, uint64(s.g.Addr(id))|2, s.g.External(id), 0)
	}
	return nil
}

// ephemerons finds the references that objects keep on behalf of others: rows of edges
// are in order of nodes.
func (s *writer) ephemerons(ctx context.Context) error {
	for id, n := range s.node {
		if id&0xfffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		typ := s.g.TypeNumber(heap.ID(id))
		if n == 0 || !s.x.Keeper(typ) {
			continue
		}
		at := s.g.Addr(heap.ID(id))
		s.x.Edges(at, s.g.Size(heap.ID(id)), typ, func(e Edge) {
			if e.From != at {
				s.late[e.From] = append(s.late[e.From], e)
			}
		})
	}
	return nil
}

// roots sorts the roots by kind.
func (s *writer) roots() {
	known := map[string]int{}
	add := func(name string, id heap.ID) {
		k, ok := known[name]
		if !ok {
			k = len(s.kinds)
			known[name] = k
			s.kinds = append(s.kinds, rootNode{name: name})
		}
		t := &s.kinds[k].targets
		if n := len(*t); n == 0 || (*t)[n-1] != id {
			*t = append(*t, id)
		}
	}
	for _, r := range s.g.AllRoots() {
		id, ok := s.g.ID(r.Target)
		if !ok || r.Strength > heap.Stacked || !s.g.Matters(&r) {
			continue
		}
		add(s.x.Roots(r.Kind), id)
		if at, ok := s.x.Global(r.Target, s.g.TypeNumber(id)); ok {
			if global, ok := s.g.ID(at); ok && s.g.Reachable(global, heap.Stacked) &&
				!slices.Contains(s.global, global) {
				s.global = append(s.global, global)
			}
		}
	}
	held := map[int32]string{}
	for id := range heap.ID(s.g.Len()) {
		if !s.g.Reachable(id, heap.Stacked) {
			continue
		}
		typ := s.g.TypeNumber(id)
		name, ok := held[typ]
		if !ok {
			name = s.x.Held(typ)
			held[typ] = name
		}
		if name != "" {
			add(name, id)
		}
	}
}

// rootNodes writes the root, its children, and the nodes of roots.
func (s *writer) rootNodes() {
	none := &Name{}
	s.row(Synthetic, none, 1, 0, 1+len(s.global))
	s.edge(ElementEdge, none, 1, 1)
	for i, id := range s.global {
		s.edge(ShortcutEdge, &Name{Text: strconv.Itoa(2 + i)}, 0, int(s.node[id]))
	}
	s.lastOf()
	s.row(Synthetic, &Name{Text: "(GC roots)"}, 3, 0, len(s.kinds))
	for i := range s.kinds {
		s.edge(ElementEdge, none, i, 2+i)
	}
	s.lastOf()
	for i, k := range s.kinds {
		s.row(Synthetic, &Name{Text: k.name}, uint64(5+2*i), 0, len(k.targets))
		for n, id := range k.targets {
			s.edge(InternalEdge, &Name{Text: strconv.Itoa(n + 1)}, 0, int(s.node[id]))
		}
		s.lastOf()
	}
}

// object writes a node and its edges.
func (s *writer) object(id heap.ID, at core.Addr) {
	size, typ := s.g.Size(id), s.g.TypeNumber(id)
	s.from, s.degree = at, 0
	s.x.Edges(at, size, typ, s.visit)
	if len(s.late) > 0 {
		for _, e := range s.late[at] {
			s.edgeOf(&e)
		}
	}
	if i, ok := slices.BinarySearch(s.owners, id); ok {
		s.edge(InternalEdge, &s.owned, 0, s.after+i)
		s.degree++
	}
	s.lastOf()
	t, name, counted := s.x.Node(at, size, typ)
	s.row(t, name, uint64(at)|1, counted, s.degree)
}

// edgeOf writes an edge of the object that is being written, if what it leads to is among
// the nodes.
func (s *writer) edgeOf(e *Edge) {
	if to, ok := s.ids.ID(e.To); ok && s.node[to] != 0 {
		s.edge(e.Type, e.Name, e.Index, int(s.node[to]))
		s.degree++
	}
}
