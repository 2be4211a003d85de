package heapsnapshot

import (
	"context"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// Addresses that nodes get in the graph: one after the other. Users do not see them.
const (
	base      core.Addr = 1 << 16
	spanNodes           = 1 << 16 // of one span
)

func addr(node int32) core.Addr { return base + heap.Alignment*core.Addr(node) }

// nodeAt is the reverse of addr.
func (s *Snapshot) nodeAt(at core.Addr) (int32, bool) {
	n := uint64(at-base) / heap.Alignment
	if at < base || n >= uint64(len(s.kind)) {
		return 0, false
	}
	return int32(n), true
}

// Len returns how many nodes there are, the root among them.
func (s *Snapshot) Len() int { return len(s.kind) }

// Spans returns the nodes in stretches.
func (s *Snapshot) Spans() []heap.Span {
	var out []heap.Span
	for n := 0; n < len(s.kind); n += spanNodes {
		out = append(out, heap.Span{Start: addr(int32(n)), End: addr(int32(min(n+spanNodes, len(s.kind))-1)) +
			heap.Alignment})
	}
	return out
}

// Reader returns a reader, which caches results about the names of edges.
func (s *Snapshot) Reader() heap.Reader {
	return &edgeReader{Snapshot: s, internal: s.edge.flags("internal"), weak: s.edge.flags("weak"),
		shortcut: s.edge.flags("shortcut"),
		tables:   map[uint32]uint64{}}
}

// An edgeReader reads nodes and edges.
type edgeReader struct {
	*Snapshot
	internal, weak, shortcut []bool
	// by name of an edge: the id of the table of the ephemeron, 0 if it is none
	tables map[uint32]uint64
}

// Objects visits the nodes of a stretch.
func (r *edgeReader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	for n := span * spanNodes; n < min((span+1)*spanNodes, len(r.kind)); n++ {
		visit(addr(int32(n)), r.size[n], r.typ[n])
	}
}

// External returns nothing: what is outside the heap has nodes of its own.
func (r *edgeReader) External(core.Addr, int32) uint64 { return 0 }

// Edges visits what a node keeps alive, as DevTools has it: all that is not weak, but
// for shortcuts, which other edges lead along, and for the values of ephemerons,
// which are kept by their keys.
func (r *edgeReader) Edges(at core.Addr, _ uint64, _ int32, visit func(from, to core.Addr)) {
	n, ok := r.nodeAt(at)
	if !ok {
		return
	}
	for e := r.first[n]; e < r.first[n+1]; e++ {
		if r.keeps(n, e) {
			visit(at, addr(r.to[e]))
		}
	}
}

// keeps reports whether an edge of a node keeps what it leads to.
func (r *edgeReader) keeps(n int32, e uint32) bool {
	k := r.edgeKind[e]
	switch {
	case r.weak[k]:
		return false
	case r.shortcut[k]:
		return n == 0 // marks the global objects of programs
	case r.internal[k]:
		t := r.table(r.edgeName[e])
		return t == 0 || t != r.id[n]
	}
	return true
}

// ephemeron is how V8 names both edges to the value of an entry of a WeakMap.
var ephemeron = regexp.MustCompile(`part of key \(.*? @\d+\) -> value \(.*? @\d+\) pair in WeakMap \(table @(\d+)\)$`)

// table returns the id of the table of the ephemeron that an edge's name mentions, or 0.
func (r *edgeReader) table(name uint32) uint64 {
	id, ok := r.tables[name]
	if !ok {
		if text := r.stringAt(name); strings.Contains(text, "pair in WeakMap") {
			if m := ephemeron.FindStringSubmatch(text); m != nil {
				id, _ = strconv.ParseUint(m[1], 10, 64)
			}
		}
		r.tables[name] = id
	}
	return id
}

// Roots visits what the root leads to.
func (s *Snapshot) Roots(ctx context.Context, _ func(core.Addr) bool, visit func(heap.Root)) error {
	r := s.Reader().(*edgeReader)
	for e := s.first[0]; e < s.first[1]; e++ {
		if e&0xfffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.keeps(0, e) {
			visit(heap.Root{Kind: "root of the snapshot", Target: addr(s.to[e])})
		}
	}
	return nil
}

// Damage returns nil: a snapshot that cannot be read whole is refused.
func (s *Snapshot) Damage() *heap.Damage { return nil }

// Shown returns the id of a node.
func (s *Snapshot) Shown(at core.Addr) core.Addr {
	if n, ok := s.nodeAt(at); ok {
		return core.Addr(s.id[n])
	}
	return 0
}

// Start returns the address of the node with an id, 0 if there is none.
func (s *Snapshot) Start(id core.Addr) core.Addr {
	i := sort.Search(len(s.byID), func(i int) bool { return s.id[s.byID[i]] >= uint64(id) })
	if i < len(s.byID) && s.id[s.byID[i]] == uint64(id) {
		return addr(s.byID[i])
	}
	return 0
}

// Type describes a class.
func (s *Snapshot) Type(t int32, _ core.Addr) heap.Type { return s.classes[t] }

// nameClasses gives each node a class, as DevTools sums them up
// (HeapSnapshotNode.className).
func (s *Snapshot) nameClasses() {
	named := s.node.flags("object", "native")
	s.typ = make([]int32, len(s.kind))
	byKind, byName := map[uint8]int32{}, map[uint64]int32{}
	add := func(t heap.Type) int32 {
		s.classes = append(s.classes, t)
		return int32(len(s.classes) - 1)
	}
	for n, k := range s.kind {
		if !named[k] {
			t, ok := byKind[k]
			if !ok {
				t = add(kindType(s.node.kinds[k]))
				byKind[k] = t
			}
			s.typ[n] = t
			continue
		}
		key := uint64(k)<<32 | uint64(s.name[n])
		t, ok := byName[key]
		if !ok {
			name := s.stringAt(s.name[n])
			t = add(heap.Type{Class: name, Internal: strings.HasPrefix(name, "system / ")})
			byName[key] = t
		}
		s.typ[n] = t
	}
}

// kindType is the class of all nodes of one type.
func kindType(kind string) heap.Type {
	switch kind {
	case "closure":
		return heap.Type{Class: "Function"}
	case "regexp":
		return heap.Type{Class: "RegExp"}
	case "code":
		return heap.Type{Class: "(compiled code)", Internal: true, Late: true, Program: true}
	case "hidden":
		return heap.Type{Class: "(system)", Internal: true, Late: true, Program: true}
	}
	return heap.Type{Class: "(" + kind + ")", Internal: true, Program: kind == "object shape",
		Late: slices.Contains([]string{"synthetic", "object shape"}, kind)}
}
