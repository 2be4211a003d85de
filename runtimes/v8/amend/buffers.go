package amend

import (
	"coredbg/runtimes/v8/layout"
)

// maxViewSlots is how many slots from the length of a view on may be its base pointer.
const maxViewSlots = 8

// TypedArrays corrects the offsets of a typed array's pointers: V8 13.3 has no length before them. A typed
// array with elements on the heap refers to them twice, as its elements and as its base pointer, and the
// external pointer comes right before the base pointer (objects/js-array-buffer.tq).
func (v *Build) TypedArrays() {
	t, view := &v.Layout.JSTypedArray, &v.Layout.JSArrayBufferView
	typ := v.TypeNumber("JS_TYPED_ARRAY_TYPE")
	if typ < 0 || t.BasePointer == layout.Unknown || t.InElements == 1 || view.ByteLength == layout.Unknown {
		return
	}
	votes := map[int]int{}
	seen := map[layout.Tagged]bool{}
	first := view.ByteLength + 8
	for _, o := range v.Samples(typ) {
		elements, ok := v.Field(o, v.Layout.JSObject.Elements)
		if n, sized := v.ArrayLength(elements); !ok || !sized || n == 0 || seen[elements] {
			continue // an array outside of the heap has the empty array, and so may the object behind it
		}
		seen[elements] = true
		for i := range maxViewSlots {
			off := first + v.Slots(i)
			if w, ok := v.Field(o, off); ok && w == elements {
				votes[off]++
				break // what comes after is another object's
			}
		}
	}
	best := t.BasePointer
	for i := range maxViewSlots {
		if off := first + v.Slots(i); votes[off] > votes[best] {
			best = off
		}
	}
	if best != t.BasePointer && best >= first+8 && votes[t.BasePointer] == 0 {
		v.Layout.Probed("JSTypedArray", "BasePointer", best)
		v.Layout.Probed("JSTypedArray", "ExternalPointer", best-8)
	}
}

// Buffers corrects the offsets of a buffer's fields, which come after its elements. 11.0 has a detach key
// there, an object or undefined; V8 10.8 has no such key (objects/js-array-buffer.tq).
func (v *Build) Buffers() {
	b := &v.Layout.JSArrayBuffer
	typ := v.TypeNumber("JS_ARRAY_BUFFER_TYPE")
	if typ < 0 || b.ByteLength == layout.Unknown || v.Layout.JSObject.Elements == layout.Unknown {
		return
	}
	key := v.Layout.JSObject.Elements + v.Slots(1)
	moved := v.Slots(1)
	switch b.ByteLength {
	case key:
	case key + v.Slots(1):
		moved = -moved
	default:
		return
	}
	keyed, bare := 0, 0
	for _, o := range v.Samples(typ) {
		w, ok := v.Field(o, key)
		if _, is := v.InstanceType(w); ok && w.IsHeap() && is {
			keyed++
		} else if ok {
			bare++
		}
	}
	if moved < 0 && bare <= keyed || moved > 0 && keyed <= bare {
		return
	}
	for _, f := range []struct {
		name string
		at   int
	}{{"ByteLength", b.ByteLength}, {"MaxByteLength", b.MaxByteLength}, {"BackingStore", b.BackingStore},
		{"Extension", b.Extension}, {"BitField", b.BitField}} {
		if f.at != layout.Unknown {
			v.Layout.Probed("JSArrayBuffer", f.name, f.at+moved)
		}
	}
}
