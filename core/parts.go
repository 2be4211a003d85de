package core

import (
	"cmp"
	"slices"
	"sort"
)

// A partIndex finds the module of an address among all the mappings of all
// modules: their extents may nest and interleave, their mappings do not.
type partIndex struct {
	count int // of the modules it was made of
	parts []indexedPart
}

type indexedPart struct {
	start, end Addr
	m          *Module
}

func (p *Process) partIndex() *partIndex {
	if x := p.parts.Load(); x != nil && x.count == len(p.Modules) {
		return x
	}
	x := &partIndex{count: len(p.Modules)}
	for _, m := range p.Modules {
		if len(m.Parts) == 0 {
			x.parts = append(x.parts, indexedPart{m.Start, m.End, m})
		}
		for _, part := range m.Parts {
			x.parts = append(x.parts, indexedPart{part.Start, part.End, m})
		}
	}
	slices.SortStableFunc(x.parts, func(a, b indexedPart) int { return cmp.Compare(a.start, b.start) })
	p.parts.Store(x)
	return x
}

// before returns how many parts start at or below a.
func (x *partIndex) before(a Addr) int {
	return sort.Search(len(x.parts), func(i int) bool { return x.parts[i].start > a })
}

// MappedModule returns the module that has a mapping of its file at a, or nil.
// It opens nothing.
func (p *Process) MappedModule(a Addr) *Module {
	x := p.partIndex()
	i := x.before(a)
	// Mappings do not overlap in an intact core. In a damaged one a few may.
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if a < x.parts[j].end {
			return x.parts[j].m
		}
	}
	return nil
}

// Module returns the module that a belongs to, or nil: the one that has a
// mapping of its file there, the one whose zeroed data (.bss, which no file
// backs) holds the address, or the image of code that the process made itself.
func (p *Process) Module(a Addr) *Module {
	m := p.MappedModule(a)
	if made := p.made(a, m); made != nil {
		return made
	}
	if m != nil {
		return m
	}
	x := p.partIndex()
	i := x.before(a)
	if i == 0 {
		return nil
	}
	last := x.parts[i-1]
	if g, ok := p.Space.Find(a); !ok || g.Prot&Exec != 0 {
		return nil
	}
	f := last.m.Facts()
	if f.Image == nil || !f.BiasKnown || a < last.m.Start {
		return nil
	}
	for _, s := range f.Image.Segments() {
		if link := uint64(a - f.Bias); s.Addr <= link && link-s.Addr < s.MemSize {
			return last.m
		}
	}
	return nil
}
