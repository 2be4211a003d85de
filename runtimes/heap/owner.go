package heap

import (
	"cmp"
	"context"
	"strings"

	"coredbg/core"
)

// An Owner is what a program calls the place that holds an object: a property of an
// object of a class, or a variable.
type Owner struct {
	// Name is the name of the property or variable; "_events.tick" for the property tick of
	// a plain object that is in the property _events.
	Name string
	// Class is the class of the object that has the property, or the function whose local
	// variable it is; "" for any other variable.
	Class string
	// Place is where the program defines the class or the variable.
	Place Place
	// Object is what has the property.
	Object ID
}

// Key returns the name that is equal in all runs: without the keys of plain objects in a
// property.
func (o *Owner) Key() string {
	name, _, _ := strings.Cut(o.Name, ".")
	if o.Class == "" {
		return name
	}
	return name + " of " + o.Class
}

// String names it: "cache of Api (/srv/api.js:3)".
func (o *Owner) String() string {
	s := o.Name
	if o.Class != "" {
		s += " of " + o.Class
	}
	if o.Place.Known() {
		s += " (" + o.Place.String() + ")"
	}
	return s
}

// A FunctionNamer is a Describer of a language whose functions are objects.
type FunctionNamer interface {
	// FunctionOf returns the name and the place of the function that an object is, or
	// that it runs; false for other objects.
	FunctionOf(at core.Addr) (name string, place Place, ok bool)
}

// A Budget bounds all searches for owners together, in references that are described.
type Budget struct{ left int }

// NewBudget returns a budget of n descriptions.
func NewBudget(n int) *Budget { return &Budget{left: n} }

// The limits of a search for owners.
const (
	maxOwners     = 3       // of one object
	maxOwnerWay   = 12      // references between an object and its owner
	maxOwnerLooks = 50_000  // objects that are looked at
	maxDominators = 1 << 20 // steps up the dominator tree
)

// Owners returns the owners of a suspect's objects, outward: the property or variable
// nearest to their holder, the owner of the object that has that property, and so on up to
// a variable. It returns nil if no property or variable holds them, or if the source is no
// FunctionNamer.
func (g *Graph) Owners(ctx context.Context, s *Suspect, b *Budget) []Owner {
	names, ok := g.src.(FunctionNamer)
	if !ok || s.Evidence != nil && s.Evidence.Listed {
		return nil
	}
	var out []candidate
	from := s.Target()
	if holder := s.Holder; s.Kind == Collects && holder == None {
		// A table that is being copied has no holder of its own: a stack refers to it, too.
		if from = s.under; from == None {
			return nil
		}
	} else if s.Kind == Collects && !g.plain(holder) {
		// The holder is an object of a class: look for its property that leads to them.
		f := ownerFinder{g: g, b: b, names: names, top: g.number[holder]}
		if o := f.find(ctx, s.Example); o != nil {
			out, from = append(out, *o), o.Object
		}
	}
	return g.outward(ctx, from, b, names, out)
}

// OwnersOf returns the owners of an object as Owners does.
func (g *Graph) OwnersOf(ctx context.Context, id ID, b *Budget) []Owner {
	names, ok := g.src.(FunctionNamer)
	if _, reachable := g.Strength(id); !ok || !reachable {
		return nil
	}
	return g.outward(ctx, id, b, names, nil)
}

// outward adds to out the owners of an object, up to a variable.
func (g *Graph) outward(ctx context.Context, from ID, b *Budget, names FunctionNamer, out []candidate) []Owner {
	for len(out) < maxOwners && (len(out) == 0 || out[len(out)-1].Class != "") {
		f := ownerFinder{g: g, b: b, names: names}
		o := f.find(ctx, from)
		if o == nil {
			break
		}
		out, from = append(out, *o), o.Object
	}
	return ownersOf(out)
}

// ownersOf returns the owners of a chain up to the last that a program names itself: all of
// a program is in tables of its platform in the end.
func ownersOf(all []candidate) []Owner {
	last := 0
	for i := range all {
		if all[i].rank < otherClass {
			last = i
		}
	}
	var out []Owner
	for i := range all[:min(len(all), last+1)] {
		out = append(out, all[i].Owner)
	}
	return out
}

// plain reports whether an object is one of the language's own, such as a collection.
func (g *Graph) plain(id ID) bool { return !g.Type(id).Place.Known() }

// An ownerFinder goes from an object outward, breadth first.
type ownerFinder struct {
	g      *Graph
	b      *Budget
	names  FunctionNamer
	start  ID
	top    int32          // the number of the object that must dominate owners, or be one; 0 for none
	inside map[int32]bool // of numbers: whether start dominates them
	below  map[int32]bool // of numbers: whether top does
	toward map[ID]ID      // the next object on the way to start
	called map[ID]string  // how a plain object refers to that
	walked int
}

// A candidate is an owner, and how good it is.
type candidate struct {
	Owner
	rank int
}

// find returns the owner of an object; nil if there is none.
func (f *ownerFinder) find(ctx context.Context, id ID) *candidate {
	f.start, f.toward, f.called = id, map[ID]ID{id: id}, map[ID]string{}
	f.inside, f.below = map[int32]bool{f.g.number[id]: true}, map[int32]bool{f.top: true}
	layer := []ID{id}
	for i := 0; i < maxOwnerWay && len(layer) > 0 && ctx.Err() == nil; i++ {
		var best *candidate
		var next []ID
		for _, c := range layer {
			in := f.g.row(c)
			for p := in.next(); p != None; p = in.next() {
				if !f.leads(p) {
					continue
				}
				if !f.g.Type(p).Internal && f.g.Type(c).Program && !f.makes(p, c) {
					continue // what an object shares with others of its shape is not in it
				}
				f.toward[p] = c
				next = append(next, p)
				if x, ok := f.describe(p, c); ok && (best == nil || f.better(&x, best)) {
					best = &x
				}
			}
		}
		if best != nil {
			return best
		}
		layer = next
	}
	return nil
}

// leads reports whether ways outward go on with p: it lives, and not by start alone.
func (f *ownerFinder) leads(p ID) bool {
	if len(f.toward) >= maxOwnerLooks || f.g.Type(p).Late || !f.g.Reachable(p, Stacked) {
		return false
	}
	if _, seen := f.toward[p]; seen {
		return false
	}
	n := f.g.number[p]
	return !f.under(f.g.number[f.start], n, f.inside) && (f.top == 0 || f.under(f.top, n, f.below))
}

// under reports whether number n is top or dominated by it, and notes it.
func (f *ownerFinder) under(top, n int32, known map[int32]bool) bool {
	var way []int32
	is, ok := known[n]
	for !ok && n > top && f.walked < maxDominators { // a dominator has the smaller number
		way = append(way, n)
		n = f.g.tree.idom[n]
		f.walked++
		is, ok = known[n]
	}
	for _, k := range way {
		known[k] = is
	}
	return is
}

// The ranks of candidates that are equally near.
const (
	ownClass = iota // a property of a class of the program
	aVariable
	aGlobal
	otherClass // or variable, of the platform
	placeless
)

// better reports whether a says more than b. An object that all ways lead through comes first.
func (f *ownerFinder) better(a, b *candidate) bool {
	da, db := f.dominates(a.Object), f.dominates(b.Object)
	if da != db {
		return da
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.Name, b.Name), strings.Compare(a.Class, b.Class),
		a.Place.Compare(b.Place), cmp.Compare(a.Object, b.Object)) < 0
}

func (f *ownerFinder) dominates(id ID) bool {
	at := f.g.number[id]
	n := f.g.number[f.start]
	for i := 0; n > at && i < maxOwnerWay; i++ {
		n = f.g.tree.idom[n]
	}
	return n == at
}

// makes reports whether p is a function that makes objects of the shape c.
func (f *ownerFinder) makes(p, c ID) bool {
	if f.b.left <= 0 {
		return false
	}
	f.b.left--
	r := f.g.src.Steps([]core.Addr{f.g.Addr(p), f.g.Addr(c)})[1].Reference
	return r.Kind == Property && r.Name == "prototype"
}

// describe returns the owner that p is by the way that it refers to c, if it is one.
func (f *ownerFinder) describe(p, c ID) (candidate, bool) {
	if f.b.left <= 0 {
		return candidate{}, false
	}
	f.b.left--
	g := f.g
	path := []core.Addr{g.Addr(p), g.Addr(c)}
	t := g.Type(p)
	if !t.Internal && g.Type(c).Internal && c != f.start {
		path = append(path, g.Addr(f.toward[c])) // through a store of properties
	}
	steps := g.src.Steps(path)
	x := candidate{Owner: Owner{Object: p}}
	last := steps[len(steps)-1].Reference
	if name, ok := last.Variable(); ok {
		x.Name, x.Place, x.rank = f.name(name, c), last.Place, aVariable
		switch {
		case !x.Place.Known() && last.Kind == Variable:
			x.rank = placeless
		case !x.Place.Known():
			x.rank = aGlobal
		case !x.Place.OfProgram():
			x.rank = otherClass
		}
		return x, name != "" && len(path) == 2
	}
	if t.Internal {
		return x, false
	}
	name, local, ok := f.memberOf(last, c)
	if !ok {
		return x, false
	}
	function, place, isFunction := f.names.FunctionOf(path[0])
	switch {
	case isFunction && function == "":
		return x, false
	case local && isFunction:
		x.Name, x.Class, x.Place, x.rank = "a local variable", function, place, aVariable
		return x, true
	case local:
		return x, false
	case isFunction:
		x.Class, x.Place, x.rank = function, place, ownClass
	case t.Class == "Object" || t.Class == "Array":
		f.called[p] = name
		return x, false
	default:
		x.Class, x.Place = t.Class, t.Place
	}
	if !x.Place.OfProgram() {
		x.rank = otherClass
	}
	x.Name = f.name(name, c)
	return x, true
}

// memberOf returns the name of the property, or of the local variable of a generator, that refers to c.
func (f *ownerFinder) memberOf(r Reference, c ID) (name string, local, ok bool) {
	switch {
	case r.Kind == Local, r.Kind == Property:
		return r.Name, r.Kind == Local, true
	case f.g.Type(c).Program:
		return "prototype", false, true
	}
	return "", false, false
}

// name adds to the name of a property or variable the names that lead on from c.
func (f *ownerFinder) name(name string, c ID) string {
	for c != f.start {
		if called := f.called[c]; called != "" {
			name += "." + called
		}
		c = f.toward[c]
	}
	return name
}
