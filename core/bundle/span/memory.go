package span

import (
	"sort"

	"coredbg/core"
)

// A Memory says where a core's file has the memory of the process.
type Memory struct {
	Segments []core.Segment // of its space, in order
}

// All returns the joined ranges of the core file that segments have.
func (m Memory) All(size int64) []Range {
	var out []Range
	for _, s := range m.Segments {
		if s.Kind == core.SegCore {
			out = append(out, Between(s.Off, s.Off+int64(s.Size())))
		}
	}
	return Join(out, size)
}

// Ranges returns where the core file has the memory in [lo, hi).
func (m Memory) Ranges(lo, hi core.Addr) []Range {
	var out []Range
	i := sort.Search(len(m.Segments), func(i int) bool { return m.Segments[i].End > lo })
	for ; i < len(m.Segments) && m.Segments[i].Start < hi; i++ {
		if s := &m.Segments[i]; s.Kind == core.SegCore {
			from, to := max(lo, s.Start), min(hi, s.End)
			out = append(out, Between(s.Off+int64(from-s.Start), s.Off+int64(to-s.Start)))
		}
	}
	return out
}

// MaxStack is the most bytes that a stack is believed to have.
const MaxStack = 1 << 30

// StackAt returns the mapping that has the stack at an address. If mappings are not known, as in
// minidumps, it is the part of the stack that the core has.
func StackAt(p *core.Process, sp core.Addr) (core.Mapping, bool) {
	if m, ok := p.Mapping(sp); ok {
		return m, true
	}
	s, ok := p.Space.Resolve(sp)
	if !ok || s.Kind != core.SegCore {
		return core.Mapping{}, false
	}
	return core.Mapping{Start: s.Start, End: s.End, Prot: core.Read | core.Write}, true
}
