package object

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// swissEntries reads a SwissNameDictionary, which builds with
// v8_enable_swiss_name_dictionary use for NameDictionary
// (objects/swiss-name-dictionary.h @ 9.4):
//
//	8 hash, 12 capacity, 16 meta table, 24 capacity times key and value,
//	then control bytes, then a byte of details for each entry.
//
// The meta table is a ByteArray of numbers: elements, deleted ones, and the
// entries in the order of enumeration.
func (r *MapReader) swissEntries(o layout.Tagged) ([]Property, error) {
	const group = 16
	room := r.Slots(1) + 4
	data := r.Slots(2) + 8
	n, ok := r.U32Field(o, room)
	if !ok {
		return nil, r.Fault(o, room)
	}
	capacity := int(n)
	if capacity > MaxDictionary {
		return nil, fmt.Errorf("corrupt: dictionary %v has %d entries", core.Addr(o), capacity)
	}
	meta, ok := r.Field(o, r.Slots(1)+8)
	if !ok || !meta.IsHeap() {
		return nil, errors.New("corrupt: dictionary without a meta table")
	}
	// SwissNameDictionary::MetaTableSizePerEntryFor.
	width := 4
	switch {
	case capacity <= 256:
		width = 1
	case capacity <= 1<<16:
		width = 2
	}
	number := func(i int) int {
		var b [4]byte
		r.Bytes(b[:width], meta.Addr().Add(int64(r.Layout.FixedArray.Data+i*width)))
		return int(r.Order.Uint32(b[:]))
	}
	used := min(number(0)+number(1), capacity)
	details := o.Addr().Add(int64(data + r.Slots(2*capacity) + capacity + group))
	var list []Property
	for i := range used {
		entry := number(2 + i)
		if entry >= capacity {
			continue
		}
		key, ok1 := r.Field(o, data+r.Slots(2*entry))
		value, ok2 := r.Field(o, data+r.Slots(2*entry+1))
		var b [1]byte
		if !ok1 || !ok2 || !r.Bytes(b[:], details.Add(int64(entry))) {
			return list, r.Fault(o, data+r.Slots(2*entry))
		}
		if r.IsHole(key) {
			continue
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "dictionary", order: i}
		r.describe(&p, int(b[0]))
		list = append(list, p)
	}
	return list, nil
}
