package heap

import "sync"

// A Tree is the dominator tree of the reachable objects of a graph: the dominator of
// an object is the nearest one that all ways from roots lead through.
type Tree struct {
	g        *Graph
	idom     []int32  // by depth-first number; 0 is the roots together
	retained []uint64 // by depth-first number: bytes, those outside the heap too
	total    uint64

	turn  sync.Once
	first []int32 // where the children of each number begin in kids
	kids  []int32
}

// dominators computes immediate dominators by semi-NCA over the depth-first tree that
// parent is. It uses up semi and label, which need not be long enough: arrays that nobody
// needs any more save as much at the time when most is in use.
func dominators(g *Graph, parent, semi []int32, label []uint32) *Tree {
	n := int32(len(g.order))
	s := semiNCA{g: g, up: parent, semi: atLeast(semi, n), label: atLeast(label, n)}
	idom := append([]int32(nil), parent...)
	for w := n - 1; w > 0; w-- {
		s.take(w, idom[w])
	}
	for w := int32(1); w < n; w++ {
		d := idom[w]
		for d > s.semi[w] {
			d = idom[d]
		}
		idom[w] = d
	}
	t := &Tree{g: g, idom: idom}
	t.sums()
	return t
}

// atLeast returns an array of n numbers: buf, if that is long enough.
func atLeast[T any](buf []T, n int32) []T {
	if int(n) <= cap(buf) {
		return buf[:n]
	}
	return make([]T, n)
}

// A semiNCA finds semidominators. Everything is numbered depth first.
type semiNCA struct {
	g     *Graph
	up    []int32 // an ancestor: the parent, or one that paths were compressed to
	semi  []int32
	label []uint32 // the least semidominator on the way up to, and without, up
	path  []int32
}

// take finds the semidominator of w. All objects with a greater number are done.
func (s *semiNCA) take(w, parent int32) {
	best := parent
	id := s.g.order[w]
	if s.g.rooted.has(id) {
		best = 0
	}
	limit := s.g.limit(w)
	for _, p := range s.g.In(id) {
		v := s.g.number[p]
		if v == 0 || v > limit || best == 0 {
			continue
		}
		if v > w {
			v = s.eval(v, w)
		}
		best = min(best, v)
	}
	s.semi[w], s.label[w] = best, uint32(best)
}

// eval returns the least semidominator on the way from v up to, and without, the
// first object that is not done: those with numbers up to w are not.
func (s *semiNCA) eval(v, w int32) int32 {
	if s.up[v] <= w {
		return int32(s.label[v])
	}
	s.path = s.path[:0]
	for s.up[v] > w {
		s.path = append(s.path, v)
		v = s.up[v]
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		u := s.path[i]
		s.label[u] = min(s.label[u], s.label[s.up[u]])
		s.up[u] = s.up[v]
	}
	return int32(s.label[s.path[0]])
}
