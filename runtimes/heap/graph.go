package heap

import (
	"cmp"
	"slices"

	"coredbg/core"
)

// A Graph is the objects of a heap and their references. It does not change once it
// is built.
type Graph struct {
	Objects
	src   Source
	roots []Root          // by target
	first map[ID][2]int32 // the roots of an object, as indices of roots

	in     []rows  // the objects that refer to each, by part; only reachable ones count
	order  []ID    // reachable objects in depth-first order, from number 1 on
	number []int32 // the reverse: 0 for objects that are not reachable
	stage  [strengths]int32
	rooted bitset // objects that count as kept by a root
	Edges  int64  // strong references of reachable and of other objects
	tree   *Tree
}

// Damage says what the graph lacks; nil if everything could be read.
func (g *Graph) Damage() *Damage { return g.src.Damage() }

// Source returns the source of the graph.
func (g *Graph) Source() Source { return g.src }

// ClassOf returns the class of an object as a way shows it.
func (g *Graph) ClassOf(id ID) string { return g.src.Steps([]core.Addr{g.Addr(id)})[0].Class }

// Matters reports whether a root does: one that may be left over matters only for
// an object that no surer root leads to.
func (g *Graph) Matters(r *Root) bool {
	id, ok := g.ID(r.Target)
	return ok && (r.Strength == Certain || !g.Reachable(id, r.Strength-1))
}

// Reachable reports whether roots of the given strength, or stronger ones, lead to an
// object.
func (g *Graph) Reachable(id ID, s Strength) bool {
	n := g.number[id]
	return n > 0 && n <= g.stage[min(s, Loose)]
}

// Strength returns the strength of the strongest roots that lead to an object; false
// if none do.
func (g *Graph) Strength(id ID) (Strength, bool) {
	for s := Certain; s < strengths; s++ {
		if g.Reachable(id, s) {
			return s, true
		}
	}
	return 0, false
}

// limit returns the last number of the stage that number n was given in. Objects that only weaker roots
// lead to keep no object that stronger roots do.
func (g *Graph) limit(n int32) int32 {
	for _, end := range g.stage {
		if n <= end {
			return end
		}
	}
	return 0
}

// Kept returns how many objects roots of the given strength lead to.
func (g *Graph) Kept(s Strength) int { return int(g.stage[s]) }

// In returns the objects that refer to one strongly, in order of address. An object is repeated for
// each of its references, except for repetitions in a row.
func (g *Graph) In(id ID) []ID {
	var list []ID
	in := g.row(id)
	for p := in.next(); p != None; p = in.next() {
		list = append(list, p)
	}
	return list
}

// row returns what In returns, one by one.
func (g *Graph) row(id ID) row { return g.in[id>>partBits].row(id) }

// Holders returns the objects that refer to one strongly, each once, the most retaining first and at
// most most of them; all if most is 0.
func (g *Graph) Holders(id ID, most int) []ID {
	out := g.In(id)
	slices.Sort(out)
	out = slices.Compact(out)
	slices.SortStableFunc(out, func(a, b ID) int { return -cmp.Compare(g.tree.Retained(a), g.tree.Retained(b)) })
	if most > 0 {
		out = out[:min(most, len(out))]
	}
	return out
}

// Out calls visit for the objects that one refers to strongly.
func (g *Graph) Out(id ID, visit func(ID)) {
	at := g.Addr(id)
	g.src.Reader().Edges(at, g.Size(id), g.typ.of(id), func(from, to core.Addr) {
		if from != at {
			return
		}
		if t, ok := g.index.id(to); ok {
			visit(t)
		}
	})
}

// Roots returns the roots that refer to an object.
func (g *Graph) Roots(id ID) []Root {
	r, ok := g.first[id]
	if !ok {
		return nil
	}
	return g.roots[r[0]:r[1]]
}

// AllRoots returns all known roots, in order of their targets.
func (g *Graph) AllRoots() []Root { return g.roots }
