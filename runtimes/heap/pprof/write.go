package pprof

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"coredbg/runtimes/heap"
)

// Limits of what is kept apart.
const (
	maxDepth  = 64
	maxChains = 1 << 20
)

// A chain is a class below the chain of those that dominate it.
type chain struct {
	parent  int32
	class   int32
	depth   int32
	objects int64
	bytes   int64
}

// A maker sums objects up by chains.
type maker struct {
	chains []chain // the first is the roots together
	known  map[[2]int32]int32
}

// Write writes the profile of a graph. The error is that of ctx or of w.
func Write(ctx context.Context, w io.Writer, g *heap.Graph) error {
	classes, of := classTable(g)
	m := maker{chains: []chain{{class: -1}}, known: map[[2]int32]int32{}}
	at := make([]int32, g.Len()) // the chain of each object
	n := 0
	g.Tree().Each(func(id, dominator heap.ID) {
		if n++; n&0xfffff == 0 && ctx.Err() != nil {
			return
		}
		parent := int32(0)
		if dominator != heap.None {
			parent = at[dominator]
		}
		at[id] = m.below(parent, of[g.TypeNumber(id)])
		c := &m.chains[at[id]]
		c.objects++
		c.bytes += int64(g.Size(id) + g.External(id))
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return m.profile(classes).Write(w)
}

// below returns the chain of a class below another.
func (m *maker) below(parent, class int32) int32 {
	p := m.chains[parent]
	if p.class == class || p.depth >= maxDepth {
		return parent
	}
	key := [2]int32{parent, class}
	c, ok := m.known[key]
	switch {
	case ok:
		return c
	case len(m.chains) >= maxChains && parent != 0:
		return parent
	}
	c = int32(len(m.chains))
	m.known[key] = c
	m.chains = append(m.chains, chain{parent: parent, class: class, depth: p.depth + 1})
	return c
}

// classTable numbers classes, and says which one each type is of.
func classTable(g *heap.Graph) ([]heap.Type, map[int32]int32) {
	var classes []heap.Type
	known, of := map[[2]string]int32{}, map[int32]int32{}
	for id := range heap.ID(g.Len()) {
		t := g.TypeNumber(id)
		if _, ok := of[t]; ok {
			continue
		}
		typ := g.Type(id)
		k := [2]string{typ.Class, typ.Place}
		n, ok := known[k]
		if !ok {
			n = int32(len(classes))
			known[k] = n
			classes = append(classes, *typ)
		}
		of[t] = n
	}
	return classes, of
}

// profile makes the samples, those with the most bytes first.
func (m *maker) profile(classes []heap.Type) *profile.Profile {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "objects", Unit: "count"}, {Type: "space", Unit: "bytes"}},
		DefaultSampleType: "space",
		PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 1,
	}
	for i, c := range classes {
		file, line := place(c.Place)
		f := &profile.Function{ID: uint64(i + 1), Name: c.Class, SystemName: c.Class, Filename: file, StartLine: line}
		if c.Class == "" {
			f.Name = "(no class)"
		}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: f, Line: line}}})
	}
	for _, c := range m.chains[1:] {
		if c.objects == 0 {
			continue
		}
		s := &profile.Sample{Value: []int64{c.objects, c.bytes}}
		for x := c; x.class >= 0; x = m.chains[x.parent] {
			s.Location = append(s.Location, p.Location[x.class])
		}
		p.Sample = append(p.Sample, s)
	}
	slices.SortStableFunc(p.Sample, func(a, b *profile.Sample) int { return int(min(max(b.Value[1]-a.Value[1], -1), 1)) })
	return p
}

// place splits "file:line".
func place(s string) (string, int64) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 32)
	if err != nil {
		return s, 0
	}
	return s[:i], n
}
