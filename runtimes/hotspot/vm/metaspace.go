package vm

import (
	"coredbg/core"
	"coredbg/runtimes"
)

// No table of libjvm describes the metaspace. Its objects are found by their contents
// (share/memory/metaspace/*.hpp, JDK 16 to 27):
//
//	MetaspaceContext: its name, "non-class-space" or "class-space"; the VirtualSpaceList and the ChunkManager, which both begin with
//	the name, too. A static pointer to it is somewhere in the data of libjvm.
//	VirtualSpaceList: name, first node … reserved words, committed words
//	ClassLoaderData … ClassLoaderMetaspace … MetaspaceArena … ChunkManager, ArenaGrowthPolicy, first Metachunk
//	Metachunk: base, used words, committed words, level and state, VirtualSpaceNode, previous, next
const (
	nonClassSpace = "non-class-space"
	classSpace    = "class-space"

	rootChunk     = 4 << 20  // bytes; memory is reserved in multiples
	granule       = 64 << 10 // bytes; memory is committed in multiples
	maxReserved   = 1 << 43
	maxData       = 64 << 20 // bytes of libjvm's data
	maxLoaders    = 1 << 20
	maxChunks     = 1 << 20
	listWords     = 16 // words of a VirtualSpaceList that are looked at
	dataWords     = 64 // of a ClassLoaderData
	loaderWords   = 8  // of a ClassLoaderMetaspace
	arenaWords    = 8  // of a MetaspaceArena
	chunkNextWord = 6
)

// A spaceContext is a MetaspaceContext.
type spaceContext struct {
	at, manager         core.Addr
	reserved, committed uint64
}

// metaspace returns the sizes of the memory for classes, and the bytes that the classes of each loader use.
// It returns nothing before JDK 16.
func (d *describer) metaspace() (spaces []runtimes.JavaSpace, loaders []runtimes.JavaLoader) {
	contexts := d.contexts()
	other, class := contexts[nonClassSpace], contexts[classSpace]
	if other == nil {
		return nil, nil
	}
	whole := runtimes.JavaSpace{Name: "in all", Committed: other.committed, Reserved: other.reserved}
	spaces = []runtimes.JavaSpace{whole}
	if class != nil {
		spaces[0].Committed += class.committed
		spaces[0].Reserved += class.reserved
		spaces = append(spaces, runtimes.JavaSpace{Name: "class space", Committed: class.committed,
			Reserved: class.reserved})
	}
	managers := map[core.Addr]bool{other.at: false, other.manager: false}
	if class != nil {
		managers[class.at], managers[class.manager] = true, true
	}
	loaders, inClass := d.loaders(managers)
	if len(loaders) == 0 {
		d.problem("what classes use of the metaspace was not found")
	}
	for _, l := range loaders {
		spaces[0].Used += l.Used
	}
	if class != nil {
		spaces[1].Used = inClass
	}
	return spaces, loaders
}

// contexts looks for the contexts in the data of libjvm, by their names.
func (d *describer) contexts() map[string]*spaceContext {
	out := map[string]*spaceContext{}
	static, ok := d.StaticAt("Universe._collectedHeap")
	if !ok {
		return out
	}
	for _, m := range d.data(static) {
		for at := m.Start; at < m.End && len(out) < 2; {
			b, err := d.Process.Space.Window(at)
			if err != nil || len(b) < 8 {
				at = (at + core.TracePage) &^ (core.TracePage - 1)
				continue
			}
			b = b[:min(len(b), int(m.End-at))&^7]
			at += core.Addr(len(b))
			for ; len(b) >= 8; b = b[8:] {
				p := core.Addr(d.Process.Arch.Order.Uint64(b))
				if p%8 != 0 || p < core.TracePage || p>>47 != 0 || m.Start <= p && p < m.End {
					continue
				}
				if name, x := d.context(p); x != nil && out[name] == nil {
					out[name] = x
				}
			}
		}
	}
	return out
}

// data returns the memory that can be written next to an address, without gaps: the data of a library.
func (d *describer) data(static core.Addr) (out []core.Mapping) {
	all := d.Process.Mappings
	for i := range all {
		if !(all[i].Start <= static && static < all[i].End) {
			continue
		}
		first, last := i, i
		for first > 0 && all[first-1].End == all[first].Start && all[first-1].Prot&core.Write != 0 {
			first--
		}
		for last+1 < len(all) && all[last].End == all[last+1].Start && all[last+1].Prot&core.Write != 0 {
			last++
		}
		size := uint64(0)
		for _, m := range all[first : last+1] {
			if size += uint64(m.End - m.Start); size <= maxData {
				out = append(out, m)
			}
		}
	}
	return out
}

// context reads the MetaspaceContext at an address; nil if there is none.
func (d *describer) context(at core.Addr) (name string, x *spaceContext) {
	w := d.Words(at, 3)
	if len(w) < 3 || w[0] == 0 || w[1]%8 != 0 || w[2]%8 != 0 {
		return "", nil
	}
	b, _ := d.Process.Space.Slice(w[0], len(nonClassSpace)+1)
	switch {
	case len(b) > len(nonClassSpace) && string(b) == nonClassSpace+"\x00":
		name = nonClassSpace
	case len(b) > len(classSpace) && string(b[:len(classSpace)+1]) == classSpace+"\x00":
		name = classSpace
	default:
		return "", nil
	}
	list := d.Words(w[1], listWords)
	for len(list) > 0 && list[0] != w[0] {
		list = list[1:] // a virtual table is before the name
	}
	for i := 2; i+1 < len(list); i++ {
		reserved, committed := 8*uint64(list[i]), 8*uint64(list[i+1])
		if reserved > 0 && reserved%rootChunk == 0 && reserved <= maxReserved && committed > 0 &&
			committed%granule == 0 && committed <= reserved {
			return name, &spaceContext{at, w[2], reserved, committed}
		}
	}
	return "", nil
}

// loaders returns what the classes of each loader use, and how much of that is in the class space. Managers
// are the addresses that an arena has; the value is true for the class space.
func (d *describer) loaders(managers map[core.Addr]bool) (out []runtimes.JavaLoader, inClass uint64) {
	head, ok := d.StaticAt("ClassLoaderDataGraph._head")
	next, ok1 := d.Optional("ClassLoaderData._next")
	if !ok || !ok1 {
		return nil, 0
	}
	c := d.Process.Cursor()
	member := -1 // of a ClassLoaderData: its ClassLoaderMetaspace
	seen := map[core.Addr]bool{}
	for data := c.Pointer(head); data != 0 && c.Err() == nil && !seen[data] &&
		len(seen) < maxLoaders; data = c.Pointer(data.Add(next)) {
		seen[data] = true
		l := runtimes.JavaLoader{Data: data}
		w := d.Words(data, dataWords)
		for i, m := range w {
			if member >= 0 && i != member {
				continue
			}
			for _, a := range d.Words(m, loaderWords) {
				if used, committed, class, ok := d.arena(a, managers); ok {
					member = i
					l.Used += used
					l.Committed += committed
					if class {
						inClass += used
					}
				}
			}
			if l.Used > 0 {
				break
			}
		}
		if l.Used > 0 {
			l.Loader, l.Name = d.r.LoaderOf(data)
			out = append(out, l)
		}
	}
	return out, inClass
}

// arena sums the chunks of the MetaspaceArena at an address; ok is false if there is none.
func (d *describer) arena(at core.Addr, managers map[core.Addr]bool) (used, committed uint64, class, ok bool) {
	w := d.Words(at, arenaWords)
	for i := 0; i+2 < len(w); i++ {
		if class, ok = managers[w[i]]; !ok {
			continue
		}
		chunk := w[i+2]
		for n := 0; chunk != 0 && n < maxChunks; n++ {
			x := d.Words(chunk, chunkNextWord+1)
			if len(x) <= chunkNextWord || x[1] > x[2] || 8*uint64(x[2]) > maxReserved {
				d.problem("a chunk of the metaspace at %v cannot be read", chunk)
				break
			}
			used += 8 * uint64(x[1])
			committed += 8 * uint64(x[2])
			chunk = x[chunkNextWord]
		}
		return used, committed, class, true
	}
	return 0, 0, false, false
}
