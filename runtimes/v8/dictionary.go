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

func (v *V8) hashTable(o Tagged, prefix, entry int) (hashTable, error) {
	n, ok := v.fixedLength(o)
	if !ok {
		return hashTable{}, fmt.Errorf("corrupt: %v is no hash table", core.Addr(o))
	}
	capacity, ok := v.wordAt(o, 2)
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
func (v *V8) tableKey(t hashTable, i int) (Tagged, bool) {
	key, ok := v.wordAt(t.o, t.first+i*t.entry)
	if !ok || key == clearedWeak {
		return 0, false
	}
	if key.IsHeap() {
		switch v.oddballKind(key) {
		case KindUndefined, KindHole:
			return 0, false
		}
	}
	return key, true
}

// dictionaryEntries reads a NameDictionary in the order of enumeration.
func (v *V8) dictionaryEntries(o Tagged) ([]Property, error) {
	dict, ok := v.field(o, v.layout.JSReceiver.Properties)
	if !ok {
		return nil, v.fault(o, v.layout.JSReceiver.Properties)
	}
	if !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: its dictionary is a number")
	}
	if v.typeNamed(dict, "SWISS_NAME_DICTIONARY") {
		return v.swissEntries(dict)
	}
	d := &v.layout.DescriptorArray
	t, err := v.hashTable(dict, d.DictionaryPrefix, d.DictionaryEntry)
	if err != nil {
		return nil, err
	}
	var list []Property
	for i := range t.capacity {
		key, ok := v.tableKey(t, i)
		if !ok || !key.IsHeap() {
			continue
		}
		at := t.first + i*t.entry
		value, ok1 := v.wordAt(dict, at+1)
		details, ok2 := v.wordAt(dict, at+2)
		if !ok1 || !ok2 {
			return list, v.fault(dict, v.layout.FixedArray.Data+8*(at+1))
		}
		if !details.IsSmi() {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary"}
		v.describe(&p, int(details.Smi()))
		p.order = v.enumerationIndex(details)
		list = append(list, p)
	}
	return list, nil
}

func (v *V8) enumerationIndex(details Tagged) int {
	return int(uint32(details.Smi()) >> uint(v.layout.PropertyDetails.DictionaryIndexShift) & (1<<23 - 1))
}

// globalProperties reads the GlobalDictionary of a global object, whose
// entries are PropertyCells.
func (v *V8) globalProperties(o Tagged) ([]Property, error) {
	dict, ok := v.field(o, v.layout.JSReceiver.Properties)
	if !ok || !dict.IsHeap() {
		return nil, fmt.Errorf("corrupt: the global object has no dictionary")
	}
	t, err := v.hashTable(dict, v.layout.GlobalDictionary.Prefix, 1)
	if err != nil {
		return nil, err
	}
	var list []Property
	c := &v.layout.PropertyCell
	for i := range t.capacity {
		cell, ok := v.tableKey(t, i)
		if !ok || !cell.IsHeap() {
			continue
		}
		key, ok1 := v.field(cell, c.Name)
		details, ok2 := v.field(cell, c.Details)
		value, ok3 := v.field(cell, c.Value)
		if !ok1 || !ok2 || !ok3 || !details.IsSmi() || v.isHole(value) {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary"}
		v.describe(&p, int(details.Smi()))
		p.order = v.enumerationIndex(details)
		list = append(list, p)
	}
	return list, nil
}
