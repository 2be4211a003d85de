package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestEntries: entries are counted without being read, and are visited until it is enough. The table is laid out as
// objects/ordered-hash-table.h has it.
func TestEntries(t *testing.T) {
	const n, buckets = 1000, 2
	h := v8test.NewHeap(t, layout.V(13, 6))
	words := []uint64{v8test.Smi(3 + buckets + 3*n), v8test.Smi(n), v8test.Smi(0), v8test.Smi(buckets), 0, 0}
	for i := range n {
		words = append(words, v8test.Smi(i), v8test.Smi(2*i), 0)
	}
	table := h.Object("HASH_TABLE", words...)
	r := New(h.Memory(), nil)
	if list, more, err := r.OrderedEntries(table, true, 0, 0); len(list) != 0 || more != n || err != nil {
		t.Errorf("%d entries, %d more, %v", len(list), more, err)
	}
	list, more, err := r.OrderedEntries(table, true, 990, 4)
	if len(list) != 4 || more != 6 || err != nil || list[3].Key.Smi() != 993 || list[3].Value.Smi() != 1986 {
		t.Errorf("%d entries, %d more, %v: %v", len(list), more, err, list)
	}
	visited := 0
	err = r.EachEntry(table, true, func(e Entry) bool { visited++; return e.Value.Smi() != 20 })
	if visited != 11 || err != nil {
		t.Errorf("%d entries have been visited, %v", visited, err)
	}
}
