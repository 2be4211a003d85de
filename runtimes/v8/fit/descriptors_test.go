package fit

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestFieldIndex: fields without the bit for "in the object" belong to a version that has no such bit only if
// the objects have no other place for fields. A program whose first shapes all have their fields outside proves
// nothing.
func TestFieldIndex(t *testing.T) {
	const outside, inside = 259, 175 // types of properties: a PropertyArray, the empty FixedArray
	for properties, want := range map[int]int{outside: fieldInObject, inside: layout.Unknown} {
		h := v8test.NewMadeHeap(0x2000)
		at := v8test.ObjectsAt
		next := func(words ...uint64) layout.Tagged {
			o := at
			h.Put(at, words...)
			at += core.Addr(8 * len(words))
			return layout.Tag(o)
		}
		words := []uint64{uint64(h.Maps[217]), leastFieldsShown | leastFieldsShown<<16, 0}
		for i := range leastFieldsShown {
			name := next(uint64(h.Maps[40]), 1<<32, binary.LittleEndian.Uint64([]byte{byte('a' + i), 7: 0}))
			words = append(words, uint64(name), v8test.SmiWord(i<<fieldShift), 0)
		}
		h.Shape(1057, 11, 3, leastFieldsShown, 3, false, next(words...))
		store, empty := next(uint64(h.Maps[properties]), 0), next(uint64(h.Maps[175]), 0)
		next(append([]uint64{uint64(h.Maps[1057]), uint64(store), uint64(empty)},
			make([]uint64, leastFieldsShown)...)...)
		v := New(h.Memory())
		v.Layout.DescriptorArray.InObjectShift = fieldInObject
		if v.probeFieldIndex(); v.Layout.DescriptorArray.InObjectShift != want {
			t.Errorf("properties of type %d: the bit is %d, want %d", properties,
				v.Layout.DescriptorArray.InObjectShift, want)
		}
	}
}
