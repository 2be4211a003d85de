package heap

import (
	"context"
	"errors"
	"slices"
	"testing"

	"coredbg/core"
)

// saying returns a rule that has found objects of a heap.
func saying(id string, always bool, f *fake, objects ...int) Rule {
	return Rule{ID: id, Always: always, Find: func(context.Context, *Graph) ([]Evidence, error) {
		e := Evidence{Why: "known"}
		for _, i := range objects {
			e.Objects = append(e.Objects, f.at[i])
		}
		return []Evidence{e}, nil
	}}
}

// A ruleWant is the expected content of one suspect.
type ruleWant struct {
	rule     string
	kind     SuspectKind
	below    bool
	objects  int
	retained uint64
	holder   ID
}

// TestRules: rules and accumulations that explain the same are one suspect.
func TestRules(t *testing.T) {
	const holder, store, item, owner = 0, 1, 2, 3
	types := []Type{{Class: "Map"}, {Class: "(array)", Internal: true}, {Class: "Session"}, {Class: "Activity"}}
	// An owner keeps a map, which keeps an array of sessions; there is also a small owner.
	f := rooted(laid(types, append([]func(*fake, int){
		object(64, owner, 1), object(64, holder, 2), object(64, store, many(4, 2000)...), object(64, owner),
	}, func() (out []func(*fake, int)) {
		for range 2000 {
			out = append(out, object(1024, item))
		}
		return out
	}()...)...), 0, 3)
	const all = 2000 * 1024
	garbage := saying("garbage", true, f)
	tests := []struct {
		name  string
		rules []Rule
		want  []ruleWant
	}{
		{"none", nil, []ruleWant{{"", Collects, false, 2000, all, 1}}},
		{"nothing found", []Rule{garbage}, []ruleWant{{"", Collects, false, 2000, all, 1}}},
		{"the objects themselves", []Rule{saying("a", false, f, many(4, 2000)...)},
			[]ruleWant{{"a", Collects, false, 2000, all, 1}}},
		{"most of them", []Rule{saying("a", false, f, many(4, 1500)...)},
			[]ruleWant{{"a", Collects, false, 1500, 1500 * 1024, 1}}},
		{"few of them", []Rule{saying("a", false, f, many(4, 400)...)}, []ruleWant{{"", Collects, false, 2000, all, 1},
			{"a", Collects, false, 400, 400 * 1024, 1}}},
		{"what keeps them", []Rule{saying("a", false, f, 0)}, []ruleWant{{"a", Collects, true, 2000, all + 3*64, 1}}},
		{"two that say it", []Rule{saying("a", false, f, 1), saying("b", false, f, 0)},
			[]ruleWant{{"a", Collects, true, 2000, all + 2*64, 1}}},
		{"little", []Rule{saying("a", false, f, 3)}, []ruleWant{{"", Collects, false, 2000, all, 1}}},
		{"little, and wrong", []Rule{saying("a", true, f, 3)}, []ruleWant{{"", Collects, false, 2000, all, 1},
			{"a", Single, false, 1, 64, None}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, err := Build(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			list, err := g.Suspects(context.Background(), test.rules...)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != len(test.want) {
				t.Fatalf("%+v, want %+v", list, test.want)
			}
			for i, s := range list {
				if got := (ruleWant{s.Rule, s.Kind, s.Below, s.Objects, s.Retained, s.Holder}); got != test.want[i] {
					t.Errorf("%+v, want %+v", got, test.want[i])
				}
			}
		})
	}
}

// TestRuleOfChain: an object that links a chain, and keeps most of it, says why it is there. An object
// next to it, or that keeps little of it, does not.
func TestRuleOfChain(t *testing.T) {
	types := []Type{{Class: "Map"}, {Class: "Thing"}, {Class: "Closure"}}
	// Things and closures in turn, each held by the one before.
	objects := []func(*fake, int){object(64, 0, 1, 2002)}
	for i := range 2000 {
		objects = append(objects, object(1024, int32(1+i%2), i+2))
	}
	objects = append(objects, object(1024, 1), object(600<<10, 1))
	f := rooted(laid(types, objects...), 0)
	every := func(first, step, n int) (list []int) {
		for i := range n {
			list = append(list, first+i*step)
		}
		return list
	}
	const all, beside = 2001 * 1024, 600 << 10
	for _, test := range []struct {
		name  string
		links []int
		want  []ruleWant
	}{
		{"all closures", every(2, 2, 1000), []ruleWant{{"a", Chained, true, 1001, all, 0}}},
		{"the last ones", every(1602, 2, 200), []ruleWant{{"", Chained, false, 1001, all, 0},
			{"a", Collects, false, 200, 400 * 1024, 1601}}},
		{"beside it", []int{2002}, []ruleWant{{"", Chained, false, 1001, all, 0}, {"a", Single, false, 1, beside, 0}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := Build(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			list, err := g.Suspects(context.Background(), saying("a", false, f, test.links...))
			if err != nil || len(list) != len(test.want) {
				t.Fatalf("%+v, %v, want %+v", list, err, test.want)
			}
			for i, s := range list {
				if got := (ruleWant{s.Rule, s.Kind, s.Below, s.Objects, s.Retained, s.Holder}); got != test.want[i] {
					t.Errorf("%+v, want %+v", got, test.want[i])
				}
			}
		})
	}
}

// TestRuleErrors: a rule that fails takes nothing from the others, and addresses that are
// no objects are passed over.
func TestRuleErrors(t *testing.T) {
	f := rooted(laid([]Type{{Class: "A"}}, object(64, 0), object(64, 0)), 0)
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no list")
	list, err := g.Suspects(context.Background(),
		Rule{ID: "x", Find: func(context.Context, *Graph) ([]Evidence, error) { return nil, failed }},
		Rule{ID: "y", Always: true, Find: func(context.Context, *Graph) ([]Evidence, error) {
			return []Evidence{{Objects: []core.Addr{1, f.at[0] + 8, f.at[0], f.at[1], f.at[0]}},
				{Objects: []core.Addr{f.at[1]}}, {}}, nil
		}})
	if !errors.Is(err, failed) || len(list) != 1 || list[0].Rule != "y" || list[0].Objects != 1 ||
		list[0].Example != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestRulesOfEachOther: of two findings, the one whose objects keep the other's leads.
func TestRulesOfEachOther(t *testing.T) {
	// A list has timers. Each has a context, and that a window.
	const list, timer, context, window = 0, 1, 2, 3
	types := []Type{{Class: "List"}, {Class: "Timeout"}, {Class: "(context)", Internal: true}, {Class: "Window"}}
	const n, size = 100, 20 << 10
	objects := []func(*fake, int){object(64, list, many(1, n)...)}
	for i := range n {
		objects = append(objects, object(64, timer, 1+n+i))
	}
	for i := range n {
		objects = append(objects, object(64, context, 1+2*n+i))
	}
	for range n {
		objects = append(objects, object(size, window))
	}
	f := rooted(laid(types, objects...), 0)
	timers, contexts := saying("timers", false, f, many(1, n)...), saying("contexts", false, f, many(1+n, n)...)
	few := timers
	few.ID, few.Explains = "few-timers", true
	always := contexts
	always.Always = true
	g, err := Build(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		rules []Rule
		rule  string
		holds bool
		by    bool
		count int
	}{
		{"what holds comes first", []Rule{timers, contexts}, "timers", true, false, 1},
		{"what is held comes first", []Rule{contexts, timers}, "contexts", false, false, 1},
		{"only an explanation", []Rule{few, contexts}, "contexts", false, true, 1},
		{"each is wrong", []Rule{timers, always}, "timers", false, false, 2},
		{"an explanation of nothing", []Rule{few}, "few-timers", false, false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			list, err := g.Suspects(t.Context(), test.rules...)
			if err != nil || len(list) != test.count {
				t.Fatalf("%d suspects, %v, want %d", len(list), err, test.count)
			}
			s := &list[0]
			if s.Rule != test.rule || (s.Holds != nil) != test.holds || (s.By != nil) != test.by {
				t.Errorf("rule %q, holds %v, by %v; want %+v", s.Rule, s.Holds, s.By, test)
			}
		})
	}
}

// TestRuleWith: what goes with the objects of a finding counts, and they are not more for that.
func TestRuleWith(t *testing.T) {
	// Windows are kept by contexts and by a list.
	types := []Type{{Class: "List"}, {Class: "(context)", Internal: true}, {Class: "Window"}, {Class: "Page"}}
	const n, size = 60, 20 << 10
	objects := []func(*fake, int){object(64, 0, many(1, 2*n)...)}
	for i := range n {
		objects = append(objects, object(64, 1, 1+n+i))
	}
	for i := range n {
		objects = append(objects, object(64, 2, 1+2*n+i))
	}
	for range n {
		objects = append(objects, object(size, 3))
	}
	f := rooted(laid(types, objects...), 0)
	rule := Rule{ID: "contexts", Find: func(context.Context, *Graph) ([]Evidence, error) {
		e := Evidence{}
		for i := range n {
			e.Objects, e.With = append(e.Objects, f.at[1+i]), append(e.With, f.at[1+n+i])
		}
		return []Evidence{e}, nil
	}}
	g, err := Build(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Suspects(t.Context(), rule)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if s := list[0]; s.Rule != "contexts" || s.Objects != n || s.Retained != n*(64+64+size) || s.Holder != 0 {
		t.Errorf("%+v", s)
	}
}

// TestByHolder parts objects by the root or the variable that holds them. Objects that one collection
// keeps stay together, however many parts it has.
func TestByHolder(t *testing.T) {
	const table, node, item = 0, 1, 2
	types := []Type{{Class: "Map"}, {Class: "Node"}, {Class: "Activity"}}
	// Two roots: a table of three items, and one with a node for each of its two. A third keeps one
	// item of each, which nothing dominates, beside 100 of its own in nodes.
	objects := []func(*fake, int){object(64, table, 3, 4, 5), object(64, table, 6, 7),
		object(64, table, many(10, 100)...),
		object(64, item), object(64, item), object(64, item), object(64, node, 8), object(64, node, 9),
		object(64, item), object(64, item)}
	for i := range 100 {
		objects = append(objects, object(64, node, 110+i))
	}
	for range 100 {
		objects = append(objects, object(64, item))
	}
	f := rooted(laid(types, objects...), 0, 1, 2)
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	addrs := func(list ...int) (out []core.Addr) {
		for _, i := range list {
			out = append(out, f.at[i])
		}
		return out
	}
	for _, c := range []struct {
		name    string
		objects []core.Addr
		sizes   []int
	}{
		{"none", nil, nil},
		{"one table", addrs(3, 4, 5), []int{3}},
		{"two tables", addrs(8, 3, 9, 4, 5), []int{3, 2}},
		{"twice the same", addrs(3, 3, 8), []int{1, 1}},
		{"nodes of one table", addrs(many(110, 100)...), []int{100}},
		{"no object", append(addrs(3), 1), []int{1}},
	} {
		parts, err := g.ByHolder(context.Background(), c.objects)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, p := range parts {
			sizes = append(sizes, len(p))
		}
		if !slices.Equal(sizes, c.sizes) {
			t.Errorf("%s: parts of %v, want %v", c.name, sizes, c.sizes)
		}
	}
}
