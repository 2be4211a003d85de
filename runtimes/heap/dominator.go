package heap

import (
	"context"
	"sync"
)

// A Tree is the dominator tree of the reachable objects of a graph: the dominator of
// an object is the nearest one that all ways from roots lead through.
type Tree struct {
	g        *Graph
	idom     []int32    // by depth-first number; 0 is the roots together
	retained byteCounts // by depth-first number: bytes, those outside the heap too
	total    uint64

	turn  sync.Once
	first []int32 // where the children of each number begin in kids
	kids  []int32
}

// dominators computes immediate dominators by semi-NCA over the depth-first tree.
func (b *builder) dominators(ctx context.Context) error {
	n := int32(len(b.order))
	s := semiNCA{g: b.Graph, up: b.parent, label: b.at[:n]}
	b.parent, b.at = nil, nil
	var done stream
	for w := n - 1; w > 0; w-- {
		if w&0xfffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		parent := s.up[w] // still, for only what is done is compressed
		semi := s.semidominator(w, parent)
		s.label[w] = uint32(semi)
		s.push(&done, &b.pool, w-parent, parent-semi)
	}
	idom := s.up // no longer needed
	for w := int32(1); w < n; w++ {
		up, more := s.pop(&done, &b.pool)
		d := w - up
		semi := d - more
		for d > semi {
			d = idom[d]
		}
		idom[w] = d
	}
	b.tree = &Tree{g: b.Graph, idom: idom}
	b.tree.sums(s.label)
	return nil
}

// A semiNCA finds semidominators. Everything is numbered depth first.
type semiNCA struct {
	g     *Graph
	up    []int32  // an ancestor: the parent, or one that paths were compressed to
	label []uint32 // the least semidominator on the way up to, and without, up
	path  []int32
}

// push keeps how far the parent is, and how far above it the semidominator. That needs a
// byte or two, for it mostly is the parent; and both are needed only after all of
// them are known, in the reverse order.
func (s *semiNCA) push(done *stream, p *pool, up, more int32) {
	if more == 0 {
		done.push(p, uint64(up)<<1)
		return
	}
	done.push(p, uint64(more))
	done.push(p, uint64(up)<<1|1)
}

func (s *semiNCA) pop(done *stream, p *pool) (up, more int32) {
	v := done.pop(p)
	if v&1 != 0 {
		more = int32(done.pop(p))
	}
	return int32(v >> 1), more
}

// semidominator returns the semidominator of w. All objects with a greater number are done.
func (s *semiNCA) semidominator(w, parent int32) int32 {
	id := s.g.order[w]
	if s.g.rooted.has(id) {
		return 0
	}
	best, limit := parent, s.g.limit(w)
	in := s.g.row(id)
	for p := in.next(); p != None && best > 0; p = in.next() {
		v := s.g.number[p]
		if v == 0 || v > limit {
			continue
		}
		if v > w {
			v = s.eval(v, w)
		}
		best = min(best, v)
	}
	return best
}

// eval returns the least semidominator on the way from v up to, and without, the first object that is
// not done: objects with numbers up to w are not.
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
