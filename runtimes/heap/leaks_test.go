package heap

import (
	"context"
	"testing"

	"coredbg/core"
)

// laid is a heap of objects of the given sizes, one after the other.
func laid(types []Type, objects ...func(f *fake, i int)) *fake {
	f := &fake{ids: map[core.Addr]int{}, types: types, spans: []Span{{Start: 0x10000, End: 0x10000}}}
	for i, object := range objects {
		object(f, i)
	}
	return f
}

// object adds one object to a heap.
func object(size uint64, typ int32, edges ...int) func(f *fake, i int) {
	return func(f *fake, i int) {
		at := f.spans[0].End
		f.ids[at] = i
		f.at, f.size, f.typ, f.edges = append(f.at, at), append(f.size, size), append(f.typ, typ),
			append(f.edges, edges)
		f.spans[0].End = (at + core.Addr(size)).Align(8)
	}
}

func rooted(f *fake, targets ...int) *fake {
	for _, i := range targets {
		f.roots = append(f.roots, Root{Kind: "test", Target: f.at[i]})
	}
	return f
}

// many returns n numbers from first on.
func many(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

func TestSuspects(t *testing.T) {
	const holder, store, method, item, code = 0, 1, 2, 3, 4
	types := []Type{{Class: "Map"}, {Class: "(array)", Internal: true}, {Class: "Function"},
		{Class: "Session", Place: Place{File: "app.js", Line: 3}}, {Class: "(code)", Internal: true, Program: true}}
	items := func(n int, size uint64, typ int32) (out []func(*fake, int)) {
		for range n {
			out = append(out, object(size, typ))
		}
		return out
	}
	chain := []func(*fake, int){object(64, holder, 1)}
	for i := range 2000 {
		chain = append(chain, object(1024, item, i+2))
	}
	chain = append(chain, object(1024, item))
	// Sessions hold their bytes, and each the next by a method, which holds nothing else; there is a method
	// more, which holds the first.
	turns := []func(*fake, int){object(64, holder, 1)}
	for i := range 1000 {
		turns = append(turns, object(32, method, 2*i+2), object(4096, item, 2*i+3))
	}
	turns = append(turns, object(32, method))
	// Three maps that have a root each refer to the same objects, or only to a third of them.
	shared := func(a, b, c []int) *fake {
		return rooted(laid(types, append([]func(*fake, int){object(64, holder, append(a, 3)...),
			object(64, holder, b...), object(64, holder, append(c, 3)...)},
			items(2001, 1024, item)...)...), 0, 1, 2)
	}
	tests := []struct {
		name string
		f    *fake
		want *Suspect // nil for none
	}{
		{"a collection", rooted(laid(types, append([]func(*fake, int){object(64, holder, 1),
			object(64, store, many(2, 2000)...)}, items(2000, 1024, item)...)...), 0),
			&Suspect{Kind: Collects, Holder: 0, Class: types[item], Example: 2, Objects: 2000, Retained: 2000 * 1024}},
		{"few large objects", rooted(laid(types, append([]func(*fake, int){object(64, holder, 1),
			object(64, store, many(2, 14)...)}, items(14, 900<<10, item)...)...), 0),
			&Suspect{Kind: Collects, Holder: 0, Class: types[item], Example: 2, Objects: 14, Retained: 14 * 900 << 10}},
		{"few objects", rooted(laid(types, append([]func(*fake, int){object(64, holder, 1),
			object(64, store, many(2, 14)...)}, items(14, 200<<10, item)...)...), 0), nil},
		{"a chain", rooted(laid(types, chain...), 0), &Suspect{Kind: Chained, Holder: 0, Class: types[item], Example: 1,
			Objects: 2001, Retained: 2001 * 1024}},
		{"a chain of two classes", rooted(laid(types, turns...), 0), &Suspect{Kind: Chained, Holder: 1,
			Class: types[item], Example: 2, Objects: 1000, Retained: 1000 * (4096 + 32)}},
		{"one object", rooted(laid(types, object(64, holder, 1), object(3<<20, store)), 0),
			&Suspect{Kind: Single, Holder: 0, Class: types[store], Example: 1, Objects: 1, Retained: 3 << 20}},
		{"the program", rooted(laid(types, append([]func(*fake, int){object(64, holder, many(1, 2000)...)},
			items(2000, 1024, code)...)...), 0), nil},
		{"held by several", shared(many(4, 2000), many(4, 2000), nil),
			&Suspect{Kind: Collects, Holder: 0, Class: types[item], Example: 4, Objects: 2001, Retained: 2001 * 1024}},
		{"here and there", shared(many(4, 900), many(500, 1000), many(1000, 900)), nil},
		{"rooted each", rooted(laid(types, items(2000, 1024, item)...), many(0, 2000)...),
			&Suspect{Kind: Collects, Holder: None, Class: types[item], Example: 0, Objects: 2000,
				Retained: 2000 * 1024}},
		{"of the engine each", func() *fake {
			f := rooted(laid(types, items(2000, 1024, item)...), many(0, 2000)...)
			for i := range f.roots {
				f.roots[i].Rank = Engine
			}
			return f
		}(), nil},
		{"less than a megabyte", rooted(laid(types, append([]func(*fake, int){object(64, holder, many(1, 900)...)},
			items(900, 1024, item)...)...), 0), nil},
		{"garbage", rooted(laid(types, append([]func(*fake, int){object(64, store),
			object(64, holder, many(2, 2000)...)}, items(2000, 1024, item)...)...), 0), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, err := Build(context.Background(), test.f)
			if err != nil {
				t.Fatal(err)
			}
			list, err := g.Suspects(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				list[i].under = 0
			}
			switch {
			case test.want == nil && len(list) > 0:
				t.Errorf("%+v, want none", list)
			case test.want != nil && (len(list) != 1 || list[0] != *test.want):
				t.Errorf("%+v, want %+v", list, *test.want)
			}
		})
	}
}

// TestPathOrder: ways from lasting roots come before ways from roots that end with a call, and these
// before the engine's tables, whatever their length.
func TestPathOrder(t *testing.T) {
	types := []Type{{Class: "A"}, {Class: "(feedback)", Late: true}}
	f := laid(types, object(16, 0), object(16, 0, 0), object(16, 0, 1), object(16, 1, 0))
	f.roots = []Root{
		{Kind: "handle", Target: f.at[2]},
		{Kind: "frame", Rank: Calling, Target: f.at[0]},
		{Kind: "table", Rank: Engine, Target: f.at[0]},
		{Kind: "feedback", Target: f.at[3]},
		{Kind: "word", Strength: Stacked, Rank: Calling, Target: f.at[0]},
	}
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	ways, err := g.Paths(context.Background(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range ways {
		got = append(got, w.Root.Kind)
	}
	if want := []string{"handle", "frame", "word"}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] ||
		got[2] != want[2] {
		t.Errorf("ways from %v, want %v", got, want)
	}
}
