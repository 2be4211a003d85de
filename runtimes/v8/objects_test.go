package v8

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// madeTypes are the instance types of the hand-made heap, by the names that
// constants of V8 11.3 have. Maps of all of them are laid out in this order.
var madeTypes = []struct {
	name   string
	number int
}{
	{"Map__MAP_TYPE", 255}, {"Oddball__ODDBALL_TYPE", 131}, {"HeapNumber__HEAP_NUMBER_TYPE", 130},
	{"Symbol__SYMBOL_TYPE", 128}, {"SeqOneByteString__ONE_BYTE_STRING_TYPE", 40}, {"ConsString__CONS_ONE_BYTE_STRING_TYPE", 41},
	{"FixedArray__FIXED_ARRAY_TYPE", 175}, {"FixedDoubleArray__FIXED_DOUBLE_ARRAY_TYPE", 192},
	{"DescriptorArray__DESCRIPTOR_ARRAY_TYPE", 217}, {"PropertyArray__PROPERTY_ARRAY_TYPE", 259},
	{"AccessorPair__ACCESSOR_PAIR_TYPE", 153}, {"SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", 262},
	{"ScopeInfo__SCOPE_INFO_TYPE", 261}, {"JSProxy__JS_PROXY_TYPE", 278}, {"JSGlobalObject__JS_GLOBAL_OBJECT_TYPE", 280},
	{"JSObject__JS_OBJECT_TYPE", 1057}, {"JSFunction__JS_FUNCTION_TYPE", 2066}, {"JSArray__JS_ARRAY_TYPE", 2113},
	{"JSMap__JS_MAP_TYPE", 2108}, {"JSSet__JS_SET_TYPE", 2109}, {"JSPromise__JS_PROMISE_TYPE", 2063},
	{"JSDate__JS_DATE_TYPE", 2121}, {"JSRegExp__JS_REG_EXP_TYPE", 2120}, {"JSError__JS_ERROR_TYPE", 2122},
	{"JSTypedArray__JS_TYPED_ARRAY_TYPE", 2116}, {"JSArrayBuffer__JS_ARRAY_BUFFER_TYPE", 2112},
	{"JSPrimitiveWrapper__JS_PRIMITIVE_WRAPPER_TYPE", 2062}, {"JSWeakMap__JS_WEAK_MAP_TYPE", 2110},
	{"JSAsyncFunctionObject__JS_ASYNC_FUNCTION_OBJECT_TYPE", 2106}, {"JSBoundFunction__JS_BOUND_FUNCTION_TYPE", 2064},
	{"JSArgumentsObject__JS_ARGUMENTS_OBJECT_TYPE", 2111}, {"JSModuleNamespace__JS_MODULE_NAMESPACE_TYPE", 284},
}

const (
	heapBase  = core.Addr(0x10_0000)
	mapBytes  = 80
	objectsAt = heapBase + 0x1000
)

// madeHeap is a heap laid out by hand: maps first, objects from objectsAt on.
type madeHeap struct {
	maps map[int]layout.Tagged // by instance type
	data []byte                // from heapBase on
}

func newMadeHeap(size int) *madeHeap {
	h := &madeHeap{maps: map[int]layout.Tagged{}, data: make([]byte, size)}
	meta := layout.Tag(heapBase)
	for i, t := range madeTypes {
		at := heapBase + core.Addr(i*mapBytes)
		h.maps[t.number] = layout.Tag(at)
		h.put(at, uint64(meta))
		h.data[at-heapBase+12], h.data[at-heapBase+13] = byte(t.number), byte(t.number>>8)
	}
	return h
}

func (h *madeHeap) put(at core.Addr, words ...uint64) {
	for i, w := range words {
		binary.LittleEndian.PutUint64(h.data[int(at-heapBase)+8*i:], w)
	}
}

// shape sets the fields of a map that say how its objects look.
func (h *madeHeap) shape(typ, words, start, own, kind int, dictionary bool, descriptors layout.Tagged) {
	at := int(h.maps[typ].Addr() - heapBase)
	h.data[at+8], h.data[at+9], h.data[at+15] = byte(words), byte(start), byte(kind<<2)
	bits := uint32(own << 10)
	if dictionary {
		bits |= 1 << 21
	}
	binary.LittleEndian.PutUint32(h.data[at+16:], bits)
	binary.LittleEndian.PutUint64(h.data[at+40:], uint64(descriptors))
}

// v8 returns the decoder of a process that has nothing but the heap.
func (h *madeHeap) v8() *V8 {
	constants := map[string]int{"bit_field2_elements_kind_mask": 252, "bit_field2_elements_kind_shift": 2}
	for _, t := range madeTypes {
		constants["type_"+t.name] = t.number
	}
	p := coretest.New(core.AMD64).Map(heapBase, h.data).Process()
	ver := layout.V(11, 3)
	img := &layout.Image{Module: &core.Module{Path: "node"}, Version: ver, Constants: constants}
	return newV8(runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, img, layout.New(ver, constants))
}

func smiWord(n int) uint64 { return uint64(n) << 32 }

// TestFastProperties reads an object with a field in it, one in a property
// array and a constant in its descriptors, laid out as V8 11.3 does.
func TestFastProperties(t *testing.T) {
	h := newMadeHeap(0x2000)
	at := objectsAt
	next := func(words ...uint64) layout.Tagged {
		o := at
		h.put(at, words...)
		at += core.Addr(8 * len(words))
		return layout.Tag(o)
	}
	text := func(s string) layout.Tagged {
		b := make([]byte, 8)
		copy(b, s)
		return next(uint64(h.maps[40]), uint64(len(s))<<32, binary.LittleEndian.Uint64(b))
	}
	// PropertyDetails of V8 10 and later: location bit 5, index from bit 19.
	const field, hidden = 0, 2 << 2
	a, b, c := text("a"), text("b"), text("c")
	value := text("value")
	descriptors := next(uint64(h.maps[217]), 3|3<<16, 0,
		uint64(a), smiWord(field|0<<19), 0,
		uint64(b), smiWord(field|1<<19|hidden), 0,
		uint64(c), smiWord(1<<5), uint64(value))
	h.shape(1057, 4, 3, 3, 3, false, descriptors)
	store := next(uint64(h.maps[259]), smiWord(1), smiWord(-7))
	empty := next(uint64(h.maps[175]), 0)
	o := next(uint64(h.maps[1057]), uint64(store), uint64(empty), smiWord(42))
	v := h.v8()
	list, more, err := v.Objects.Properties(o, 10)
	if err != nil || more != 0 || len(list) != 3 {
		t.Fatalf("Properties = %v, %d, %v", list, more, err)
	}
	for i, want := range []Property{
		{Key: Key{Name: "a"}, Enumerable: true, Place: "in-object", Value: Slot{Word: layout.Tagged(smiWord(42))}},
		{Key: Key{Name: "b"}, Place: "out-of-object", Value: Slot{Word: layout.Tagged(smiWord(-7))}},
		{Key: Key{Name: "c"}, Enumerable: true, Place: "descriptor", Value: Slot{Word: value}},
	} {
		got := list[i]
		if got.Name != want.Name || got.Place != want.Place || got.Value != want.Value || got.Enumerable != want.Enumerable {
			t.Errorf("property %d is %+v, want %+v", i, got, want)
		}
	}
}

// TestCorruptObjects holds what is shown of objects that lie to the reason.
func TestCorruptObjects(t *testing.T) {
	h := newMadeHeap(0x2000)
	h.shape(1057, 4, 3, 500, 3, false, h.maps[1057]) // its descriptors are no descriptors
	h.put(objectsAt, uint64(h.maps[1057]), smiWord(0), smiWord(0), smiWord(0))
	h.shape(2113, 4, 4, 0, 3, false, 0)
	h.put(objectsAt+0x100, uint64(h.maps[2113]), smiWord(0), uint64(layout.Tag(objectsAt+0x200)), smiWord(1<<30))
	h.put(objectsAt+0x200, uint64(h.maps[175]), smiWord(1<<26))
	v := h.v8()
	for _, c := range []struct {
		at   core.Addr
		want string
	}{
		{objectsAt, "[Object: null prototype] {\n  <corrupt: its 500 properties have no descriptors>\n}"},
		{objectsAt + 0x300, "<corrupt: no object at 0x101300: its first word is not a map>"},
		{0x66_0000, "<not mapped>"},
	} {
		got := v.Values.Inspect(layout.Tag(c.at), DefaultInspect()).Format(FormatOptions{})
		if got != c.want {
			t.Errorf("%v prints as %q, want %q", c.at, got, c.want)
		}
	}
	o := DefaultInspect()
	o.MaxArray = 3
	x := v.Values.Inspect(layout.Tag(objectsAt+0x100), o)
	if x.Err == nil && len(x.Elements) != 3 || !json.Valid(x.AppendJSON(nil)) {
		t.Errorf("an array that is longer than memory is %v", x)
	}
}

func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 1: 0x1p-24, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := float16(bits); got != want {
			t.Errorf("float16(%#x) = %v, want %v", bits, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain": `'plain'`, "it's": `"it's"`, `it's "x"`: "`it's \"x\"`", "'\"`": `'\'"` + "`'",
		"\x00\x1b\n\u007f\u009f": `'\x00\x1B\n\x7F\x9F'`, "\xed\xa0\x80x": `'\ud800x'`, `a\b`: `'a\\b'`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
	if got := string(AppendString(nil, "a<\xed\xa0\x80\x01")); got != `"a<\ud800\u0001"` {
		t.Errorf("AppendString = %s", got)
	}
}

func TestPath(t *testing.T) {
	for in, want := range map[string]int{"a.b[0]": 3, `["x y"].z`: 2, "a[Symbol(d)]": 2, "a..b": -1, "a[": -1, "a[]": -1, "": 0} {
		got, err := Path(in)
		if (err != nil) != (want < 0) || err == nil && len(got) != want {
			t.Errorf("Path(%q) = %q, %v", in, got, err)
		}
	}
}

// FuzzObjects lays random words out as objects, with references to each other
// and to maps of all types, and decodes each: it must end, without a panic,
// in text and in valid JSON.
func FuzzObjects(f *testing.F) {
	f.Add([]byte{2, 15, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0})
	f.Add([]byte("a heap of words that are no objects at all, but long enough for some"))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 0x1800
		data = data[:min(len(data), most)&^7]
		h := newMadeHeap(int(objectsAt-heapBase) + len(data) + 64)
		for i := 0; i < len(data); i += 8 {
			h.put(objectsAt+core.Addr(i), h.word(data[i:i+8], len(data)))
		}
		v := h.v8()
		o := InspectOptions{Depth: 3, MaxArray: 8, MaxProperties: 8, MaxString: 64, MaxValues: 200, ShowHidden: len(data)&8 != 0}
		for i := 0; i < len(data) && i < 64*8; i += 8 {
			w := layout.Tag(objectsAt + core.Addr(i))
			x := v.Values.Inspect(w, o)
			_ = x.Format(FormatOptions{ShowHidden: o.ShowHidden})
			if b := x.AppendJSON(nil); !json.Valid(b) {
				t.Fatalf("invalid JSON: %s", b)
			}
			_, _ = v.Objects.Contexts(w)
			_, _ = v.Objects.Function(w)
			_, _ = v.Objects.InternalFields(w)
			_, _ = v.Objects.ErrorStack(w)
			_, _ = v.Objects.Member(Slot{Word: w}, []string{"a", "0"})
		}
	})
}

// word makes a word of eight random bytes: a Smi, a reference to an object or
// to a map, or the bytes themselves. Maps too get their fields from them.
func (h *madeHeap) word(b []byte, size int) uint64 {
	n := int(binary.LittleEndian.Uint16(b[1:]))
	switch b[0] & 3 {
	case 0:
		return smiWord(int(int32(binary.LittleEndian.Uint32(b[2:]))) >> (b[1] & 31))
	case 1:
		return uint64(layout.Tag(objectsAt + core.Addr(n%max(size/8, 1)*8)))
	case 2:
		typ := madeTypes[n%len(madeTypes)].number
		if b[0]&4 != 0 {
			h.shape(typ, int(b[3]&15), int(b[4]&15), int(b[5]&31), int(b[6]&31), b[7]&1 == 1,
				layout.Tag(objectsAt+core.Addr(int(b[7])*8)))
		}
		return uint64(h.maps[typ])
	}
	return binary.LittleEndian.Uint64(b)
}

// TestLongBigInt: a BigInt that is too long to be written is not corrupt.
func TestLongBigInt(t *testing.T) {
	x := &Value{Kind: KindBigInt, Err: &LongBigIntError{Bits: 1 << 30, Negative: true}}
	if got, want := x.Format(FormatOptions{}), "<negative BigInt of 1073741824 bits>"; got != want {
		t.Errorf("as text it is %s, want %s", got, want)
	}
	if got, want := string(x.AppendJSON(nil)), `{"$":"bigint","bits":1073741824,"negative":true}`; got != want {
		t.Errorf("in JSON it is %s, want %s", got, want)
	}
}

// TestShow: room for so many elements in one object is room in the whole tree.
func TestShow(t *testing.T) {
	for _, n := range []int{0, 100, 200_000, 1<<31 - 1} {
		o := DefaultInspect()
		o.Show(n)
		if o.MaxArray != n || o.MaxProperties < min(n, 10_000) || o.MaxValues < min(2*n, maxValues) || o.MaxValues > maxValues {
			t.Errorf("Show(%d) gives %+v", n, o)
		}
	}
}
