package sym

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core"
)

// maxPrivate bounds how many symbols the user may add.
const maxPrivate = 1 << 16

// Add adds a symbol that the user has named. Such symbols are found before any module's, by name and by
// address; one of no size covers its own address only. A second one of the same name replaces the
// first.
func (t *Table) Add(s Symbol) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(t.private), func(o Symbol) bool { return o.Name == s.Name })
	if len(list) >= maxPrivate {
		return fmt.Errorf("there are %d symbols of your own already", len(list))
	}
	i, _ := slices.BinarySearchFunc(list, s, comparePrivate)
	t.private = slices.Insert(list, i, s)
	return nil
}

// Remove removes a symbol that Add has added, and reports whether there was one.
func (t *Table) Remove(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(t.private), func(o Symbol) bool { return o.Name == name })
	removed := len(list) < len(t.private)
	t.private = list
	return removed
}

// Private returns the symbols that were added, by address.
func (t *Table) Private() []Symbol {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.private // Add and Remove make a new one
}

func comparePrivate(a, b Symbol) int {
	return cmp.Or(cmp.Compare(a.Addr, b.Addr), cmp.Compare(a.Name, b.Name))
}

// privateAt returns the private symbol that covers a: the one that begins last.
func (t *Table) privateAt(a core.Addr) (Symbol, bool) {
	list := t.Private()
	for i := len(list) - 1; i >= 0; i-- {
		if s := list[i]; s.Addr == a || s.Addr < a && uint64(a-s.Addr) < s.Size {
			return s, true
		}
	}
	return Symbol{}, false
}

func (t *Table) privateNamed(name string) (Symbol, bool) {
	for _, s := range t.Private() {
		if s.Name == name {
			return s, true
		}
	}
	return Symbol{}, false
}
