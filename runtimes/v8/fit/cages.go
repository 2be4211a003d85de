package fit

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Until V8 9.1 each isolate with compressed pointers has its own cage. Later versions share one cage, except
// between isolate groups if the embedder creates several (src/init/isolate-group.h). The immutable objects,
// such as the map of maps, come from one snapshot and have the same offset in every cage.

// cages returns the start addresses of a process's cages, in order: the cage of meta, a map of maps, and every
// cage with a map of maps at the same offset.
func cages(space *core.Space, x *heapProbe, meta core.Addr) (list []core.Addr) {
	off := meta & (layout.CageSize - 1)
	var seen core.Addr
	for _, s := range space.Segments() {
		base := s.Start &^ (layout.CageSize - 1)
		if s.Kind != core.SegCore || base == seen {
			continue
		}
		seen = base
		at := base + off
		if m, ok := x.metaMap(base, uint64(uint32(at))|1, 4); ok && m == at || at == meta {
			list = append(list, base)
		}
	}
	return list
}

// setCages makes each tagged field refer to the cage that contains it. A code object or a trusted object may be
// outside every cage. It refers to the only cage; if there are several, its cage is unknown.
func setCages(mem *layout.Memory, meta core.Addr) {
	list := cages(mem.Space, &heapProbe{space: mem.Space, order: mem.Order, traced: true}, meta)
	if len(list) == 1 {
		mem.Main = meta
		mem.Cage = func(core.Addr) core.Addr { return list[0] }
		return
	}
	mem.Cage = func(a core.Addr) core.Addr {
		if base := a &^ (layout.CageSize - 1); slices.Contains(list, base) {
			return base
		}
		return 0
	}
}
