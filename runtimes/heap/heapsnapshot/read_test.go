package heapsnapshot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// meta describes five columns of nodes, in an order that V8 does not have.
const meta = `{"snapshot":{"meta":{"node_fields":["name","type","id","self_size","edge_count"],
"node_types":["string",["hidden","array","string","object","closure","synthetic"],"number","number","number"],
"edge_fields":["type","name_or_index","to_node"],
"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"]},
"node_count":6,"edge_count":9},
`

// small is a root, its (GC roots), a Session with a string, and a WeakMap's table whose
// entry has the Session as key.
const small = meta + `"nodes":[0,5,1,0,2, 1,5,3,0,2, 2,3,5,32,2, 3,2,7,16,0, 4,1,9,64,3, 5,3,11,8,0],
"edges":[1,1,5, 5,6,10, 1,0,10, 1,1,20, 2,6,15, 3,7,25, 6,6,10, 3,7,25, 5,6,15],
"trace_tree":[], "strings":["","(GC roots)","Session","te\u0078t\n\ud83d\ude00","(table)","Value","cache",
"2 / part of key (Session @5) -> value (Value @11) pair in WeakMap (table @9)"]}`

func read(t *testing.T, text string) *Snapshot {
	t.Helper()
	s, err := Read(context.Background(), core.Bytes(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSmall(t *testing.T) {
	if !Is(core.Bytes(small)) || Is(core.Bytes(`{"snap`)) || Is(core.Bytes(nil)) {
		t.Error("Is")
	}
	s := read(t, small)
	g, err := heap.Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for id := range heap.ID(g.Len()) {
		dom, ok := g.Tree().Dominator(id)
		got = append(got, fmt.Sprint(uint64(s.Shown(g.Addr(id))), " ", g.Type(id).Class, " ", s.Describe(g.Addr(id)),
			" ", g.Size(id), " ",
			g.Tree().Retained(id), " ", dom, " ", ok))
	}
	want := []string{
		"1 (synthetic)  0 0 -1 false",
		"3 (synthetic) (GC roots) 0 64 -1 true",
		`5 Session Session 32 56 -1 true`,
		`7 (string) "text\n😀" 16 16 2 true`,
		"9 (array) (array) (table) 64 64 1 true",
		"11 Value Value 8 8 2 true", // by its key alone
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var refs []string
	s.References(s.Start(9), 64, func(r heap.Edge) {
		by := r.String()
		refs = append(refs, fmt.Sprint(uint64(s.Shown(r.To)), " ", r.Weak, " ", by[:min(len(by), 15)]))
	})
	if want := []string{"5 true weak cache", "11 true internal 2 / pa",
		"7 true shortcut cache"}; !slices.Equal(refs, want) {
		t.Errorf("references %q, want %q", refs, want)
	}
	if s.Start(6) != 0 || s.Shown(s.Start(11)) != 11 {
		t.Error("ids do not lead back")
	}
	steps := s.Steps([]core.Addr{s.Start(5), s.Start(7)})
	if steps[0].Class != "Session" || steps[1].Reference != (heap.Reference{Kind: heap.Property, Name: "cache"}) {
		t.Errorf("steps %v", steps)
	}
}

// TestDamaged wants an error with a place for each thing that is wrong.
func TestDamaged(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"trace_tree"`, `"nodes"`, "there twice"},
		{`"edge_count":9`, `"edge_count":10`, "9 rows"},
		{`8,0],`, `8],`, "not whole"},
		{`8,0],`, `8,1],`, "10 edges, and there are 9"},
		{`5,3,11,8`, `50,3,11,8`, "string 50 of 8"},
		{`5,3,11,8`, `5,6,11,8`, "type 6"},
		{`5,3,11,8`, `5,3,11,-8`, "a number is missing"},
		{`5,3,11,8`, `5,3,11,99999999999999999999`, "too large"},
		{`5,3,11,8`, `5,3,11,8.5`, "no end"},
		{`5,6,15]`, `5,6,16]`, "leads to 16"},
		{`5,6,15]`, `5,6,150]`, "node 30 of 6"},
		{`5,6,15]`, `5,8,15]`, "string 8 of 8"},
		{`5,6,15]`, `7,6,15]`, "type 7"},
		{`"self_size"`, `"size"`, "lacks"},
		{`["hidden"`, `"x",["hidden"`, "no list of types"},
		{`"strings"`, `"string"`, "strings is missing"},
		{`(table @9)"]}`, `(table @9)`, "has no end"},
		{`{"snapshot"`, `{"nodes":[],"snapshot"`, "before snapshot"},
	} {
		_, err := Read(context.Background(), core.Bytes(strings.Replace(small, c.old, c.new, 1)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	for i := range len(small) {
		if _, err := Read(context.Background(), core.Bytes(small[:i])); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
}

// FuzzRead reads what it is given, makes a graph of it, and asks for all that is shown.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(meta + `"nodes":[],"edges":[],"strings":[]}`))
	f.Add([]byte(`{"snapshot":{"meta":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(context.Background(), core.Bytes(data))
		if err != nil {
			return
		}
		g, err := heap.Build(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for id := range heap.ID(min(g.Len(), 100)) {
			at := g.Addr(id)
			s.Describe(at)
			s.Start(s.Shown(at))
			s.References(at, g.Size(id), func(r heap.Edge) { s.Steps([]core.Addr{at, r.To}) })
		}
	})
}
