package heap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"coredbg/core"
)

// drawn returns a heap with the given classes and the given references of each object. Each object has
// 8 bytes more than the one before. The roots refer to object 0.
func drawn(types []Type, typ []int32, edges [][]int) *fake {
	f := &fake{spans: []Span{{Start: 0x1000, End: 0x9000}}, types: types, typ: typ, edges: edges,
		ids:   map[core.Addr]int{},
		roots: []Root{{Kind: "test", Target: 0x1000}}}
	at := core.Addr(0x1000)
	for i := range typ {
		size := uint64(8 * (i + 1))
		f.at, f.size, f.ids[at] = append(f.at, at), append(f.size, size), i
		at += core.Addr(size)
	}
	return f
}

// lines writes chains by their classes, objects, bytes and example.
func lines(chains []Chain, classes []Type) []string {
	var out []string
	for _, c := range chains {
		name := ""
		for x := c; ; x = chains[x.Parent] {
			if x.Class >= 0 {
				name = "/" + classes[x.Class].Class + name
			}
			if x.Depth == 0 {
				break
			}
		}
		out = append(out, fmt.Sprintf("%s %d %d @%d", name, c.Objects, c.Bytes, c.Example))
	}
	return out
}

func TestChains(t *testing.T) {
	a, b := Type{Class: "A"}, Type{Class: "B"}
	for name, c := range map[string]struct {
		types []Type
		typ   []int32
		edges [][]int
		below ID
		want  []string
	}{
		"a tree": {[]Type{a, b}, []int32{0, 1, 1}, [][]int{{1, 2}, nil, nil}, None,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 2 40 @2"}},
		"a list is one chain": {[]Type{a, b}, []int32{0, 1, 1, 1}, [][]int{{1}, {2}, {3}, nil}, None,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 3 72 @1"}},
		"what two keep is above both": {[]Type{a, b}, []int32{0, 1, 1, 0}, [][]int{{1, 2}, {3}, {3}, nil}, None,
			[]string{" 0 0 @-1", "/A 2 40 @0", "/A/B 2 40 @2"}},
		"garbage does not count": {[]Type{a, b}, []int32{0, 1}, [][]int{nil, {0}}, None,
			[]string{" 0 0 @-1", "/A 1 8 @0"}},
		"a cycle": {[]Type{a, b}, []int32{0, 1, 0}, [][]int{{1}, {2}, {0, 1}}, None,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 1 16 @1", "/A/B/A 1 24 @2"}},
		"below an object": {[]Type{a, b}, []int32{0, 1, 1, 0}, [][]int{{1, 2}, {3}, nil, nil}, 1,
			[]string{"/B 1 16 @1", "/B/A 1 32 @3"}},
		"below an object of a list": {[]Type{a, b}, []int32{0, 1, 1, 1}, [][]int{{1}, {2}, {3}, nil}, 1,
			[]string{"/B 1 16 @1", "/B/B 2 56 @2"}},
		"types of one class": {[]Type{a, b, b}, []int32{0, 1, 2}, [][]int{{1, 2}, nil, nil}, None,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 2 40 @2"}},
	} {
		g, err := Build(context.Background(), drawn(c.types, c.typ, c.edges))
		if err != nil {
			t.Fatal(err)
		}
		chains, classes, err := g.Chains(context.Background(), c.below, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := lines(chains, classes)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestChainsBig: a big object is a chain of its own, unless its dominator has the same class.
func TestChainsBig(t *testing.T) {
	a, b := Type{Class: "A"}, Type{Class: "B"}
	for name, c := range map[string]struct {
		typ   []int32
		edges [][]int
		big   uint64
		want  []string
	}{
		"one of three": {[]int32{0, 1, 1, 1}, [][]int{{1, 2, 3}, nil, nil, nil}, 30,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 2 40 @2", "/A/B 1 32 @3"}},
		"two of three": {[]int32{0, 1, 1, 1}, [][]int{{1, 2, 3}, nil, nil, nil}, 20,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 1 16 @1", "/A/B 1 24 @2", "/A/B 1 32 @3"}},
		"by what it keeps": {[]int32{0, 1, 1, 0}, [][]int{{1, 2}, {3}, nil, nil}, 40,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 1 16 @1", "/A/B/A 1 32 @3", "/A/B 1 24 @2"}},
		"a list": {[]int32{0, 1, 1, 1}, [][]int{{1}, {2}, {3}, nil}, 10,
			[]string{" 0 0 @-1", "/A 1 8 @0", "/A/B 3 72 @1"}},
	} {
		g, err := Build(context.Background(), drawn([]Type{a, b}, c.typ, c.edges))
		if err != nil {
			t.Fatal(err)
		}
		chains, classes, err := g.Chains(context.Background(), None, c.big)
		if err != nil {
			t.Fatal(err)
		}
		got := lines(chains, classes)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestChainsSum: whatever the heap, chains add up to the total, and those below an object to
// what it retains.
func TestChainsSum(t *testing.T) {
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		g, err := Build(context.Background(), randomHeap(r, 1+r.IntN(200), 0.5+2*r.Float64()))
		if err != nil {
			t.Fatal(err)
		}
		for id := None; id < ID(g.Len()); id++ {
			want := g.Tree().Total()
			if id != None {
				want = g.Tree().Retained(id)
			}
			if want == 0 {
				continue
			}
			chains, _, err := g.Chains(context.Background(), id, want/100)
			if err != nil {
				t.Fatal(err)
			}
			sum := uint64(0)
			for i, c := range chains {
				if sum += c.Bytes; i > 0 && (int(c.Parent) >= i || c.Objects == 0 || c.Example == None) {
					t.Errorf("heap %d below %d: chain %d is %+v", seed, id, i, c)
				}
			}
			if sum != want {
				t.Errorf("heap %d below %d: chains have %d bytes of %d", seed, id, sum, want)
			}
		}
	}
}

// TestChainsDepth: what is deeper than chains go counts where they end.
func TestChainsDepth(t *testing.T) {
	const n = 3 * maxChainDepth
	typ, edges := make([]int32, n), make([][]int, n)
	for i := range n {
		typ[i] = int32(i % 2)
		if i+1 < n {
			edges[i] = []int{i + 1}
		}
	}
	f := drawn([]Type{{Class: "A"}, {Class: "B"}}, typ, edges)
	f.spans[0].End = f.at[n-1] + core.Addr(f.size[n-1])
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	chains, _, err := g.Chains(context.Background(), None, 0)
	if err != nil {
		t.Fatal(err)
	}
	if last := chains[len(chains)-1]; len(chains) != maxChainDepth+1 || last.Objects != n-maxChainDepth+1 {
		t.Errorf("%d chains, the last is %+v", len(chains), last)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("stopped"))
	if _, _, err := g.Chains(ctx, None, 0); err != nil && err.Error() != "stopped" {
		t.Error(err) // a small heap is done before it looks
	}
}
