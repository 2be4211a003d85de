package heap

import "context"

// Limits of the chains that are distinguished.
const (
	maxChainDepth = 64
	maxChains     = 1 << 20
)

// A Chain is a class with the chain of the classes that dominate it: the objects of one class that the
// same classes dominate. Objects of one class that dominate each other, as in a list, are in one chain.
type Chain struct {
	Parent  int32 // the chain of their dominators; 0 is the roots together, or one object
	Class   int32 // -1 for the roots together
	Depth   int32
	Objects int
	Bytes   uint64 // of the objects alone, those outside the heap too
	Example ID     // the most retaining of them; None for the roots together
}

// Chains sums up by chains the objects that count in Tree.Total. If below is not None, it sums up the
// objects that below dominates, with below itself as the first chain. Parents come before their
// children, and the first chain is the top.
//
// An object that retains big bytes or more, and whose dominator has another class, gets its own chain
// next to its class' chain, so that it is not lost among others; 0 turns this off. Chains longer than
// 64 classes, and chains after the first million different ones, are cut: their objects count where the
// cut is. Chains fails only with an error of ctx.
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
