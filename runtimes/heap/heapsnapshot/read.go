package heapsnapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// A Snapshot is a heap snapshot, in columns.
type Snapshot struct {
	src   core.Source
	node  columns
	edge  columns
	text  []int64  // where each string begins: its quote
	extra uint64   // bytes of the engine that no node has
	kind  []uint8  // of each node
	name  []uint32 // a string
	id    []uint64
	size  []uint64
	first []uint32 // of its edges; one more than there are nodes
	typ   []int32  // number of its class

	edgeKind []uint8
	edgeName []uint32 // a string or an index
	to       []int32  // a node

	numbered []bool  // by type of edge: edgeName is an index
	byID     []int32 // nodes in order of id
	classes  []heap.Type
}

// Limits of numbers.
const (
	maxNodes = math.MaxInt32 - 1
	maxEdges = math.MaxUint32 - 1
)

// prefix is the start of a snapshot, except for white space.
const prefix = `{"snapshot"`

// Is reports whether a file looks like a heap snapshot.
func Is(src core.Source) bool {
	s := scanner{src: src}
	for i := range len(prefix) {
		if i < 2 {
			s.space()
		}
		if s.next() != prefix[i] {
			return false
		}
	}
	return s.space() == ':'
}

// Read reads a heap snapshot and checks all its indices. The Snapshot reads strings from src. The error
// comes from ctx or the source, or is a core.FormatError.
func Read(ctx context.Context, src core.Source) (*Snapshot, error) {
	r := reader{Snapshot: &Snapshot{src: src}, s: scanner{src: src}, ctx: ctx}
	if err := r.read(); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("heap snapshot: %w", err)
	}
	return r.Snapshot, nil
}

// A reader fills a Snapshot.
type reader struct {
	*Snapshot
	s    scanner
	ctx  context.Context
	head *header
	have map[string]bool
}

// read reads the members of the object in any order. The description must come first.
func (r *reader) read() error {
	if err := r.s.take('{'); err != nil {
		return err
	}
	r.have = map[string]bool{}
	for {
		r.s.space()
		start := r.s.at()
		if err := r.s.skipString(); err != nil {
			return err
		}
		key := r.string(start)
		if err := r.s.take(':'); err != nil {
			return err
		}
		if err := r.member(key); err != nil {
			return err
		}
		switch r.s.space() {
		case ',':
			r.s.i++
		case '}':
			return r.finish()
		default:
			return r.s.wrong("the snapshot has no end")
		}
	}
}

func (r *reader) member(key string) error {
	var read func() error
	switch key {
	case "snapshot":
		read = r.header
	case "nodes":
		read = r.nodes
	case "edges":
		read = r.edges
	case "strings":
		read = r.strings
	default:
		return r.s.skip()
	}
	if r.have[key] {
		return r.s.wrong(key + " is there twice")
	}
	r.have[key] = true
	if r.head == nil && key != "snapshot" {
		return r.s.wrong(key + " comes before snapshot, which says what is in it")
	}
	return read()
}

// header reads the description.
func (r *reader) header() error {
	r.s.space()
	start := r.s.at()
	if err := r.s.skip(); err != nil {
		return err
	}
	if n := r.s.at() - start; n > maxMeta {
		return &core.FormatError{Off: start, Msg: "snapshot: too many bytes:", Val: n}
	}
	data, err := core.SourceSlice(r.src, start, int(r.s.at()-start))
	if err != nil {
		return err
	}
	h := &header{}
	if err := json.Unmarshal(data, h); err != nil {
		return &core.FormatError{Off: start, Msg: "snapshot: " + err.Error()}
	}
	m := &h.Meta
	if r.node, err = newColumns("node", m.NodeFields, m.NodeTypes, "type", "name", "id", "self_size",
		"edge_count"); err != nil {
		return err
	}
	if r.edge, err = newColumns("edge", m.EdgeFields, m.EdgeTypes, "type", "name_or_index", "to_node"); err != nil {
		return err
	}
	r.head, r.extra = h, h.ExtraNativeBytes
	r.numbered = r.edge.flags("element", "hidden")
	return nil
}

// rows reads an array of numbers in rows, and passes the wanted columns to row.
func (r *reader) rows(what string, n int, claimed uint64, row func(values []uint64) error) error {
	values, k, done := make([]uint64, n), 0, int64(0)
	err := r.s.list(func() error {
		v, err := r.s.number()
		if err != nil {
			return err
		}
		values[k] = v
		if k++; k < n {
			return nil
		}
		k = 0
		if done++; done&0x3ffff == 0 {
			if r.ctx.Err() != nil {
				return context.Cause(r.ctx)
			}
			core.ReportProgress(r.ctx, "reading "+what, done, int64(min(claimed, math.MaxInt64)))
		}
		return row(values)
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case k != 0:
		return fmt.Errorf("%s: %w", what, r.s.wrong("the last row is not whole"))
	case uint64(done) != claimed:
		return fmt.Errorf("%s: %w", what, r.s.wrong(fmt.Sprintf("%d rows, where snapshot says %d", done, claimed)))
	}
	return nil
}

func (r *reader) nodes() error {
	c := &r.node
	kind, name, id, size, count := c.column("type"), c.column("name"), c.column("id"), c.column("self_size"),
		c.column("edge_count")
	sum := uint64(0)
	r.first = []uint32{0}
	return r.rows("nodes", c.n, r.head.NodeCount, func(v []uint64) error {
		if v[kind] >= uint64(len(c.kinds)) || v[name] > math.MaxUint32 || len(r.kind) >= maxNodes ||
			v[count] > maxEdges-sum {
			return r.s.wrong(fmt.Sprintf("node %d is of type %d, with name %d and %d edges: too many", len(r.kind),
				v[kind], v[name], v[count]))
		}
		sum += v[count]
		r.kind, r.name, r.id = append(r.kind, uint8(v[kind])), append(r.name, uint32(v[name])), append(r.id, v[id])
		r.size, r.first = append(r.size, v[size]), append(r.first, uint32(sum))
		return nil
	})
}

func (r *reader) edges() error {
	c := &r.edge
	kind, name, to := c.column("type"), c.column("name_or_index"), c.column("to_node")
	fields := uint64(r.node.n)
	return r.rows("edges", c.n, r.head.EdgeCount, func(v []uint64) error {
		if v[kind] >= uint64(len(c.kinds)) || v[name] > math.MaxUint32 && !r.numbered[v[kind]] || v[to]%fields != 0 ||
			v[to]/fields > maxNodes ||
			len(r.to) >= maxEdges {
			return r.s.wrong(fmt.Sprintf("edge %d is of type %d, with name %d, and leads to %d: too many, or no node",
				len(r.to), v[kind], v[name], v[to]))
		}
		r.edgeKind, r.to = append(r.edgeKind, uint8(v[kind])), append(r.to, int32(v[to]/fields))
		r.edgeName = append(r.edgeName, uint32(min(v[name], math.MaxUint32)))
		return nil
	})
}

// strings notes where strings are.
func (r *reader) strings() error {
	err := r.s.list(func() error {
		r.s.space()
		r.text = append(r.text, r.s.at())
		if len(r.text)&0x3ffff == 0 && r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		return r.s.skipString()
	})
	if err != nil {
		return fmt.Errorf("strings: %w", err)
	}
	return nil
}

// finish checks what could not be checked before all was read, and names classes.
func (r *reader) finish() error {
	for _, k := range []string{"snapshot", "nodes", "edges", "strings"} {
		if !r.have[k] {
			return r.s.wrong(k + " is missing")
		}
	}
	if len(r.kind) == 0 {
		return r.s.wrong("there is no node")
	}
	if n := int(r.first[len(r.kind)]); n != len(r.to) {
		return r.s.wrong(fmt.Sprintf("nodes have %d edges, and there are %d", n, len(r.to)))
	}
	for i, n := range r.name {
		if int64(n) >= int64(len(r.text)) {
			return r.s.wrong(fmt.Sprintf("node %d is named by string %d of %d", i, n, len(r.text)))
		}
	}
	for i, t := range r.to {
		if int(t) >= len(r.kind) {
			return r.s.wrong(fmt.Sprintf("edge %d leads to node %d of %d", i, t, len(r.kind)))
		}
		if n := r.edgeName[i]; !r.numbered[r.edgeKind[i]] && int64(n) >= int64(len(r.text)) {
			return r.s.wrong(fmt.Sprintf("edge %d is named by string %d of %d", i, n, len(r.text)))
		}
	}
	r.byID = make([]int32, len(r.id))
	for i := range r.byID {
		r.byID[i] = int32(i)
	}
	slices.SortStableFunc(r.byID, func(a, b int32) int {
		switch {
		case r.id[a] < r.id[b]:
			return -1
		case r.id[a] > r.id[b]:
			return 1
		}
		return 0
	})
	r.nameClasses()
	return nil
}
