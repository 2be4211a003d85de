package heap

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Tree returns the dominator tree.
func (g *Graph) Tree() *Tree { return g.tree }

// sums adds retained sizes up, once. There is room for them in buf.
func (t *Tree) sums(buf []uint32) {
	all, carry := uint64(0), uint64(0)
	for id := range ID(t.g.Len()) {
		var over uint64
		all, over = bits.Add64(all, t.g.own(id), 0)
		carry |= over
	}
	if carry != 0 {
		all = math.MaxUint64
	}
	t.retained = newByteCounts(buf, all)
	counted := t.g.stage[Stacked]
	for n := int32(len(t.idom)) - 1; n > 0; n-- {
		own := t.g.own(t.g.order[n])
		if t.retained.add(n, own); n <= counted {
			t.total += own
		}
		t.retained.add(t.idom[n], t.retained.of(n))
	}
}

// Total returns the bytes of all objects that certain roots and words of stacks lead to, including
// bytes that they own outside the heap.
func (t *Tree) Total() uint64 { return t.total }

// Retained returns the bytes that would go with an object: its own, and the bytes of all objects that
// only it keeps. It is 0 if the object is not reachable.
func (t *Tree) Retained(id ID) uint64 {
	if n := t.g.number[id]; n > 0 {
		return t.retained.of(n)
	}
	return 0
}

// Dominator returns the nearest object that all ways to id lead through: None if that
// is the roots together; false if id is not reachable.
func (t *Tree) Dominator(id ID) (ID, bool) {
	n := t.g.number[id]
	if n == 0 {
		return None, false
	}
	return t.g.order[t.idom[n]], true
}

// Children returns the objects that id dominates directly, or for None, the objects that only the roots
// dominate: the most retaining first, and at most most of them.
func (t *Tree) Children(id ID, most int) []ID {
	n := int32(0)
	if id != None {
		if n = t.g.number[id]; n == 0 {
			return nil
		}
	}
	var out []ID
	for _, k := range t.below(n) {
		out = append(out, t.g.order[k])
	}
	slices.SortFunc(out, func(a, b ID) int {
		return cmp.Or(-cmp.Compare(t.Retained(a), t.Retained(b)), cmp.Compare(a, b))
	})
	return out[:min(most, len(out))]
}

// below returns the numbers of the objects that number n dominates directly, in order. The first call
// turns the tree round.
func (t *Tree) below(n int32) []int32 {
	t.turn.Do(func() {
		t.first, t.kids = make([]int32, len(t.idom)+1), make([]int32, len(t.idom))
		for _, d := range t.idom[1:] {
			t.first[d]++
		}
		sum := int32(0)
		for i, k := range t.first {
			sum += k
			t.first[i] = sum
		}
		for w := len(t.idom) - 1; w > 0; w-- {
			d := t.idom[w]
			t.first[d]--
			t.kids[t.first[d]] = int32(w)
		}
	})
	return t.kids[t.first[n]:t.first[n+1]]
}

// Each calls visit for each object that certain roots and words of stacks lead to, after the
// one that dominates it, which is None for the roots together.
func (t *Tree) Each(visit func(id, dominator ID)) {
	for n := int32(1); n < int32(len(t.idom)) && n <= t.g.stage[Stacked]; n++ {
		d := None
		if t.idom[n] > 0 {
			d = t.g.order[t.idom[n]]
		}
		visit(t.g.order[n], d)
	}
}
