package v8

import (
	"fmt"

	"coredbg/core"
)

// hashTable is the head of a HashTable; objects/hash-table.h: its FixedArray
// begins with the numbers of elements and deleted elements and the capacity.
type hashTable struct {
	o        Tagged
	capacity int
	first    int // index of the first entry
	entry    int // words of an entry
}

func (r *shapeReader) hashTable(o Tagged, prefix, entry int) (hashTable, error) {
	n, ok := r.fixedLength(o)
	if !ok {
		return hashTable{}, fmt.Errorf("corrupt: %v is no hash table", core.Addr(o))
	}
	capacity, ok := r.wordAt(o, 2)
	t := hashTable{o: o, first: 3 + prefix, entry: entry}
	if !ok || !capacity.IsSmi() || capacity.Smi() < 0 || int(capacity.Smi())*entry > n {
		return t, fmt.Errorf("corrupt: hash table %v has no capacity", core.Addr(o))
	}
	t.capacity = int(capacity.Smi())
	if t.capacity > maxDictionary {
		return t, fmt.Errorf("hash table %v is too large: %d entries", core.Addr(o), t.capacity)
	}
	return t, nil
}

// key returns the key of entry i, and false for one that is free or deleted.
func (r *shapeReader) tableKey(t hashTable, i int) (Tagged, bool) {
	key, ok := r.wordAt(t.o, t.first+i*t.entry)
	if !ok || key == clearedWeak {
		return 0, false
	}
	if key.IsHeap() {
		switch r.oddballKind(key) {
		case KindUndefined, KindHole:
			return 0, false
		}
	}
	return key, true
}

// dictionaryEntries reads a NameDictionary in the order of enumeration.
func (r *shapeReader) dictionaryEntries(o Tagged) ([]Property, error) {
	dict, ok := r.field(o, r.layout.JSReceiver.Properties)
	if !ok {
		return nil, r.fault(o, r.layout.JSReceiver.Properties)
	}
	if !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: its dictionary is a number")
	}
	if r.typeNamed(dict, "SWISS_NAME_DICTIONARY") {
		return r.swissEntries(dict)
	}
	d := &r.layout.DescriptorArray
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
		value, ok1 := r.wordAt(dict, at+1)
		details, ok2 := r.wordAt(dict, at+2)
		if !ok1 || !ok2 {
			return list, r.fault(dict, r.layout.FixedArray.Data+8*(at+1))
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

func (r *shapeReader) enumerationIndex(details Tagged) int {
	return int(uint32(details.Smi()) >> uint(r.layout.PropertyDetails.DictionaryIndexShift) & (1<<23 - 1))
}

// globalProperties reads the GlobalDictionary of a global object, whose
// entries are PropertyCells.
func (r *shapeReader) globalProperties(o Tagged) ([]Property, error) {
	dict, ok := r.field(o, r.layout.JSReceiver.Properties)
	if !ok || !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: the global object has no dictionary")
	}
	t, err := r.hashTable(dict, r.layout.GlobalDictionary.Prefix, 1)
	if err != nil {
		return nil, err
	}
	var list []Property
	c := &r.layout.PropertyCell
	for i := range t.capacity {
		cell, ok := r.tableKey(t, i)
		if !ok || !cell.IsHeap() {
			continue
		}
		key, ok1 := r.field(cell, c.Name)
		details, ok2 := r.field(cell, c.Details)
		value, ok3 := r.field(cell, c.Value)
		if !ok1 || !ok2 || !ok3 || !details.IsSmi() || r.isHole(value) {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary"}
		r.describe(&p, int(details.Smi()))
		p.order = r.enumerationIndex(details)
		list = append(list, p)
	}
	return list, nil
}
