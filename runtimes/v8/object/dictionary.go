package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// hashTable is the head of a HashTable; objects/hash-table.h: its FixedArray
// begins with the numbers of elements and deleted elements and the capacity.
type hashTable struct {
	o        layout.Tagged
	capacity int
	first    int // index of the first entry
	entry    int // words of an entry
}

func (r *MapReader) hashTable(o layout.Tagged, prefix, entry int) (hashTable, error) {
	n, ok := r.FixedLength(o)
	if !ok {
		return hashTable{}, fmt.Errorf("corrupt: %v is not a hash table", core.Addr(o))
	}
	capacity, ok := r.WordAt(o, 2)
	t := hashTable{o: o, first: 3 + prefix, entry: entry}
	if !ok || !capacity.IsSmi() || capacity.Smi() < 0 || int(capacity.Smi())*entry > n {
		return t, fmt.Errorf("corrupt: hash table %v has no capacity", core.Addr(o))
	}
	t.capacity = int(capacity.Smi())
	if t.capacity > MaxDictionary {
		return t, fmt.Errorf("hash table %v is too large: %d entries", core.Addr(o), t.capacity)
	}
	return t, nil
}

// key returns the key of entry i, and false for one that is free or deleted.
func (r *MapReader) tableKey(t hashTable, i int) (layout.Tagged, bool) {
	key, ok := r.WordAt(t.o, t.first+i*t.entry)
	if !ok || key == layout.ClearedWeak {
		return 0, false
	}
	if key.IsHeap() {
		switch r.OddballKind(key) {
		case KindUndefined, KindHole:
			return 0, false
		}
	}
	return key, true
}

// dictionaryEntries reads a NameDictionary in the order of enumeration.
func (r *MapReader) dictionaryEntries(o layout.Tagged) ([]Property, error) {
	dict, ok := r.Field(o, r.Layout.JSReceiver.Properties)
	if !ok {
		return nil, r.Fault(o, r.Layout.JSReceiver.Properties)
	}
	if !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: its dictionary is a number")
	}
	if r.TypeNamed(dict, "SWISS_NAME_DICTIONARY") {
		return r.swissEntries(dict)
	}
	d := &r.Layout.DescriptorArray
	t, err := r.hashTable(dict, d.DictionaryPrefix, d.DictionaryEntry)
	if err != nil {
		return nil, err
	}
	var list []Property
	for i := range t.capacity {
		key, ok := r.tableKey(t, i)
		if !ok || !key.IsHeap() {
			continue
		}
		at := t.first + i*t.entry
		value, ok1 := r.WordAt(dict, at+1)
		details, ok2 := r.WordAt(dict, at+2)
		if !ok1 || !ok2 {
			return list, r.Fault(dict, r.Layout.FixedArray.Data+r.Slots(at+1))
		}
		if !details.IsSmi() {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary"}
		r.describe(&p, int(details.Smi()))
		p.order = r.enumerationIndex(details)
		list = append(list, p)
	}
	return list, nil
}

func (r *MapReader) enumerationIndex(details layout.Tagged) int {
	return int(uint32(details.Smi()) >> uint(r.Layout.PropertyDetails.DictionaryIndexShift) & (1<<23 - 1))
}

// globalProperties reads the GlobalDictionary of a global object, whose
// entries are PropertyCells.
func (r *MapReader) globalProperties(o layout.Tagged) ([]Property, error) {
	dict, ok := r.Field(o, r.Layout.JSReceiver.Properties)
	if !ok || !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: the global object has no dictionary")
	}
	t, err := r.hashTable(dict, r.Layout.GlobalDictionary.Prefix, 1)
	if err != nil {
		return nil, err
	}
	var list []Property
	c := &r.Layout.PropertyCell
	for i := range t.capacity {
		cell, ok := r.tableKey(t, i)
		if !ok || !cell.IsHeap() {
			continue
		}
		key, ok1 := r.Field(cell, c.Name)
		details, ok2 := r.Field(cell, c.Details)
		value, ok3 := r.Field(cell, c.Value)
		if !ok1 || !ok2 || !ok3 || !details.IsSmi() || r.IsHole(value) {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary"}
		r.describe(&p, int(details.Smi()))
		p.order = r.enumerationIndex(details)
		list = append(list, p)
	}
	return list, nil
}
