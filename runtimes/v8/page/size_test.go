package page

import (
	"encoding/binary"
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestMapSize: maps of no fixed size have four fields more where their bit says so, or as
// many as there are before the next object.
func TestMapSize(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	aMap := h.MapOf("FIXED_ARRAY")
	v := readerOf(h.Memory())
	v.Layout.ObjectLayout.Map.PrototypeSlotMask = layout.Unknown
	l := &v.Layout.Map
	base := l.Descriptors + v.Slots(4)
	for _, c := range []struct {
		name     string
		extended bool
		data     int // bytes
		next     int // where another object begins; 0 if nowhere
		want     int
	}{
		{"plain", false, base + 80, base + 16, base},
		{"extended, an object follows", true, base + 80, base + 24, base + 24},
		{"extended at the end", true, base + 16, 0, base + 16},
		{"extended, nothing follows", true, base + 80, 0, base + 32},
		{"cut", true, l.BitField, 0, 0},
	} {
		for ver, bit := range map[layout.Version]byte{layout.V(15, 0): 1 << 7, layout.V(15, 1): 1 << 6} {
			v.Layout.Map.ExtendedMask = layout.New(ver, layout.Constants{}).Map.ExtendedMask
			data := make([]byte, c.data)
			if c.data > l.BitField {
				data[l.BitField] = ^bit
				if c.extended {
					data[l.BitField] = bit
				}
			}
			if c.next > 0 {
				binary.LittleEndian.PutUint64(data[c.next:], uint64(aMap))
			}
			head := objectHead{v: v.Reader, data: data, near: aMap.Addr()}
			if got := head.size(sizeMap); got != c.want {
				t.Errorf("%v, %s: %d bytes, want %d", ver, c.name, got, c.want)
			}
		}
	}
}

// TestUnusedParameters: a ScopeInfo has them if a map comes after one more word that is a
// Smi, and where no map comes if its type has them.
func TestUnusedParameters(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	aMap := uint64(h.MapOf("FIXED_ARRAY"))
	v := readerOf(h.Memory())
	function := v.Layout.ScopeInfo.FunctionType
	for _, c := range []struct {
		name          string
		first, second uint64
		flags         int
		want          bool
	}{
		{"a map comes", aMap, 0, function, false},
		{"a Smi and a map come", 3 << 32, aMap, 0, true},
		{"nothing comes after a function's", 0, 0, function, true},
		{"nothing comes after another's", 0, 0, function + 1, false},
		{"an object that is not a map comes", aMap + 8, aMap, function + 1, false},
	} {
		data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(make([]byte, 48), c.first), c.second)
		head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
		if got := head.hasUnusedParameters(48, c.flags); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestEmbedderDataLength: an EmbedderDataArray of V8 15.0 has a Smi as its length where a FixedArray has 32 bits.
func TestEmbedderDataLength(t *testing.T) {
	for _, c := range []struct {
		length uint64
		want   int
	}{{5 << 32, 56}, {5, 56}, {0, 16}} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		v := readerOf(h.Memory())
		v.Layout.FixedArray.RawLength = 1
		data := make([]byte, 256)
		binary.LittleEndian.PutUint64(data[8:], c.length)
		head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
		if got := head.size(sizeEmbedderData); got != c.want {
			t.Errorf("length %#x: %d bytes, want %d", c.length, got, c.want)
		}
	}
}

// TestUnknownOffsets: an object's size by fields that the version does not have is not known, as of a stream whose
// version keeps code in one object.
func TestUnknownOffsets(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	v := readerOf(h.Memory())
	v.Layout.Code.FromBody, v.Layout.Code.InstructionSize = layout.Unknown, layout.Unknown
	head := objectHead{v: v.Reader, data: make([]byte, 256), near: h.MapOf("FIXED_ARRAY").Addr()}
	for _, rule := range []sizeRule{sizeStream, sizeCode} {
		if got := head.size(rule); got != 0 {
			t.Errorf("rule %d: %d bytes", rule, got)
		}
	}
}

// TestFieldWidths: sizes by a number and elements, with fields of 8 bytes and with fields compressed to 4.
// Doubles and 32-bit numbers are equally wide in both.
func TestFieldWidths(t *testing.T) {
	const count, smi8, smi4 = 3, 3 << 32, 3 << 1
	for _, c := range []struct {
		rule        sizeRule
		whole, half int // bytes if the count is 3
		raw         bool
	}{
		{sizeArray, 16 + 24, 8 + 12, false},
		{sizeDoubles, 16 + 24, 8 + 24, false},
		{sizeVector2And3, 40 + 24, 24 + 12, true},
		{sizeVector2And4, 48 + 24, 28 + 12, true},
		{sizeVector3And4, 56 + 24, 32 + 12, true}, // cores of V8 9.2 and 11.4 have the half
		{sizeVector4And4, 56 + 24, 36 + 12, true}, // the sizes of 11.2
	} {
		for width, want := range map[int]int{8: c.whole, 4: c.half} {
			h := v8test.NewHeap(t, layout.V(11, 3))
			v := readerOf(h.Memory())
			v.Layout.Variant.TaggedSize = width
			data := make([]byte, 256)
			switch {
			case c.raw:
				binary.LittleEndian.PutUint32(data[width:], count)
			case width == 8:
				binary.LittleEndian.PutUint64(data[width:], smi8)
			default:
				binary.LittleEndian.PutUint32(data[width:], smi4)
			}
			head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
			if got := head.size(c.rule); got != want {
				t.Errorf("rule %d with fields of %d bytes: %d bytes, want %d", c.rule, width, got, want)
			}
		}
	}
}

// TestOldVectors: vectors with their fields first, Node 12's and 14's by word, and Chromium 85's.
func TestOldVectors(t *testing.T) {
	for _, c := range []struct {
		rule               sizeRule
		width, at, headers int
	}{
		{sizeVectorOlder, 8, 24, 40},
		{sizeVectorOld, 8, 32, 48},
		{sizeVectorOld, 4, 16, 32},
	} {
		h := v8test.NewHeap(t, layout.V(8, 4))
		v := readerOf(h.Memory())
		v.Layout.Variant.TaggedSize = c.width
		data := make([]byte, 256)
		binary.LittleEndian.PutUint32(data[c.at:], 7)
		head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
		if got, want := head.size(c.rule), c.headers+7*c.width; got != want {
			t.Errorf("%+v: %d bytes, want %d", c, got, want)
		}
	}
}

// TestWasmNullSize: a WasmNull has its payload where that is memory and another object comes after it.
func TestWasmNullSize(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(11, 3))
	aMap := uint64(h.MapOf("FIXED_ARRAY"))
	v := readerOf(h.Memory())
	for _, c := range []struct {
		name string
		next int // where another object begins
		size int // of the memory
		want int
	}{
		{"the payload is there", 8 + wasmNullPayload, 128 << 10, 8 + wasmNullPayload},
		{"an object comes at once", 8, 128 << 10, 8},
		{"memory ends", 0, 4 << 10, 8},
		{"nothing comes after", 0, 128 << 10, 8},
	} {
		data := make([]byte, c.size)
		if c.next > 0 {
			binary.LittleEndian.PutUint64(data[c.next:], aMap)
		}
		head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
		if got := head.size(sizeWasmNull); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestDispatchSize: tables of WebAssembly as cores have them: with the sandbox, V8 12.6, 13.3 and 13.6.
func TestDispatchSize(t *testing.T) {
	for _, c := range []struct {
		rule    sizeRule
		width   int
		sandbox bool
		count   int // of 4 bytes, which one
		want    int // for 1
	}{
		{sizeDispatchOld, 4, true, 2, 12 + 16},
		{sizeDispatchOld, 8, false, 3, 16 + 24},
		{sizeDispatch16, 4, true, 3, 28 + 16},
		{sizeDispatch16, 8, false, 3, 40 + 16},
		{sizeDispatch24, 8, false, 3, 40 + 24},
	} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		v := readerOf(h.Memory())
		v.Layout.Variant.TaggedSize = c.width
		if c.sandbox {
			v.Memory.Sandbox = &layout.Sandbox{}
		}
		data := make([]byte, 256)
		binary.LittleEndian.PutUint32(data[4*c.count:], 1)
		head := objectHead{v: v.Reader, data: data, near: h.MapOf("FIXED_ARRAY").Addr()}
		if got := head.size(c.rule); got != c.want {
			t.Errorf("%+v: %d bytes", c, got)
		}
	}
}
