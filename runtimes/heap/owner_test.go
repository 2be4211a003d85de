package heap

import (
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
)

// A namedHeap is a fake heap whose references have names, as "from-to", and that has functions.
type namedHeap struct {
	*fake
	names     map[string]Reference
	functions map[int]string
	asked     int
}

func (h *namedHeap) Steps(path []core.Addr) []Step {
	h.asked++
	out := make([]Step, len(path))
	for i, a := range path {
		out[i].Class = h.Describe(a)
		if i == 0 {
			continue
		}
		r := &out[i].Reference
		if *r = h.names[fmt.Sprintf("%d-%d", h.ids[path[i-1]], h.ids[a])]; r.Kind == Variable {
			r.Place = Place{"/srv/app.js", 1}
		}
	}
	return out
}

func (h *namedHeap) FunctionOf(at core.Addr) (name string, place Place, ok bool) {
	name, ok = h.functions[h.ids[at]]
	return name, Place{"/srv/app.js", 7}, ok
}

// TestOwners: the nearest property or variable is the owner, and the owner of its object comes next. A property of the
// objects themselves is none.
func TestOwners(t *testing.T) {
	const scope, collection, store, item, service, plain, timer = 0, 1, 2, 3, 4, 5, 6
	types := []Type{{Class: "(context)", Internal: true}, {Class: "Map"}, {Class: "(table)", Internal: true},
		{Class: "Session", Place: Place{File: "/srv/app.js", Line: 3}},
		{Class: "Service", Place: Place{File: "/srv/app.js", Line: 4}}, {Class: "Object"},
		{Class: "Timeout", Place: Place{File: "node:timers", Line: 1}}}
	// 0 a scope, 1 a Service, 2 its Map, 3 the table, 4 a Session that leads back to the Map; 5 a plain object with
	// 6, a Map; 7 a Timeout that has the Service; 8 a function that has 9, a Map.
	f := rooted(laid(types, object(32, scope, 1, 5, 8), object(32, service, 2), object(32, collection, 3),
		object(64, store, 4), object(64, item, 2), object(32, plain, 6),
		object(32, collection), object(32, timer, 1), object(32, plain, 9), object(32, collection)), 0, 7)
	h := &namedHeap{fake: f, functions: map[int]string{8: "Registry"},
		names: map[string]Reference{"0-1": {Kind: Variable, Name: "service"}, "1-2": {Kind: Property, Name: "byUrl"},
			"4-2": {Kind: Property, Name: "owner"},
			"0-5": {Kind: Variable, Name: "config"}, "5-6": {Kind: Property, Name: "cache"},
			"7-1": {Kind: Property, Name: "_onTimeout"},
			"0-8": {Kind: Variable, Name: "Registry"},
			"8-9": {Kind: Property, Name: "items"}}}
	g, err := Build(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	id := func(i int) ID {
		id, ok := g.ID(f.at[i])
		if !ok {
			t.Fatalf("object %d is not in the graph", i)
		}
		return id
	}
	for holder, want := range map[int]string{2: "byUrl of Service/service", 6: "config",
		9: "items of Registry/Registry"} {
		var keys []string
		for _, o := range g.Owners(t.Context(), &Suspect{Kind: Collects, Holder: id(holder), Example: id(4)},
			NewBudget(100)) {
			keys = append(keys, o.Key())
		}
		if got := strings.Join(keys, "/"); got != want {
			t.Errorf("object %d is in %s, want %s", holder, got, want)
		}
	}
	h.asked = 0
	if g.Owners(t.Context(), &Suspect{Kind: Collects, Holder: id(2), Example: id(4)}, NewBudget(1)); h.asked > 1 {
		t.Errorf("%d references were described with a budget of one", h.asked)
	}
	if o := g.Owners(t.Context(), &Suspect{Kind: Collects, Holder: id(6), Example: id(4)},
		NewBudget(100)); len(o) != 1 || o[0].Name != "config.cache" {
		t.Errorf("owners of what a plain object has: %+v", o)
	}
}

// TestNested: many objects in many collections of one collection are found, though none of these holds much.
func TestNested(t *testing.T) {
	types := []Type{{Class: "Map"}, {Class: "Row", Place: Place{File: "/srv/app.js", Line: 3}}, {Class: "Function"}}
	heap := func(outer int32) *fake {
		objects := []func(*fake, int){object(64, outer, many(1, 40)...)}
		for i := range 40 {
			objects = append(objects, object(64, outer, many(41+50*i, 50)...))
		}
		for range 40 * 50 {
			objects = append(objects, object(1024, 1))
		}
		return rooted(laid(types, objects...), 0)
	}
	for outer, want := range map[int32]int{0: 2000, 2: 0} {
		g, err := Build(t.Context(), heap(outer))
		if err != nil {
			t.Fatal(err)
		}
		list, err := g.Suspects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if len(list) > 0 && list[0].Class.Class == "Row" && list[0].Holder == 0 {
			got = list[0].Objects
		}
		if got != want {
			t.Errorf("in a %s: %+v, want %d rows", types[outer].Class, list, want)
		}
	}
}
