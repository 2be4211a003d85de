package sym

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"coredbg/core"
)

// entry is a symbol of an index. The name is lent by the image.
type entry struct {
	addr, size uint64 // link-time address, or offset of a thread-local; bytes
	name       []byte
	kind       core.SymKind
	global     bool
	guessed    bool // the table has no size for it
	unnamed    bool // its name was left out of the bundle
}

func (e *entry) symbol(m *core.Module, at core.Addr) Symbol {
	return Symbol{Name: string(e.name), Addr: at, Size: e.size, Kind: e.kind, Global: e.global, Module: m}
}

// place returns the symbol at its regular address in the process.
func (e *entry) place(m *core.Module, bias core.Addr) Symbol {
	if e.kind == core.SymTLS {
		bias = 0
	}
	return e.symbol(m, core.Addr(e.addr)+bias)
}

// A stretch is a run of addresses that ends where the next one starts; sym is
// the index of the symbol that covers it, or -1.
type stretch struct {
	start uint64
	sym   int32
}

// index is the symbols of one module.
type index struct {
	// syms is sorted by address; of symbols with the same address the one to
	// show comes first. Thread-local ones follow, sorted by offset.
	syms   []entry
	placed int // how many of syms are not thread-local
	cover  []stretch
	err    error // why there are none

	unnamed int   // how many have no name
	gap     error // why
}

// The bounds of one module's index. Real programs have some million symbols,
// with names of up to some kilobytes; a longer name is cut.
const (
	maxSymbols = 64 << 20
	maxName    = 32 << 10 // bytes
)

// newIndex merges the symbol tables of a module's files. On arm the lowest bit
// of a function's address selects the Thumb instruction set.
func newIndex(f *files, arm bool) *index {
	x := &index{err: f.err}
	expected := 0
	for _, t := range f.tables {
		expected += t.expected()
	}
	x.syms = make([]entry, 0, min(expected, maxSymbols))
	static := 0
	add := func(s core.ImageSymbol) bool {
		if keep(&s) {
			if arm && s.Kind == core.SymFunc {
				s.Value &^= 1
			}
			x.syms = append(x.syms, entry{addr: s.Value, size: s.Size, name: s.Name,
				kind: s.Kind, global: s.Global, guessed: s.Size == 0, unnamed: s.NameErr != nil})
			if s.NameErr != nil {
				x.gap = s.NameErr
			}
		}
		return len(x.syms) < maxSymbols
	}
	for _, t := range f.tables {
		before := len(x.syms)
		err := t.image.Symbols(t.dynamic, add)
		if !t.dynamic {
			static += len(x.syms) - before
		}
		// What the dynamic table has, a static one has too.
		if err != nil && x.err == nil && !(t.dynamic && len(x.syms) > 0) {
			x.err = err
		}
	}
	if static == 0 && f.image != nil {
		if err := goFunctions(f.image, add); err != nil && x.err == nil {
			x.err = err
		}
	}
	x.sort()
	for i := range x.syms {
		if x.syms[i].unnamed {
			x.unnamed++
		}
	}
	x.measure(f.ends())
	return x
}

// keep reports whether a symbol names a place in its image, and cuts off its
// version ("memcpy@@GLIBC_2.14").
func keep(s *core.ImageSymbol) bool {
	if !s.Defined || len(s.Name) == 0 && s.NameErr == nil || s.Kind == core.SymFile || s.Kind == core.SymOther {
		return false
	}
	if s.Section == 0 && s.Kind != core.SymTLS {
		return false // an absolute value, such as the name of a version
	}
	if s.Kind == core.SymNone && !s.Global && len(s.Name) > 0 && localLabel(s.Name) {
		return false
	}
	if i := bytes.IndexByte(s.Name, '@'); i > 0 {
		s.Name = s.Name[:i]
	}
	s.Name = s.Name[:min(len(s.Name), maxName)]
	return true
}

// localLabel reports whether name is one that assemblers and compilers make
// for themselves: mapping symbols ($x, $d.12, $xrv64i…), .L labels, annobin's
// marks.
func localLabel(name []byte) bool {
	if name[0] == '$' && len(name) > 1 && bytes.IndexByte([]byte("adtx"), name[1]) >= 0 {
		return len(name) == 2 || name[2] == '.' || name[1] == 'x' && bytes.HasPrefix(name[2:], []byte("rv"))
	}
	return bytes.HasPrefix(name, []byte(".L")) || bytes.HasPrefix(name, []byte(".annobin"))
}

// prefer orders symbols of the same address: the one to show is least.
func prefer(a, b *entry) int {
	if a.unnamed != b.unnamed {
		if b.unnamed {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(typed(b), typed(a)); c != 0 {
		return c
	}
	if a.global != b.global {
		if a.global {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(b.size, a.size); c != 0 {
		return c
	}
	if c := cmp.Compare(underscores(a.name), underscores(b.name)); c != 0 {
		return c
	}
	if c := cmp.Compare(len(a.name), len(b.name)); c != 0 {
		return c
	}
	return bytes.Compare(a.name, b.name)
}

func typed(e *entry) int {
	switch e.kind {
	case core.SymFunc:
		return 2
	case core.SymNone:
		return 0
	}
	return 1
}

// underscores counts the underscores that a name starts with, up to a few.
// Those of a mangled name are not the programmer's.
func underscores(name []byte) int {
	if mangled(name) {
		return 0
	}
	n := 0
	for n < len(name) && n < 4 && name[n] == '_' {
		n++
	}
	return n
}

// sort orders the symbols and drops those that two tables share. What is
// sorted is keys of 16 bytes, not the symbols: most addresses differ, and few
// symbols need to be looked at to order those that do not.
func (x *index) sort() {
	var placed, tls []key
	for i := range x.syms {
		k := key{x.syms[i].addr, uint32(i)}
		if x.syms[i].kind == core.SymTLS {
			tls = append(tls, k)
		} else {
			if placed == nil {
				placed = make([]key, 0, len(x.syms))
			}
			placed = append(placed, k)
		}
	}
	order := make([]uint32, 0, len(x.syms))
	order, dropped := x.take(order, nil, radixSort(placed))
	x.placed = len(order)
	order, dropped = x.take(order, dropped, radixSort(tls))
	kept := len(order)
	permute(x.syms, append(order, dropped...))
	clear(x.syms[kept:])
	x.syms = x.syms[:kept]
}

// permute puts the elements of list in an order, in their own place: a second list
// of the symbols of a big program would be ten megabytes. It uses up the order.
func permute(list []entry, order []uint32) {
	for i := range order {
		first := list[i]
		at := i
		for {
			from := int(order[at])
			order[at] = uint32(at)
			if from == i {
				break
			}
			list[at] = list[from]
			at = from
		}
		if at != i {
			list[at] = first
		}
	}
}

// take appends the symbols of sorted keys to order, those of one address in the
// order of prefer, each once; the others are dropped.
func (x *index) take(order, dropped []uint32, keys []key) (_, _ []uint32) {
	next := 0
	for i := 0; i < len(keys); i = next {
		for next = i + 1; next < len(keys) && keys[next].addr == keys[i].addr; next++ {
		}
		if next > i+1 {
			slices.SortFunc(keys[i:next], func(a, b key) int { return prefer(&x.syms[a.sym], &x.syms[b.sym]) })
		}
		begin := len(order)
		for _, k := range keys[i:next] {
			if n := len(order); n > begin && x.syms[order[n-1]].same(&x.syms[k.sym]) {
				dropped = append(dropped, k.sym)
			} else {
				order = append(order, k.sym)
			}
		}
	}
	return order, dropped
}

// key is an address and the index of a symbol there.
type key struct {
	addr uint64
	sym  uint32
}

// radixSort returns keys in order of address, equal ones in the order they came
// in; it may reuse keys. For the 150,000 symbols of a big program it takes a
// tenth of the time that comparing takes.
func radixSort(keys []key) []key {
	const bits = 11
	var low, high uint64 = ^uint64(0), 0
	for _, k := range keys {
		low, high = min(low, k.addr), max(high, k.addr)
	}
	other := make([]key, len(keys))
	for shift := 0; shift < 64 && len(keys) > 1 && (high-low)>>shift != 0; shift += bits {
		var at [1 << bits]int
		for _, k := range keys {
			at[(k.addr-low)>>shift&(1<<bits-1)]++
		}
		sum := 0
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, k := range keys {
			d := (k.addr - low) >> shift & (1<<bits - 1)
			other[at[d]] = k
			at[d]++
		}
		keys, other = other, keys
	}
	return keys
}

// same reports whether two symbols are one, from two tables.
func (e *entry) same(f *entry) bool {
	return e.addr == f.addr && e.kind == f.kind && bytes.Equal(e.name, f.name)
}

// measure guesses the sizes that are absent and lays out which symbol covers
// what. A symbol that starts later wins over one that it lies in. One without
// a size is a label if another covers it, else it ends where the next symbol
// or its section does. Ends are those of sections, as extents sorted by start.
func (x *index) measure(ends []extent) {
	syms := x.syms[:x.placed]
	x.cover = make([]stretch, 0, len(syms)+len(syms)/2)
	var open []int32 // symbols that have begun, the innermost last
	next := 0
	for i := 0; i < len(syms); i = next {
		at := syms[i].addr
		for next = i + 1; next < len(syms) && syms[next].addr == at; next++ {
		}
		open = x.closeUntil(open, at)
		limit := endOf(ends, at)
		if next < len(syms) {
			limit = min(limit, syms[next].addr)
		}
		sized := slices.ContainsFunc(syms[i:next], func(e entry) bool { return !e.guessed })
		label := !sized && len(open) > 0
		for k := next - 1; k >= i; k-- {
			e := &syms[k]
			if e.guessed {
				e.size = limit - min(at, limit)
				if sized || label {
					continue
				}
			}
			if e.addr+e.size < e.addr {
				e.size = -e.addr - 1
			}
			if e.size > 0 {
				open = append(open, int32(k))
			}
		}
		if len(open) > 0 {
			x.mark(at, open[len(open)-1])
		}
	}
	x.closeUntil(open, ^uint64(0))
}

// closeUntil ends the open symbols that end at or before a, the innermost
// first, and returns those that go on.
func (x *index) closeUntil(open []int32, a uint64) []int32 {
	for len(open) > 0 {
		e := &x.syms[open[len(open)-1]]
		end := e.addr + e.size
		if end > a {
			break
		}
		open = open[:len(open)-1]
		// What ended earlier, hidden below this one, does not come back.
		for len(open) > 0 && x.syms[open[len(open)-1]].addr+x.syms[open[len(open)-1]].size <= end {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			x.mark(end, open[len(open)-1])
		} else {
			x.mark(end, -1)
		}
	}
	return open
}

// mark begins a stretch; one that would be empty is replaced.
func (x *index) mark(start uint64, sym int32) {
	if n := len(x.cover); n > 0 && x.cover[n-1].start == start {
		x.cover[n-1].sym = sym
		return
	} else if n > 0 && x.cover[n-1].sym == sym {
		return
	}
	x.cover = append(x.cover, stretch{start, sym})
}

// lookup returns the symbol that covers a link-time address, or nil. It may have no
// name.
func (x *index) lookup(link uint64) *entry {
	i := sort.Search(len(x.cover), func(i int) bool { return x.cover[i].start > link }) - 1
	if i < 0 || x.cover[i].sym < 0 {
		return nil
	}
	return &x.syms[x.cover[i].sym]
}

// extent is a range of link-time addresses; end is exclusive.
type extent struct{ start, end uint64 }

// endOf returns the end of the extent that holds a, or a if none does.
func endOf(ends []extent, a uint64) uint64 {
	i := sort.Search(len(ends), func(i int) bool { return ends[i].start > a }) - 1
	if i < 0 || a >= ends[i].end {
		return a
	}
	return ends[i].end
}
