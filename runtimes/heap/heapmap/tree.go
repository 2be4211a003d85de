// Package heapmap turns a heap into a tree that package chart draws: bytes by the objects that retain
// them.
//
// A node is the objects of one class that the same classes dominate (heap.Chains). An object that
// retains 1 % of all bytes or more is a node of its own. A node has its own bytes, including bytes
// outside the heap, and as its children the objects that its objects dominate. So the weight of a node
// is the sum of the bytes that its objects retain, one by one, and the root's weight is all reachable
// bytes. A single object has its own name, with the reference from its dominator.
//
// LIMITATIONS: the ones of heap.Chains. Memory that only several objects keep together is below the
// nearest object that dominates it, often the roots.
package heapmap

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"coredbg/chart"
	"coredbg/core"
	"coredbg/runtimes/heap"
)

// named is the reciprocal of the least share of all bytes that gets a node a name of its own: smaller
// nodes are not drawn.
const named = 1 << 13

// alone is the reciprocal of the least share of all bytes that makes an object a node of its own.
const alone = 100

// Tree returns the tree of a graph, or, if below is not heap.None, of the memory that one object
// retains. It fails only with an error of ctx.
func Tree(ctx context.Context, g *heap.Graph, below heap.ID) (*chart.Node, error) {
	all := g.Tree().Total()
	if below != heap.None {
		all = g.Tree().Retained(below)
	}
	chains, classes, err := g.Chains(ctx, below, max(all/alone, 1))
	if err != nil {
		return nil, err
	}
	m := maker{g: g, chains: chains, classes: classes, retained: make([]uint64, len(chains))}
	nodes := make([]chart.Node, len(chains))
	for i, c := range slices.Backward(chains) {
		if m.retained[i] += c.Bytes; i > 0 {
			m.retained[c.Parent] += m.retained[i]
		}
	}
	for i, c := range chains {
		if i&0xff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		nodes[i].Own = c.Bytes
		if i > 0 {
			p := &nodes[c.Parent]
			p.Children = append(p.Children, &nodes[i])
		}
		if m.retained[i] >= m.retained[0]/named {
			core.ReportProgress(ctx, "naming objects", int64(i), int64(len(chains)))
			m.name(&nodes[i], &c)
		}
	}
	return &nodes[0], nil
}

type maker struct {
	g        *heap.Graph
	chains   []heap.Chain
	classes  []heap.Type
	retained []uint64
}

// name says what a node is.
func (m *maker) name(n *chart.Node, c *heap.Chain) {
	if c.Class < 0 {
		n.Name = "(roots)"
		return
	}
	t := &m.classes[c.Class]
	n.Name = t.Class
	if !t.Internal {
		n.Group = t.Class + "\x00" + t.Place.String()
	}
	src, at := m.g.Source(), m.g.Addr(c.Example)
	example := fmt.Sprintf("%x", uint64(src.Shown(at)))
	if c.Objects == 1 {
		if is := src.Describe(at); is != "" {
			n.Name = is
			if !strings.Contains(is, t.Class) {
				n.Name = t.Class + " " + is
			}
		}
		if by := m.reference(c); by != "" {
			n.Name = by + ": " + n.Name
		}
		n.Detail = append(n.Detail, "object "+example)
	} else {
		n.Name += fmt.Sprintf(" ×%d", c.Objects)
		n.Detail = append(n.Detail, fmt.Sprintf("%d objects, the most retaining is %s", c.Objects, example))
	}
	if t.Place.Known() {
		n.Name += "  " + path.Base(strings.ReplaceAll(t.Place.String(), `\`, "/"))
		n.Detail = append(n.Detail, t.Place.String())
	}
}

// reference returns the name of the dominator's reference to an object; "" if the dominator does not
// refer to it itself, or not by name.
func (m *maker) reference(c *heap.Chain) string {
	d, ok := m.g.Tree().Dominator(c.Example)
	if !ok || d == heap.None {
		return ""
	}
	steps := m.g.Source().Steps([]core.Addr{m.g.Addr(d), m.g.Addr(c.Example)})
	if len(steps) < 2 {
		return ""
	}
	return steps[1].Reference.Named()
}

// Unit writes a weight of the tree, a number of bytes, in three digits and a unit.
func Unit(n uint64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	x, i := float64(n), -1
	for ; x >= 999.5 && i < 5; i++ {
		x /= 1000
	}
	digits := 0
	if x < 9.995 {
		digits = 2
	} else if x < 99.95 {
		digits = 1
	}
	return strconv.FormatFloat(x, 'f', digits, 64) + " " + []string{"kB", "MB", "GB", "TB", "PB", "EB"}[i]
}
