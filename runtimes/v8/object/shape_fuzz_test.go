package object

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// Where the parts of a fuzzed object lie.
const (
	fuzzedObject = v8test.ObjectsAt
	fuzzedStore  = v8test.ObjectsAt + 0x100
	fuzzedTable  = v8test.ObjectsAt + 0x200
	fuzzedName   = v8test.ObjectsAt + 0xe00 // a string "a"
	fuzzedBytes  = 0xc00                    // of the table at most
	// fuzzedHeapBytes is how much memory there is: a table may claim all of it.
	fuzzedHeapBytes = 0x3000
)

// fuzzedHeap lays out an object, its property array, and data as the table that
// describes it. A word of data whose lowest byte is 1 or 2 becomes a reference to the
// string, or to the object.
func fuzzedHeap(data []byte, table int) *v8test.MadeHeap {
	h := v8test.NewMadeHeap(fuzzedHeapBytes)
	h.Put(fuzzedName, uint64(h.Maps[40]), 1<<32, 'a')
	h.Put(fuzzedStore, uint64(h.Maps[259]), v8test.SmiWord(3), v8test.SmiWord(1), uint64(layout.Tag(fuzzedName)),
		v8test.SmiWord(3))
	h.Put(fuzzedTable, uint64(h.Maps[table]))
	data = data[:min(len(data), fuzzedBytes)&^7]
	for i := 0; i < len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		switch data[i] {
		case 1:
			w = uint64(layout.Tag(fuzzedName))
		case 2:
			w = uint64(layout.Tag(fuzzedObject))
		}
		h.Put(fuzzedTable+8+core.Addr(i), w)
	}
	return h
}

// FuzzDescriptors decodes an object in fast mode with any map and any descriptors: it
// must end, and find no more properties than the map says.
func FuzzDescriptors(f *testing.F) {
	const field, constant = 0, 1 << 5
	f.Add(byte(6), byte(3), byte(3), v8test.Words(3|3<<16, 0, 1, v8test.SmiWord(field), 0, 1,
		v8test.SmiWord(field|3<<19), 0, 1, v8test.SmiWord(constant), 2))
	f.Add(byte(255), byte(0), byte(255), v8test.Words(1<<40, 0, 1, ^uint64(0), 1))
	f.Add(byte(0), byte(200), byte(8), v8test.Words(8, 0, 2, v8test.SmiWord(1023<<19), 2, 2, v8test.SmiWord(-1), 2))
	f.Fuzz(func(t *testing.T, size, start, own byte, data []byte) {
		h := fuzzedHeap(data, 217)
		h.Shape(1057, int(size), int(start), int(own), 3, false, layout.Tag(fuzzedTable))
		h.Put(fuzzedObject, uint64(h.Maps[1057]), uint64(layout.Tag(fuzzedStore)), v8test.SmiWord(0),
			v8test.SmiWord(42), uint64(layout.Tag(fuzzedName)))
		v := readerOf(h.Memory())
		o := layout.Tag(fuzzedObject)
		const most = 16
		list, more, _ := v.Objects.Properties(o, most)
		if len(list) > most || len(list)+more > int(own) || more < 0 {
			t.Fatalf("%d properties and %d more, the map has %d", len(list), more, own)
		}
		_, _ = v.Objects.OwnProperty(o, "a")
		_, _ = v.Objects.Own(Slot{Word: o}, "a")
		_, _ = v.Objects.Member(Slot{Word: o}, []string{"a", "a"})
		_ = v.Objects.Class(o)
	})
}

// FuzzDictionaries decodes the same words as each kind of hash table: it must end, and
// find no more entries than there are words of memory.
func FuzzDictionaries(f *testing.F) {
	// NameDictionary of V8 11.3: elements, deleted, capacity, next index, hash, flags, then
	// key, value, details.
	f.Add(v8test.Words(v8test.SmiWord(14), v8test.SmiWord(1), v8test.SmiWord(0), v8test.SmiWord(2), v8test.SmiWord(2),
		v8test.SmiWord(7), v8test.SmiWord(0), 1, 2, v8test.SmiWord(1<<8), 2, v8test.SmiWord(9), v8test.SmiWord(-1)))
	f.Add(v8test.Words(v8test.SmiWord(12), v8test.SmiWord(1), v8test.SmiWord(0), v8test.SmiWord(1<<28), 0,
		0, 0, 1, 1, 1))
	// OrderedHashMap: elements, deleted, buckets, then chains, then key, value, next.
	f.Add(v8test.Words(v8test.SmiWord(8), v8test.SmiWord(1), v8test.SmiWord(0), v8test.SmiWord(2), v8test.SmiWord(-1),
		v8test.SmiWord(0), 1, 2, v8test.SmiWord(0)))
	f.Add(v8test.Words(v8test.SmiWord(1<<30), v8test.SmiWord(1<<30), v8test.SmiWord(-5), v8test.SmiWord(1<<30), 1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		h := fuzzedHeap(data, 175)
		table := uint64(layout.Tag(fuzzedTable))
		h.Shape(1057, 4, 3, 0, 12, true, 0) // its elements too are a dictionary
		h.Put(fuzzedObject, uint64(h.Maps[1057]), table, table, v8test.SmiWord(42))
		v := readerOf(h.Memory())
		o := layout.Tag(fuzzedObject)
		const most = 16
		list, more, _ := v.Objects.Properties(o, most)
		if len(list) > most || more < 0 || len(list)+more > fuzzedHeapBytes/8 {
			t.Fatalf("%d properties and %d more of %d words", len(list), more, len(data)/8)
		}
		_, _ = v.Objects.OwnProperty(o, "a")
		_, _ = v.Objects.Own(Slot{Word: o}, "a")
		n := 0
		_ = v.Objects.Elements(o, func(uint64, Slot) bool { n++; return n < 1<<12 })
		if n > fuzzedHeapBytes/8 {
			t.Fatalf("%d elements of %d words", n, len(data)/8)
		}
		for _, values := range []bool{false, true} {
			entries, more, _ := v.Objects.OrderedEntries(layout.Tagged(table), values, 0, most)
			if len(entries) > most || more < 0 {
				t.Fatalf("%d entries and %d more", len(entries), more)
			}
		}
		if entries, more, _ := v.Objects.WeakEntries(layout.Tagged(table), most); len(entries) > most || more < 0 {
			t.Fatalf("%d weak entries and %d more", len(entries), more)
		}
		_, _ = v.Objects.globalProperties(o)
	})
}
