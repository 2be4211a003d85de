package v8

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Until V8 9.1 each isolate with compressed pointers has a cage of its own; later ones share one, but
// those of different groups, if the embedder makes such (src/init/isolate-group.h). The objects that
// never change, as the map of maps, are of one snapshot in all of them, and lie at the same offset of each.

// cages returns where the cages of a process begin, in order: the one of meta, a map of maps, and
// those that have one at the same place.
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

// setCages says which cage tagged fields refer to: that in which they lie. Code and trusted objects may
// lie outside of any, and refer to the only cage; if there are several, to one that is not known.
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
