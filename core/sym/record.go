package sym

import (
	"maps"
	"slices"
	"sync"

	"coredbg/core"
)

// answers keeps which symbols were answers, while somebody wants to know: those are
// what a bundle has to have names of.
type answers struct {
	mu    sync.Mutex
	addrs map[core.Addr]bool // nil if nobody does
}

func (a *answers) note(s Symbol) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.addrs != nil && s.Kind != core.SymTLS {
		a.addrs[s.Addr] = true
	}
}

// Record notes from now on which symbols are found by address, by name or by prefix.
func (t *Table) Record() {
	t.answers.mu.Lock()
	defer t.answers.mu.Unlock()
	t.answers.addrs = map[core.Addr]bool{}
}

// Recorded returns the addresses of the symbols that were found since Record, sorted.
func (t *Table) Recorded() []core.Addr {
	t.answers.mu.Lock()
	defer t.answers.mu.Unlock()
	return slices.Sorted(maps.Keys(t.answers.addrs))
}
