package v8

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// Where no table has the instance types of a version, the read-only heap tells them: its
// maps lie there in the order in which V8 makes them (heap/setup-heap-internal.cc), which
// changes little between versions, and each says the type of its instances. The list of
// them is laid beside that of a version whose types are known; what the maps on both
// sides look like says which belong together.

// A roMap is what a map of the read-only heap looks like.
type roMap struct {
	typ   int
	words int // of an instance; 0 if they vary
	kind  int // bit_field2, with the kind of elements
	meta  bool
}

// maxROMaps is more than the maps of the read-only heap of any version.
const maxROMaps = 1 << 10

// readROMaps reads the maps that lie in the chunk of the map of maps, in their order.
func (u *Undecoded) readROMaps(t runtimes.Target, c layout.Constants) (list []roMap) {
	at := func(prefix string) int {
		off, ok := c.Find(prefix)
		if !ok {
			return -1
		}
		return off
	}
	size, typ, kind := at("class_Map__instance_size_in_words__"), at("class_Map__instance_type__"), at("class_Map__bit_field2__")
	if size < 0 || typ < 0 || kind < 0 {
		return nil
	}
	order, width := t.Process.Arch.Order, u.heap.width
	start := u.heap.meta &^ (layout.ChunkSize - 1)
	data := make([]byte, layout.ChunkSize)
	n, _ := peek(t.Process.Space, data, start)
	data = data[:n]
	x := &heapProbe{order: order}
	want := uint64(u.heap.meta) | 1
	if width == 4 {
		want &= 1<<32 - 1
	}
	room := max(size, typ+1, kind) + 1
	for i := 0; i+room <= len(data) && i+width <= len(data) && len(list) < maxROMaps; i += width {
		if x.word(data[i:], width) == want {
			_, _ = t.Process.Space.ReadAt(data[i:i+room], start+core.Addr(i)) // for a copy of the process
			list = append(list, roMap{int(order.Uint16(data[i+typ:])), int(data[i+size]), int(data[i+kind]), start+core.Addr(i) == u.heap.meta})
		}
	}
	return list
}

// Scores of laying two maps side by side.
const (
	scoreSame  = 2
	scoreOther = -6
	scoreGap   = -1
	scoreWords = 3
)

// score says how alike two maps of different versions are. Strings have the bits of their
// representation in their types, which do not change; the bit that says whether they are
// internalized has moved.
func (m roMap) score(o roMap, sameWidth bool) int {
	const firstNonstring, stringBits = 128, 0x1f
	if m.meta || o.meta {
		if m.meta && o.meta {
			return -8 * scoreOther
		}
		return 4 * scoreOther
	}
	if (m.typ < firstNonstring) != (o.typ < firstNonstring) || m.typ < firstNonstring && m.typ&stringBits != o.typ&stringBits {
		return 4 * scoreOther
	}
	n := 0
	for _, same := range []bool{m.kind == o.kind, (m.words == 0) == (o.words == 0)} {
		if same {
			n += scoreSame
		} else {
			n += scoreOther
		}
	}
	// Objects with nothing but tagged fields have as many words in all builds.
	switch {
	case m.words == o.words:
		n += scoreWords
	case sameWidth && m.words != 0 && o.words != 0:
		n -= scoreWords
	}
	return n
}

// alignMaps returns for each map of one list the index in the other, or -1.
func alignMaps(known, seen []roMap, sameWidth bool) []int {
	best := make([][]int, len(known)+1)
	for i := range best {
		best[i] = make([]int, len(seen)+1)
	}
	for i := len(known); i >= 0; i-- {
		for j := len(seen); j >= 0; j-- {
			switch {
			case i == len(known):
				best[i][j] = scoreGap * (len(seen) - j)
			case j == len(seen):
				best[i][j] = scoreGap * (len(known) - i)
			default:
				best[i][j] = max(best[i+1][j+1]+known[i].score(seen[j], sameWidth), best[i+1][j]+scoreGap, best[i][j+1]+scoreGap)
			}
		}
	}
	out := make([]int, len(known))
	for i, j := 0, 0; i < len(known); {
		switch {
		case j < len(seen) && best[i][j] == best[i+1][j+1]+known[i].score(seen[j], sameWidth):
			out[i] = j
			i, j = i+1, j+1
		case j < len(seen) && best[i][j] == best[i][j+1]+scoreGap:
			j++
		default:
			out[i] = -1
			i++
		}
	}
	return out
}

// typesByMaps returns the numbers of instance types in this core by those of the table: the
// number that most of the maps have that lie beside each type's.
func typesByMaps(known, seen []roMap, sameWidth bool) map[int]int {
	votes := map[int]map[int]int{}
	for i, j := range alignMaps(known, seen, sameWidth) {
		if j < 0 {
			continue
		}
		from := known[i].typ
		if votes[from] == nil {
			votes[from] = map[int]int{}
		}
		votes[from][seen[j].typ]++
	}
	out := map[int]int{}
	for from, to := range votes {
		best := -1
		for n, count := range to {
			if best < 0 || count > to[best] || count == to[best] && n < best {
				best = n
			}
		}
		out[from] = best
	}
	return out
}

// shifted reports whether the maps of the read-only heap say that types have other
// numbers than in the table, although that of maps may be the same.
func (u *Undecoded) shifted(t runtimes.Target, table *layout.Table) bool {
	known := romapsOf(table)
	seen := u.readROMaps(t, layout.Constants{Values: table.Constants, Table: table})
	if len(known) == 0 || len(seen) == 0 {
		return false
	}
	for from, to := range typesByMaps(known, seen, table.MapsWidth == u.heap.width) {
		if from != to {
			return true
		}
	}
	return false
}

// moved returns the table with the instance types of this core, nil if its maps are not
// known or there is nothing to lay beside them.
func (u *Undecoded) moved(t runtimes.Target, table *layout.Table) *layout.Table {
	known := romapsOf(table)
	c := layout.Constants{Values: table.Constants, Table: table}
	seen := u.readROMaps(t, c)
	if len(known) == 0 || len(seen) == 0 {
		return nil
	}
	types := typesByMaps(known, seen, table.MapsWidth == u.heap.width)
	return table.Renumbered(func(typ int) (int, bool) {
		n, ok := types[typ]
		return n, ok
	})
}

// romapsOf returns the maps of the read-only heap that a table lists.
func romapsOf(table *layout.Table) (list []roMap) {
	for _, x := range table.ReadOnlyMaps() {
		typ := x & 0xffff
		list = append(list, roMap{typ: typ, words: x >> 16 & 0xff, kind: x >> 24 & 0xff, meta: typ == table.Constants["type_Map__MAP_TYPE"]})
	}
	return slices.Clip(list)
}
