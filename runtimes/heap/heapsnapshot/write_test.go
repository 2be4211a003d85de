package heapsnapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// An echo exports what was read.
type echo struct{ *edgeReader }

func (echo) Schema() Schema {
	return Schema{NodeFields: []string{"type", "name", "id", "self_size", "edge_count", "detachedness"},
		NodeTypes: []string{"hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native",
			"synthetic"}, Extra: true}
}
func (echo) Keeper(int32) bool                         { return false }
func (echo) Held(int32) string                         { return "" }
func (echo) Roots(kind string) string                  { return "(" + kind + ")" }
func (echo) Global(core.Addr, int32) (core.Addr, bool) { return 0, false }
func (echo) External() (string, string)                { return "store", "data" }

func (e echo) Node(at core.Addr, size uint64, _ int32) (NodeType, *Name, uint64) {
	n, _ := e.nodeAt(at)
	return map[string]NodeType{"string": String, "object": Object, "array": Array}[e.node.kinds[e.kind[n]]],
		&Name{Text: e.stringAt(e.name[n])}, size
}

func (e echo) Edges(at core.Addr, _ uint64, _ int32, visit func(Edge)) {
	n, _ := e.nodeAt(at)
	for i := e.first[n]; i < e.first[n+1]; i++ {
		x := Edge{Type: EdgeType(e.edgeKind[i]), From: at, To: addr(e.to[i])}
		if x.Index = int(e.edgeName[i]); !e.numbered[e.edgeKind[i]] {
			x.Name = &Name{Text: e.stringAt(e.edgeName[i])}
		}
		visit(x)
	}
}

// TestWrite: what is written is JSON, and read again it retains the same.
func TestWrite(t *testing.T) {
	ctx := context.Background()
	s := read(t, small)
	g, err := heap.Build(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(ctx, &out, g, echo{s.Reader().(*edgeReader)}); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Fatalf("not JSON: %s", &out)
	}
	again := read(t, out.String())
	h, err := heap.Build(ctx, again)
	if err != nil {
		t.Fatal(err)
	}
	for id := range heap.ID(g.Len()) {
		if !g.Reachable(id, heap.Certain) {
			continue
		}
		x, ok := h.ID(again.Start(g.Addr(id) | 1))
		if !ok || h.Size(x) != g.Size(id) || s.Describe(g.Addr(id)) != again.Describe(h.Addr(x)) &&
			g.Type(id).Class != "(synthetic)" {
			t.Errorf("object %d is %v %d %s", id, ok, h.Size(x), again.Describe(h.Addr(x)))
		}
		// The table's edge to the value names another id now, and so keeps it too.
		if s.Describe(g.Addr(id)) != "Session" && h.Tree().Retained(x) != g.Tree().Retained(id) {
			t.Errorf("object %d retains %d, want %d", id, h.Tree().Retained(x), g.Tree().Retained(id))
		}
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if err := Write(stop, &out, g, echo{s.Reader().(*edgeReader)}); err == nil {
		t.Error("no error after the context ended")
	}
}
