package v8

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestFastProperties reads an object with a field in it, one in a property
// array and a constant in its descriptors, laid out as V8 11.3 does.
func TestFastProperties(t *testing.T) {
	h := v8test.NewMadeHeap(0x2000)
	at := v8test.ObjectsAt
	next := func(words ...uint64) layout.Tagged {
		o := at
		h.Put(at, words...)
		at += core.Addr(8 * len(words))
		return layout.Tag(o)
	}
	text := func(s string) layout.Tagged {
		b := make([]byte, 8)
		copy(b, s)
		return next(uint64(h.Maps[40]), uint64(len(s))<<32, binary.LittleEndian.Uint64(b))
	}
	// PropertyDetails of V8 10 and later: location bit 5, index from bit 19.
	const field, hidden = 0, 2 << 2
	a, b, c := text("a"), text("b"), text("c")
	value := text("value")
	descriptors := next(uint64(h.Maps[217]), 3|3<<16, 0,
		uint64(a), v8test.SmiWord(field|0<<19), 0,
		uint64(b), v8test.SmiWord(field|1<<19|hidden), 0,
		uint64(c), v8test.SmiWord(1<<5), uint64(value))
	h.Shape(1057, 4, 3, 3, 3, false, descriptors)
	store := next(uint64(h.Maps[259]), v8test.SmiWord(1), v8test.SmiWord(-7))
	empty := next(uint64(h.Maps[175]), 0)
	o := next(uint64(h.Maps[1057]), uint64(store), uint64(empty), v8test.SmiWord(42))
	v := newV8(fit.New(h.Memory()), nil)
	list, more, err := v.Objects.Properties(o, 10)
	if err != nil || more != 0 || len(list) != 3 {
		t.Fatalf("Properties = %v, %d, %v", list, more, err)
	}
	for i, want := range []object.Property{
		{Key: object.Key{Name: "a"}, Enumerable: true, Place: "in-object",
			Value: object.Slot{Word: layout.Tagged(v8test.SmiWord(42))}},
		{Key: object.Key{Name: "b"}, Place: "out-of-object",
			Value: object.Slot{Word: layout.Tagged(v8test.SmiWord(-7))}},
		{Key: object.Key{Name: "c"}, Enumerable: true, Place: "descriptor", Value: object.Slot{Word: value}},
	} {
		got := list[i]
		if got.Name != want.Name || got.Place != want.Place || got.Value != want.Value ||
			got.Enumerable != want.Enumerable {
			t.Errorf("property %d is %+v, want %+v", i, got, want)
		}
	}
}

// TestCorruptObjects checks that corrupt objects are shown with the reason they cannot be read.
func TestCorruptObjects(t *testing.T) {
	h := v8test.NewMadeHeap(0x2000)
	h.Shape(1057, 4, 3, 500, 3, false, h.Maps[1057]) // its descriptors are not descriptors
	h.Put(v8test.ObjectsAt, uint64(h.Maps[1057]), v8test.SmiWord(0), v8test.SmiWord(0), v8test.SmiWord(0))
	h.Shape(2113, 4, 4, 0, 3, false, 0)
	h.Put(v8test.ObjectsAt+0x100, uint64(h.Maps[2113]), v8test.SmiWord(0), uint64(layout.Tag(v8test.ObjectsAt+0x200)),
		v8test.SmiWord(1<<30))
	h.Put(v8test.ObjectsAt+0x200, uint64(h.Maps[175]), v8test.SmiWord(1<<26))
	v := newV8(fit.New(h.Memory()), nil)
	for _, c := range []struct {
		at   core.Addr
		want string
	}{
		{v8test.ObjectsAt, "[Object: null prototype] {\n  <corrupt: its 500 properties have no descriptors>\n}"},
		{v8test.ObjectsAt + 0x300, "<corrupt: no object at 0x101300: its first word is not a map>"},
		{0x66_0000, "<not mapped>"},
	} {
		got := v.Values.Inspect(layout.Tag(c.at), inspect.DefaultInspect()).Format(inspect.FormatOptions{})
		if got != c.want {
			t.Errorf("%v prints as %q, want %q", c.at, got, c.want)
		}
	}
	o := inspect.DefaultInspect()
	o.MaxArray = 3
	x := v.Values.Inspect(layout.Tag(v8test.ObjectsAt+0x100), o)
	if x.Err == nil && len(x.Elements) != 3 || !json.Valid(x.AppendJSON(nil)) {
		t.Errorf("an array that is longer than memory is %v", x)
	}
}

// FuzzObjects lays random words out as objects, with references to each other
// and to maps of all types, and decodes each: it must end, without a panic,
// in text and in valid JSON.
func FuzzObjects(f *testing.F) {
	f.Add([]byte{2, 15, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0})
	f.Add([]byte("a heap of words that are not objects at all, but long enough for some"))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 0x1800
		data = data[:min(len(data), most)&^7]
		h := v8test.NewMadeHeap(int(v8test.ObjectsAt-v8test.HeapBase) + len(data) + 64)
		for i := 0; i < len(data); i += 8 {
			h.Put(v8test.ObjectsAt+core.Addr(i), h.Word(data[i:i+8], len(data)))
		}
		v := newV8(fit.New(h.Memory()), nil)
		o := inspect.InspectOptions{Depth: 3, MaxArray: 8, MaxProperties: 8, MaxString: 64, MaxValues: 200,
			ShowHidden: len(data)&8 != 0}
		for i := 0; i < len(data) && i < 64*8; i += 8 {
			w := layout.Tag(v8test.ObjectsAt + core.Addr(i))
			x := v.Values.Inspect(w, o)
			_ = x.Format(inspect.FormatOptions{ShowHidden: o.ShowHidden})
			if b := x.AppendJSON(nil); !json.Valid(b) {
				t.Fatalf("invalid JSON: %s", b)
			}
			_, _ = v.Objects.Contexts(w)
			_, _ = v.Objects.Function(w)
			_, _ = v.Objects.InternalFields(w)
			_, _ = callsite.New(v.Objects).ErrorStack(w)
			_, _ = v.Objects.Member(object.Slot{Word: w}, []string{"a", "0"})
		}
	})
}
