package sym

import (
	"bytes"
	"hash/maphash"
	"sync"
)

// names finds the symbols of an index by their mangled names.
type names struct {
	x  *index
	mu sync.Mutex
	// found has the answers until table is there, nil for a name that is absent.
	found map[string]*entry
	seed  maphash.Seed
	// table is a hash table with open addressing, of indices into syms plus one.
	table []uint32
}

// fewNames is how many names are looked for one by one, before they are worth a
// table of all.
const fewNames = 24

func newNames(x *index) *names { return &names{x: x, found: map[string]*entry{}} }

// fill makes the table.
func (n *names) fill() {
	size := 16
	for size < 2*n.x.len() {
		size *= 2
	}
	n.seed, n.table, n.found = maphash.MakeSeed(), make([]uint32, size), nil
	for i := range n.x.len() {
		name := n.x.name(i)
		if len(name) == 0 {
			continue // it was left out
		}
		slot := n.slot(name)
		if old := n.at(slot); old == nil || n.x.at(i).before(old) {
			n.table[slot] = uint32(i + 1)
		}
	}
}

// at returns the symbol in a slot of the table, or nil.
func (n *names) at(slot uint64) *entry {
	if i := n.table[slot]; i != 0 {
		return n.x.at(int(i - 1))
	}
	return nil
}

// scan looks at all symbols.
func (n *names) scan(name string) *entry {
	var best *entry
	if n.x.kept != nil {
		n.x.kept.Named([]byte(name), func(i int) bool {
			if e := n.x.at(i); e.before(best) {
				best = e
			}
			return true
		})
		return best
	}
	for i := range n.x.syms {
		if e := &n.x.syms[i]; len(e.name) == len(name) && string(e.name) == name && e.before(best) {
			best = e
		}
	}
	return best
}

// hashed bounds how many bytes of a name go into its hash.
const hashed = 512

// slot returns where name is in the table, or where it would be put.
func (n *names) slot(name []byte) uint64 {
	mask := uint64(len(n.table) - 1)
	key := name
	if len(key) > hashed {
		key = key[len(key)-hashed:]
	}
	i := maphash.Bytes(n.seed, key) & mask
	for n.table[i] != 0 && !bytes.Equal(n.x.name(int(n.table[i]-1)), name) {
		i = (i + 1) & mask
	}
	return i
}

func (n *names) find(name string) *entry {
	if name == "" {
		return nil // as for symbols without an address
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.table == nil {
		e, known := n.found[name]
		if known {
			return e
		}
		if len(n.found) < fewNames {
			e = n.scan(name)
			n.found[name] = e
			return e
		}
		n.fill()
	}
	return n.at(n.slot([]byte(name)))
}
