package sym

import (
	"maps"
	"slices"
	"sync"

	"coredbg/core"
)

// answers records which symbols were answers, after Record: a bundle must have their names.
type answers struct {
	mu    sync.Mutex
	addrs map[core.Addr]bool // nil if they are not recorded
}

func (a *answers) note(s Symbol) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.addrs != nil && s.Kind != core.SymTLS {
		a.addrs[s.Addr] = true
	}
}

// Record starts recording which symbols are found by address, by name or by prefix.
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
