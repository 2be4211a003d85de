package sym

import (
	"cmp"
	"fmt"

	"coredbg/core"
)

// Lookup returns the symbol that covers a, and a's distance from its start in bytes. It returns false
// for an address after the last byte of every symbol, or in a symbol whose name was left out of a
// bundle; see Cover. Symbols that were added come first.
func (t *Table) Lookup(a core.Addr) (s Symbol, off uint64, ok bool) {
	if s, off, ok = t.Cover(a); s.Name == "" {
		return Symbol{}, 0, false
	}
	return s, off, ok
}

// Cover is like Lookup, but also returns symbols whose names were left out of a bundle, with the Name
// "".
func (t *Table) Cover(a core.Addr) (s Symbol, off uint64, ok bool) {
	if s, ok := t.privateAt(a); ok {
		return s, uint64(a - s.Addr), true
	}
	m, link, ok := t.locate(a)
	if !ok {
		return Symbol{}, 0, false
	}
	x := m.index()
	e := x.lookup(link)
	if e == nil {
		return Symbol{}, 0, false
	}
	off = link - e.addr
	if e.guessed && x.exported && off > 0 && e.kind == core.SymFunc && t.Holds != nil && !t.Holds(a-core.Addr(off), a) {
		return Symbol{}, 0, false
	}
	// The distance counts from where a lies, not from the bias: a may be in
	// a second mapping of the file.
	s = e.symbol(m.m, a-core.Addr(off))
	t.answers.note(s)
	return s, off, true
}

// Module calls yield for each symbol of m in order of address until it returns false; thread-local ones
// come last, in order of offset. Symbols of the static and the dynamic table are merged. The error says
// why symbols of m are missing.
func (t *Table) Module(m *core.Module, yield func(Symbol) bool) error {
	x := t.module(m).index()
	bias := m.Facts().Bias
	for i := range x.len() {
		if e := x.at(i); !e.unnamed && !yield(e.place(m, bias)) {
			return nil
		}
	}
	return cmp.Or(x.err, t.Unnamed(m))
}

// Unnamed says how many symbols of m have no name, and why: they were left out of a
// bundle. It returns nil if there are none.
func (t *Table) Unnamed(m *core.Module) error {
	x := t.module(m).index()
	if x.unnamed == 0 {
		return nil
	}
	return fmt.Errorf("names of %d functions: %w", x.unnamed, x.gap)
}
