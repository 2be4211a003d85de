package fit

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/amend"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// If no table has the instance types of a version, the read-only heap shows them. Its maps are in the order V8
// makes them (heap/setup-heap-internal.cc), which changes little between versions, and each map has its
// instances' type. The list of maps is aligned with the list of a version whose types are known; the contents
// of the maps show which ones correspond.

// A roMap is what a map of the read-only heap looks like.
type roMap struct {
	typ   int
	words int // of an instance; 0 if they vary
	kind  int // bit_field2, with the kind of elements
	meta  bool
}

// maxROMaps is more than the maps of the read-only heap of any version.
const maxROMaps = 1 << 10

// readROMaps reads the maps in the chunk of the map of maps, in their order.
func (u *Undecoded) readROMaps(t runtimes.Target, c layout.Constants) (list []roMap) {
	at := func(prefix string) int {
		off, ok := c.Find(prefix)
		if !ok {
			return -1
		}
		return off
	}
	size, typ, kind := at("class_Map__instance_size_in_words__"), at("class_Map__instance_type__"),
		at("class_Map__bit_field2__")
	if size < 0 || typ < 0 || kind < 0 {
		return nil
	}
	order, width := t.Process.Arch.Order, u.heap.width
	start := u.heap.meta &^ (layout.ChunkSize - 1)
	data := make([]byte, layout.ChunkSize)
	n, _ := embedded.Peek(t.Process.Space, data, start)
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
			list = append(list, roMap{int(order.Uint16(data[i+typ:])), int(data[i+size]), int(data[i+kind]),
				start+core.Addr(i) == u.heap.meta})
		}
	}
	return list
}

// numberType is the constant with the number of the type of heap numbers.
const numberType = "type_HeapNumber__HEAP_NUMBER_TYPE"

// Numbers that are among the first objects of the read-only heap: NaN, infinity and -0 (heap/setup-heap-internal.cc).
var readOnlyNumbers = [...]uint64{0x7ff8000000000000, 0x7ff0000000000000, 0x8000000000000000}

// numberType returns the type of heap numbers: the numbers of the read-only heap all have the same map. In a
// version between tables another map may look like the map of heap numbers.
func (u *Undecoded) numberType(t runtimes.Target, c layout.Constants) (int, bool) {
	typ, ok := c.Find("class_Map__instance_type__")
	if !ok {
		return 0, false
	}
	start := u.heap.meta &^ (layout.ChunkSize - 1)
	data := make([]byte, layout.ChunkSize)
	n, _ := embedded.Peek(t.Process.Space, data, start)
	return numberTypeIn(data[:n], start, u.heap.width, typ, t.Process.Arch.Order)
}

// numberTypeIn is numberType of a chunk that begins at start, with tagged fields of width bytes and the
// type of a map at typ.
func numberTypeIn(data []byte, start core.Addr, width, typ int, order binary.ByteOrder) (int, bool) {
	x := &heapProbe{order: order}
	by := map[int][len(readOnlyNumbers)]bool{} // the offset of a map: which have it
	for i := 0; i+width+8 <= len(data); i += width {
		which := slices.Index(readOnlyNumbers[:], order.Uint64(data[i+width:]))
		to := x.word(data[i:], width)
		if which < 0 || to&3 != 1 {
			continue
		}
		at := to - 1 - uint64(start)
		if width == 4 {
			at &= 1<<32 - 1
		}
		if at+uint64(typ)+2 <= uint64(len(data)) {
			seen := by[int(at)]
			seen[which] = true
			by[int(at)] = seen
		}
	}
	found, n := 0, 0
	for at, seen := range by {
		if seen == [len(readOnlyNumbers)]bool{true, true, true} {
			found, n = int(order.Uint16(data[at+typ:])), n+1
		}
	}
	return found, n == 1
}

// exchange gives the type from the number to, and gives the type that had the number to from's old number.
func exchange(types map[int]int, from, to int) {
	was, ok := types[from]
	if ok && was != to {
		for other, n := range types {
			if n == to {
				types[other] = was
			}
		}
	}
	types[from] = to
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
	if (m.typ < firstNonstring) != (o.typ < firstNonstring) ||
		m.typ < firstNonstring && m.typ&stringBits != o.typ&stringBits {
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
	// Objects with only tagged fields have the same number of words in all builds.
	switch {
	case m.words == o.words:
		n += scoreWords
	case sameWidth && m.words != 0 && o.words != 0:
		n -= scoreWords
	}
	return n
}

// alignMaps returns for each map of one list the index in the other, or -1, by how alike two maps are.
func alignMaps(known, seen []roMap, score func(known, seen roMap) int) []int {
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
				best[i][j] = max(best[i+1][j+1]+score(known[i], seen[j]), best[i+1][j]+scoreGap, best[i][j+1]+scoreGap)
			}
		}
	}
	out := make([]int, len(known))
	for i, j := 0, 0; i < len(known); {
		switch {
		case j < len(seen) && best[i][j] == best[i+1][j+1]+score(known[i], seen[j]):
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

// byNumber returns one map of each type, in the order of their numbers.
func byNumber(list []roMap) []roMap {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b roMap) int { return cmp.Compare(a.typ, b.typ) })
	return slices.CompactFunc(list, func(a, b roMap) bool { return a.typ == b.typ })
}

// scoreNumber returns a score for the likeness of two maps of different versions whose types are aligned in the
// order of their numbers. A type that V8 makes later in one of the versions may lack the lowest bit of its
// kind, which says that constructors of the language make its instances.
func (m roMap) scoreNumber(o roMap, sameWidth bool) int {
	m.kind, o.kind = m.kind>>kindShift, o.kind>>kindShift
	if !sameWidth && m.words != 0 && o.words != 0 {
		o.words = m.words
	}
	n := m.score(o, sameWidth)
	if m.typ == o.typ {
		n += scoreSame
	}
	return n
}

// kindShift is where the kind of elements is in bit_field2 (objects/map.h: MapBitFields2).
const kindShift = 2

// alignBothOrders aligns maps with known maps in the two orders that change little between versions: the order in the
// heap and the order of type numbers. For each order it returns the number that each type gets. The order with
// clearly more alike types comes first, otherwise the order in the heap: V8 11.2 makes the maps of its
// read-only heap in another order than 11.3, and gives them the same numbers.
func alignBothOrders(known, seen []roMap, sameWidth bool) []map[int]int {
	laid := typesOf(known, seen, alignMaps(known, seen, func(a, b roMap) int { return a.score(b, sameWidth) }))
	a, b := byNumber(known), byNumber(seen)
	numbered := typesOf(a, b, alignMaps(a, b, func(a, b roMap) int { return a.scoreNumber(b, sameWidth) }))
	switch {
	case maps.Equal(laid, numbered):
		return []map[int]int{laid}
	case 4*alike(a, b, numbered) > 5*alike(a, b, laid):
		return []map[int]int{numbered, laid}
	}
	return []map[int]int{laid, numbered}
}

// alike returns how many types have numbers whose maps are like theirs, in lists of one map each.
func alike(known, seen []roMap, to map[int]int) (n int) {
	have := map[int]roMap{}
	for _, m := range seen {
		have[m.typ] = m
	}
	for _, m := range known {
		typ, ok := to[m.typ]
		if o := have[typ]; ok && m.words == o.words && m.kind>>kindShift == o.kind>>kindShift {
			n++
		}
	}
	return n
}

// typesOf returns the numbers of instance types in this core by the table's numbers. A type's number is the
// most frequent one among the maps aligned with its maps.
func typesOf(known, seen []roMap, pairs []int) map[int]int {
	votes := map[int]map[int]int{}
	for i, j := range pairs {
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
		out[from] = amend.MostOf(to)
	}
	return out
}

// renumbered returns a table with the instance types of this core, one for each order of alignBothOrders. The list is
// empty if the core's maps are unknown or there is nothing to align them with. shifted is set if types have
// other numbers than in the table by the first order, although the type of maps may have the same.
func (u *Undecoded) renumbered(t runtimes.Target, table *layout.Table) (list []*layout.Table, shifted bool) {
	c := layout.Constants{Values: table.Constants, Table: table}
	known, seen := romapsOf(table), u.readROMaps(t, c)
	if len(known) == 0 || len(seen) == 0 {
		return nil, false
	}
	number, isKnown := u.numberType(t, c)
	for i, types := range alignBothOrders(known, seen, table.MapsWidth == u.heap.width) {
		if isKnown {
			exchange(types, table.Constants[numberType], number)
		}
		for from, to := range types {
			shifted = shifted || i == 0 && from != to
		}
		list = append(list, table.Renumbered(func(typ int) (int, bool) {
			n, ok := types[typ]
			return n, ok
		}))
	}
	return list, shifted
}

// romapsOf returns the maps of the read-only heap that a table lists.
func romapsOf(table *layout.Table) (list []roMap) {
	for _, x := range table.ReadOnlyMaps() {
		typ := x & 0xffff
		list = append(list, roMap{typ: typ, words: x >> 16 & 0xff, kind: x >> 24 & 0xff,
			meta: typ == table.Constants["type_Map__MAP_TYPE"]})
	}
	return slices.Clip(list)
}
