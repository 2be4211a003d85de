package heap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"coredbg/core"
)

// A fake is a heap that tests write down.
type fake struct {
	spans []Span
	at    []core.Addr
	size  []uint64
	typ   []int32
	edges [][]int
	extra map[int][]edge // ephemerons of a table
	roots []Root
	types []Type
	ids   map[core.Addr]int

	external map[int]uint64
}

func (f *fake) Spans() []Span                  { return f.spans }
func (f *fake) Reader() Reader                 { return f }
func (f *fake) Damage() *Damage                { return nil }
func (f *fake) Type(t int32, _ core.Addr) Type { return f.types[t] }

func (f *fake) External(a core.Addr, _ int32) uint64 { return f.external[f.ids[a]] }

func (f *fake) Shown(at core.Addr) core.Addr             { return at }
func (f *fake) Start(a core.Addr) core.Addr              { return a }
func (f *fake) Describe(at core.Addr) string             { return f.types[f.typ[f.ids[at]]].Class }
func (f *fake) References(core.Addr, uint64, func(Edge)) {}
func (f *fake) Steps(path []core.Addr) []Step            { return make([]Step, len(path)) }

func (f *fake) Objects(span int, visit func(core.Addr, uint64, int32)) {
	for i, a := range f.at {
		if s := f.spans[span]; a >= s.Start && a < s.End {
			visit(a, f.size[i], f.typ[i])
		}
	}
}

func (f *fake) Edges(at core.Addr, _ uint64, _ int32, visit func(from, to core.Addr)) {
	i := f.ids[at]
	for _, t := range f.edges[i] {
		visit(at, f.at[t])
	}
	for _, e := range f.extra[i] {
		visit(f.at[e.from], f.at[e.to])
	}
}

func (f *fake) Roots(_ context.Context, reached func(core.Addr) bool, visit func(Root)) error {
	for _, r := range f.roots {
		if r.Strength != Loose || !reached(r.Target) {
			visit(r)
		}
	}
	return nil
}

// randomHeap returns a heap of n objects in several spans, with about the given number of edges an
// object.
func randomHeap(r *rand.Rand, n int, edges float64) *fake {
	f := &fake{ids: map[core.Addr]int{}, types: []Type{{Class: "A"}, {Class: "B"},
		{Class: "B", Place: Place{File: "x.js", Line: 1}},
		{Class: "C"}, {Class: "A"}},
		extra: map[int][]edge{}}
	at, unit := core.Addr(0x10000), uint64(0)
	for i := range n {
		if i%37 == 0 {
			at = at.Align(0x100) + 0x200
			f.spans = append(f.spans, Span{Start: at, End: at, Short: i/37%2 == 1})
			unit = uint64(f.spans[len(f.spans)-1].alignment())
		}
		size := unit * uint64(1+r.IntN(4))
		f.ids[at] = i
		f.at, f.size, f.typ = append(f.at, at), append(f.size, size), append(f.typ, int32(r.IntN(len(f.types))))
		at += core.Addr(size + unit*uint64(r.IntN(3)))
		f.spans[len(f.spans)-1].End = at
	}
	f.edges = make([][]int, n)
	for range int(edges * float64(n)) {
		from, to := r.IntN(n), r.IntN(n)
		if r.IntN(3) > 0 { // mostly near by, so that there are deep trees
			to = min(max(from+r.IntN(9)-3, 0), n-1)
		}
		f.edges[from] = append(f.edges[from], to)
	}
	for range r.IntN(3) {
		table := r.IntN(n)
		f.extra[table] = append(f.extra[table], edge{int32(r.IntN(n)), int32(r.IntN(n))})
	}
	for s := Certain; s < strengths; s++ {
		for range 1 + r.IntN(3) {
			f.roots = append(f.roots, Root{Kind: "test", Strength: s, Target: f.at[r.IntN(n)]})
		}
	}
	return f
}

// A removal finds what is reachable without some objects, the plain way: the
// independent truth of the tests.
type removal struct {
	f   *fake
	out [][]int
}

func newRemoval(f *fake) *removal {
	m := &removal{f: f, out: make([][]int, len(f.at))}
	for i, list := range f.edges {
		m.out[i] = append(m.out[i], list...)
	}
	for _, list := range f.extra {
		for _, e := range list {
			m.out[e.from] = append(m.out[e.from], int(e.to))
		}
	}
	return m
}

// reached returns the stage that reaches each object if the objects for which gone returns true are
// missing: 0 for never. Weaker roots count only for objects that stronger ones, with all objects there,
// do not lead to.
func (m *removal) reached(all []int, gone func(int) bool) []int {
	got := make([]int, len(m.f.at))
	for s := Certain; s < strengths; s++ {
		var queue []int
		add := func(i int) {
			if got[i] == 0 && !gone(i) && (all == nil || all[i] == int(s)+1) {
				got[i] = int(s) + 1
				queue = append(queue, i)
			}
		}
		for _, r := range m.f.roots {
			if r.Strength == s {
				add(m.f.ids[r.Target])
			}
		}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			for _, t := range m.out[i] {
				add(t)
			}
		}
	}
	return got
}

// retained returns the bytes that are reached with all objects and not without those.
func (m *removal) retained(all []int, gone func(int) bool) uint64 {
	n := uint64(0)
	for i, s := range m.reached(all, gone) {
		if s == 0 && all[i] != 0 {
			n += m.f.size[i] + m.f.external[i]
		}
	}
	return n
}

func none(int) bool { return false }

// crossStage reports whether ways from stronger roots cross into weaker stages: objects of a weaker
// stage may also be kept by objects of a stronger one, but then they would be in that stage.
func checkGraph(t *testing.T, f *fake) {
	t.Helper()
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != len(f.at) {
		t.Fatalf("%d objects, want %d", g.Len(), len(f.at))
	}
	m := newRemoval(f)
	all := m.reached(nil, none)
	for i, a := range f.at {
		id, ok := g.ID(a)
		if !ok || int(id) != i || g.Addr(id) != a || g.Size(id) != f.size[i] {
			t.Fatalf("object %d at %v: id %d %v, address %v, size %d", i, a, id, ok, g.Addr(id), g.Size(id))
		}
		s, ok := g.Strength(id)
		if ok != (all[i] > 0) || ok && int(s)+1 != all[i] {
			t.Fatalf("object %d: strength %v %v, want stage %d", i, s, ok, all[i])
		}
		want := uint64(0)
		if all[i] > 0 {
			want = m.retained(all, func(k int) bool { return k == i })
		}
		if got := g.Tree().Retained(id); got != want {
			t.Fatalf("object %d retains %d, without it %d would go", i, got, want)
		}
		checkPaths(t, g, m, id, all[i] > 0)
	}
	checkClasses(t, g, m, all)
}

// checkPaths checks that ways are ways, and that they share nothing.
func checkPaths(t *testing.T, g *Graph, m *removal, id ID, reachable bool) {
	t.Helper()
	if id%7 != 0 {
		return
	}
	paths, err := g.Paths(context.Background(), id, 4)
	if err != nil || reachable != (len(paths) > 0) {
		t.Fatalf("object %d: %d paths, %v; reachable: %v", id, len(paths), err, reachable)
	}
	seen := map[ID]bool{}
	for _, p := range paths {
		if p.Root.Target != g.Addr(p.Objects[0]) || p.Objects[len(p.Objects)-1] != id {
			t.Fatalf("object %d: a way from %v to %v", id, p.Root.Target, p.Objects)
		}
		for i, o := range p.Objects[:len(p.Objects)-1] {
			if seen[o] {
				t.Fatalf("object %d: two ways through %d", id, o)
			}
			seen[o] = true
			ok := false
			for _, x := range m.out[o] {
				ok = ok || x == int(p.Objects[i+1])
			}
			if !ok {
				t.Fatalf("object %d: no reference from %d to %d", id, o, p.Objects[i+1])
			}
		}
	}
}

func checkClasses(t *testing.T, g *Graph, m *removal, all []int) {
	t.Helper()
	rows, err := g.Classes(context.Background(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range rows {
		want := uint64(0)
		for i, s := range m.reached(all, func(i int) bool {
			typ := m.f.types[m.f.typ[i]]
			return typ.Class == c.Class && typ.Place == c.Place
		}) {
			if s == 0 && all[i] > 0 && all[i] <= int(Stacked)+1 {
				want += m.f.size[i] + m.f.external[i]
			}
		}
		if c.Retained != want {
			t.Errorf("class %s %s retains %d, without it %d would go", c.Class, c.Place, c.Retained, want)
		}
	}
	for most := 1; most <= len(rows); most++ {
		some, err := g.Classes(context.Background(), most, nil)
		if err != nil || len(some) != most {
			t.Fatalf("%d classes of the %d that retain most, %v", len(some), most, err)
		}
		for i, c := range some {
			if c.Retained != rows[i].Retained {
				t.Errorf("of %d classes number %d retains %d, of all %d", most, i, c.Retained, rows[i].Retained)
			}
		}
	}
}

// TestRandomGraphs compares retained sizes of objects and of classes with the results of removing
// objects. COREDBG_GRAPHS is the number of graphs to try.
func TestRandomGraphs(t *testing.T) {
	graphs := 200
	if n, err := strconv.Atoi(os.Getenv("COREDBG_GRAPHS")); err == nil {
		graphs = n
	}
	for seed := range graphs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		n := 1 + r.IntN(90)
		if seed%100 == 99 {
			n = 1 + r.IntN(2000)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkGraph(t, randomHeap(r, n, 0.5+2*r.Float64())) })
	}
}
