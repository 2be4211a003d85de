package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A box is a node that is drawn.
type box struct {
	name   string
	detail []string
	group  string
	weight uint64 // with all below
	start  uint64 // where it begins, in the weight of the whole tree
	depth  int
	kids   []*box

	folded       int // children that are too small or too deep to be drawn
	foldedWeight uint64
}

// own returns the weight of a box without its children's weights.
func (b *box) own() uint64 {
	n := b.weight
	for _, k := range b.kids {
		n -= min(n, k.weight)
	}
	return n
}

// maxDepth bounds the levels that are drawn.
const maxDepth = 256

// A flat is a node in a list of all, parents first.
type flat struct {
	*Node
	parent int
	weight uint64
	box    *box // nil: not drawn
}

// boxes adds weights up, and returns the boxes to draw: nodes with at least a share of the whole.
// Smaller nodes become one box together, if that is large enough.
func boxes(root *Node, least float64) *box {
	all := []flat{{Node: root, parent: -1}}
	for i := 0; i < len(all); i++ {
		for _, k := range all[i].Children {
			all = append(all, flat{Node: k, parent: i})
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		n := &all[i]
		if n.weight = sum(n.weight, n.Own); n.parent >= 0 {
			p := &all[n.parent]
			p.weight = sum(p.weight, n.weight)
		}
	}
	limit := uint64(math.Ceil(float64(all[0].weight) * least))
	for i := range all {
		all[i].draw(all, max(limit, 1))
	}
	for i := range all {
		if b := all[i].box; b != nil {
			b.finish(limit)
		}
	}
	top := all[0].box
	top.place()
	return top
}

func sum(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// draw makes the box of a node, or folds it into its parent's box.
func (n *flat) draw(all []flat, limit uint64) {
	b := &box{name: n.Name, detail: n.Detail, group: n.Group, weight: n.weight}
	if n.parent < 0 {
		n.box = b
		return
	}
	p := all[n.parent].box
	switch {
	case p == nil:
	case n.weight < limit || p.depth == maxDepth-1:
		p.folded++
		p.foldedWeight = sum(p.foldedWeight, n.weight)
	default:
		b.depth = p.depth + 1
		p.kids = append(p.kids, b)
		n.box = b
	}
}

// finish sorts the children of a box, heaviest first, the folded ones last.
func (b *box) finish(limit uint64) {
	slices.SortStableFunc(b.kids, func(x, y *box) int {
		return cmp.Or(-cmp.Compare(x.weight, y.weight), cmp.Compare(x.name, y.name))
	})
	if b.folded > 0 && b.foldedWeight >= max(limit, 1) && b.depth < maxDepth-1 {
		b.kids = append(b.kids, &box{name: fmt.Sprintf("%d smaller", b.folded), weight: b.foldedWeight,
			depth: b.depth + 1})
	}
}

// place computes where each box begins.
func (b *box) place() {
	at := b.start
	for _, k := range b.kids {
		k.start = at
		at = sum(at, k.weight)
		k.place() // at most maxDepth deep
	}
}
