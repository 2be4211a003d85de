package heap

import "context"

// Limits of the chains that are distinguished.
const (
	maxChainDepth = 64
	maxChains     = 1 << 20
)

// A Chain is a class below the chain of those that dominate it: the objects of one class
// that the same classes dominate. Objects of one class that dominate each other, as those of
// a list do, are in one chain.
type Chain struct {
	Parent  int32 // the chain of what dominates them; 0 is the roots together, or one object
	Class   int32 // -1 for the roots together
	Depth   int32
	Objects int
	Bytes   uint64 // of the objects alone, those outside the heap too
	Example ID     // the most retaining of them; None for the roots together
}

// Chains sums up by chains the objects that count in Tree.Total, or those that below
// dominates with below itself as the first chain, if that is not None. Parents come before
// those below them, the first chain is the top. An object that retains big bytes or more, and
// is not of the class of what dominates it, begins a chain of its own beside that of its
// class, so that it is not lost among others; 0 for none. Chains longer than 64 classes, and those
// after the first million different ones, end where they are cut: their objects count there.
// The error is that of ctx.
func (g *Graph) Chains(ctx context.Context, below ID, big uint64) ([]Chain, []Type, error) {
	of, rows := g.classTable()
	m := chainMaker{chains: []Chain{{Class: -1, Example: None}}, known: map[[2]int32]int32{}}
	at := make([]int32, len(g.tree.idom)) // the chain of each number, plus 1; 0 for none
	first := int32(0)
	if below != None {
		first = g.number[below]
		m.chains[0] = Chain{Class: of[g.typ.of(below)], Objects: 1, Bytes: g.own(below), Example: below}
	}
	at[first] = 1
	for n := first + 1; n < int32(len(at)) && n <= max(g.stage[Stacked], g.limit(first)); n++ {
		if n&0xfffff == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		parent := at[g.tree.idom[n]] - 1
		if parent < 0 {
			continue
		}
		id := g.order[n]
		k := m.below(parent, of[g.typ.of(id)], big > 0 && g.tree.retained.of(n) >= big)
		at[n] = k + 1
		c := &m.chains[k]
		c.Objects++
		c.Bytes += g.own(id)
		if c.Example == None || g.tree.retained.of(n) > g.tree.Retained(c.Example) {
			c.Example = id
		}
	}
	types := make([]Type, len(rows))
	for i := range rows {
		types[i] = rows[i].Type
	}
	return m.chains, types, nil
}

// A chainMaker numbers chains.
type chainMaker struct {
	chains []Chain
	known  map[[2]int32]int32
}

// below returns the chain of a class below another; a new one if it is to be alone.
func (m *chainMaker) below(parent, class int32, alone bool) int32 {
	p := m.chains[parent]
	if p.Class == class && parent != 0 || p.Depth >= maxChainDepth {
		return parent
	}
	key := [2]int32{parent, class}
	c, ok := m.known[key]
	switch {
	case ok && !alone:
		return c
	case len(m.chains) >= maxChains && parent != 0:
		return parent
	}
	c = int32(len(m.chains))
	if !alone {
		m.known[key] = c
	}
	m.chains = append(m.chains, Chain{Parent: parent, Class: class, Depth: p.Depth + 1, Example: None})
	return c
}
