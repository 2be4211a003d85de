package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// An Entry is a key and a value of a collection; sets have only keys.
type Entry struct{ Key, Value layout.Tagged }

// OrderedEntries returns at most max entries of an OrderedHashMap or OrderedHashSet, from the entry with an index on,
// and how many more there are.
func (r *MapReader) OrderedEntries(table layout.Tagged, values bool, from,
	max int) (list []Entry, more int, err error) {
	err = r.eachEntry(table, values, from, func(at int, key layout.Tagged) bool {
		if len(list) >= max {
			more++
			return true
		}
		list = append(list, r.entry(table, at, key, values))
		return true
	})
	return list, more, err
}

// EachEntry visits the entries of an OrderedHashMap or OrderedHashSet until visit returns false.
func (r *MapReader) EachEntry(table layout.Tagged, values bool, visit func(Entry) bool) error {
	return r.eachEntry(table, values, 0, func(at int, key layout.Tagged) bool {
		return visit(r.entry(table, at, key, values))
	})
}

func (r *MapReader) entry(table layout.Tagged, at int, key layout.Tagged, values bool) Entry {
	e := Entry{Key: key}
	if values {
		e.Value, _ = r.WordAt(table, at+1)
	}
	return e
}

// eachEntry reads an OrderedHashMap or OrderedHashSet (objects/ordered-hash-table.h). Element 0 is the number of
// elements, 1 the number of deleted ones, 2 the number of buckets. The buckets follow, then entries of key, [value]
// and chain, in the order of insertion, with holes for deleted entries. It visits the keys and the elements that they
// are, from the entry with an index on.
func (r *MapReader) eachEntry(table layout.Tagged, values bool, from int,
	visit func(at int, key layout.Tagged) bool) error {
	n, ok := r.FixedLength(table)
	if !ok {
		return fmt.Errorf("corrupt: %v is not a hash table", core.Addr(table))
	}
	words := 2
	if values {
		words = 3
	}
	var head [3]int
	for i := range head {
		w, ok := r.WordAt(table, i)
		if !ok || !w.IsSmi() || w.Smi() < 0 || int(w.Smi()) > n {
			return fmt.Errorf("corrupt: hash table %v has no head", core.Addr(table))
		}
		head[i] = int(w.Smi())
	}
	first := 3 + head[2]
	for i := from; i < head[0]+head[1]; i++ {
		at := first + i*words
		if at+words > n {
			return fmt.Errorf("corrupt: hash table %v has more entries than room", core.Addr(table))
		}
		key, ok := r.WordAt(table, at)
		if !ok {
			return r.Fault(table, r.Layout.FixedArray.Data+r.Slots(at))
		}
		if !r.IsHole(key) && !visit(at, key) {
			break
		}
	}
	return nil
}

// maxTransitions bounds the chain of tables that an iterator has missed.
const maxTransitions = 1 << 12

// IteratorPlace follows an iterator from the table it knows to the present
// one: OrderedHashTableIterator::Transition. A table that was replaced has its
// successor as element 0, and the indices of the entries that it lost after
// its buckets' words.
func (r *MapReader) IteratorPlace(it layout.Tagged) (table layout.Tagged, index int, done bool, err error) {
	c := &r.Layout.JSCollection
	table, ok1 := r.Field(it, c.IteratorTable)
	i, ok2 := r.SmiField(it, c.IteratorIndex)
	if !ok1 || !ok2 || i < 0 {
		return 0, 0, false, fmt.Errorf("corrupt: iterator without a table")
	}
	for range maxTransitions {
		next, ok := r.WordAt(table, 0)
		if !ok {
			return 0, 0, true, nil // the empty table of an exhausted iterator
		}
		if next.IsSmi() {
			return table, i, false, nil
		}
		removed, ok := r.WordAt(table, 1)
		if !ok || !removed.IsSmi() {
			break
		}
		if n := int(removed.Smi()); n < 0 {
			i = 0 // kClearedTableSentinel
		} else {
			lost := 0
			for k := range min(n, MaxFixedArray) {
				w, ok := r.WordAt(table, 3+k)
				if !ok || !w.IsSmi() || int(w.Smi()) >= i {
					break
				}
				lost++
			}
			i -= lost
		}
		table = next
	}
	return 0, 0, false, fmt.Errorf("corrupt: iterator over tables without end")
}

// WeakEntries reads the EphemeronHashTable of a WeakMap or WeakSet, in the order of hashes.
func (r *MapReader) WeakEntries(table layout.Tagged, max int) (list []Entry, more int, err error) {
	t, err := r.hashTable(table, 0, 2)
	if err != nil {
		return nil, 0, err
	}
	for i := range t.capacity {
		key, ok := r.tableKey(t, i)
		if !ok {
			continue
		}
		if len(list) >= max {
			more++
			continue
		}
		value, _ := r.WordAt(table, t.first+i*t.entry+1)
		list = append(list, Entry{key, value})
	}
	return list, more, nil
}
