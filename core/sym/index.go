package sym

import (
	"bytes"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/core/sym/packed"
)

// index is the symbols of one module.
type index struct {
	// syms is sorted by address; of symbols with the same address the one to
	// show comes first. Thread-local ones follow, sorted by offset.
	syms   []entry
	placed int // how many of syms are not thread-local
	cover  []packed.Stretch
	err    error // why there are none

	kept   *packed.Index // has the same in place of syms and cover; nil if it was not kept
	groups []uint16      // of the names of syms, if these are to be kept

	// exported is set if the image lists only exported symbols, so that functions without a name may be
	// between them.
	exported bool

	unnamed int   // how many have no name
	gap     error // why
}

// maxSymbols bounds one module's index. Real programs have some million symbols.
const maxSymbols = 64 << 20

// len returns the number of symbols.
func (x *index) len() int {
	if x.kept != nil {
		return x.kept.Len
	}
	return len(x.syms)
}

// at returns a symbol by its number.
func (x *index) at(i int) *entry {
	if x.kept == nil {
		return &x.syms[i]
	}
	s := x.kept.At(i)
	return &entry{addr: s.Addr, size: s.Size, name: s.Name, kind: s.Kind, global: s.Global, at: s.At}
}

// name returns the name of a symbol, nil for one that was left out.
func (x *index) name(i int) []byte {
	if x.kept == nil {
		return x.syms[i].name
	}
	return x.kept.At(i).Name
}

// begin calls yield for the named symbols whose names begin with a prefix until it returns false.
// Symbols of one name come in the order of their numbers.
func (x *index) begin(prefix []byte, yield func(*entry) bool) {
	if x.kept != nil {
		x.kept.Begin(prefix, func(i int) bool { return yield(x.at(i)) })
		return
	}
	for i := range x.syms {
		if e := &x.syms[i]; !e.unnamed && bytes.HasPrefix(e.name, prefix) && !yield(e) {
			return
		}
	}
}

// newIndex merges the symbol tables of a module's files. On arm the lowest bit
// of a function's address selects the Thumb instruction set.
func newIndex(f *files, arm bool, keep *keeping) *index {
	if x := keep.get(); x != nil {
		return x
	}
	x := &index{err: f.err}
	x.syms = make([]entry, 0, min(f.expected(), maxSymbols))
	if keep != nil {
		x.groups = make([]uint16, 0, cap(x.syms))
	}
	static, base := 0, uint32(0)
	add := func(s core.ImageSymbol) bool {
		if namesPlace(&s) {
			if arm && s.Kind == core.SymFunc {
				s.Value &^= 1
			}
			x.syms = append(x.syms, entry{addr: s.Value, size: s.Size, name: s.Name,
				kind: s.Kind, global: s.Global, guessed: s.Size == 0, unnamed: s.NameErr != nil, at: base + s.NameOff})
			if keep != nil { // now, while the name is at hand
				x.groups = append(x.groups, packed.Group(s.Name))
			}
			if s.NameErr != nil {
				x.gap = s.NameErr
			}
		}
		return len(x.syms) < maxSymbols
	}
	for i, t := range f.tables {
		before := len(x.syms)
		base = keep.base(i)
		err := t.image.Symbols(t.dynamic, add)
		if !t.dynamic {
			static += len(x.syms) - before
		}
		// The symbols of the dynamic table are in a static one, too.
		if err != nil && x.err == nil && !(t.dynamic && len(x.syms) > 0) {
			x.err = err
		}
	}
	if static == 0 && f.image != nil {
		before := len(x.syms)
		if t, err := f.program(); t != nil {
			t.Functions(add)
		} else if x.err == nil {
			x.err = err
		}
		if len(x.syms) > before {
			keep = nil // names of Go's table are not in a string table
		}
	}
	x.exported = static == 0
	x.sort()
	for i := range x.syms {
		if x.syms[i].unnamed {
			x.unnamed++
		}
	}
	x.measure(f.ends())
	keep.put(x)
	x.groups = nil
	return x
}

// measure guesses missing sizes and computes which symbol covers which addresses. A symbol that starts
// later wins over one that contains it. A symbol without a size is a label if another covers it, else
// it ends where the next symbol or its section does. Ends are the sections' extents, sorted by start.
func (x *index) measure(ends []extent) {
	syms := x.syms[:x.placed]
	x.cover = make([]packed.Stretch, 0, len(syms)+len(syms)/2)
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

// closeUntil ends the open symbols that end at or before a, innermost first, and returns the others.
func (x *index) closeUntil(open []int32, a uint64) []int32 {
	for len(open) > 0 {
		e := &x.syms[open[len(open)-1]]
		end := e.addr + e.size
		if end > a {
			break
		}
		open = open[:len(open)-1]
		// A symbol that ended earlier, hidden below this one, does not come back.
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
	if n := len(x.cover); n > 0 && x.cover[n-1].Start == start {
		x.cover[n-1].Sym = sym
		return
	} else if n > 0 && x.cover[n-1].Sym == sym {
		return
	}
	x.cover = append(x.cover, packed.Stretch{Start: start, Sym: sym})
}

// lookup returns the symbol that covers a link-time address, or nil. It may have no
// name.
func (x *index) lookup(link uint64) *entry {
	if x.kept != nil {
		n, ok := x.kept.Lookup(link)
		if !ok {
			return nil
		}
		return x.at(n)
	}
	i := sort.Search(len(x.cover), func(i int) bool { return x.cover[i].Start > link }) - 1
	if i < 0 || x.cover[i].Sym < 0 {
		return nil
	}
	return &x.syms[x.cover[i].Sym]
}
