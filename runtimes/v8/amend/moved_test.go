package amend

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// ofType returns what has samples of one type.
func ofType(v *Build, typ string, list []layout.Tagged) func(int) []layout.Tagged {
	return func(n int) []layout.Tagged {
		if n == v.TypeNumber(typ) {
			return list
		}
		return nil
	}
}

// TestBuffers: fields of buffers are one slot lower where there is no object after the elements, and one higher
// where there is one that the table has not.
func TestBuffers(t *testing.T) {
	for _, c := range []struct {
		name      string
		has, says bool // has a key, and a table that says so
	}{{"neither", false, false}, {"both", true, true}, {"no key", false, true}, {"a key", true, false}} {
		t.Run(c.name, func(t *testing.T) {
			h := v8test.NewHeap(t, layout.V(13, 6))
			key := uint64(32) // a length
			if c.has {
				key = uint64(h.Object("ODDBALL", 0, 0, 0, 0, 0))
			}
			var list []layout.Tagged
			for range 4 {
				list = append(list, h.Object("JS_ARRAY_BUFFER", 0, 0, key, 64, 0, 0, 0))
			}
			v := buildOf(h, nil)
			v.Samples = ofType(v, "JS_ARRAY_BUFFER_TYPE", list)
			after := v.Layout.JSObject.Elements + v.Slots(1)
			b := &v.Layout.JSArrayBuffer
			at := func(key bool) int {
				if key {
					return after + v.Slots(1)
				}
				return after
			}
			b.ByteLength, b.BackingStore, b.Extension = at(c.says), at(c.says)+8, layout.Unknown
			v.Buffers()
			if want := at(c.has); b.ByteLength != want || b.BackingStore != want+8 || b.Extension != layout.Unknown {
				t.Errorf("length at %d, bytes at %d, extension at %d; want %d, %d, none", b.ByteLength, b.BackingStore,
					b.Extension, want, want+8)
			}
		})
	}
}

// TestTypedArrays: the pointers of typed arrays are one slot lower if the arrays on the heap refer
// to their elements there. Arrays outside of the heap say nothing, even if the object behind one
// has the same empty elements.
func TestTypedArrays(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int // length of the elements
		want int // slots that the pointers move
	}{{"on the heap", 4, -1}, {"outside", 0, 0}} {
		t.Run(c.name, func(t *testing.T) {
			h := v8test.NewHeap(t, layout.V(13, 6))
			was := buildOf(h, nil).Layout
			base := was.JSTypedArray.BasePointer
			if want := was.JSArrayBufferView.ByteLength + 24; base != want {
				t.Fatalf("the base pointer is at %d of V8 13.6, want %d", base, want)
			}
			var list []layout.Tagged
			elements := h.Object("FIXED_ARRAY", 0)
			for range 4 {
				words := make([]uint64, base/8+1)
				if c.n > 0 {
					elements = h.Object("FIXED_ARRAY", v8test.Smi(c.n), 0)
					words[base/8-2] = uint64(elements)
				} else {
					words[base/8] = uint64(elements) // the next object's
				}
				words[was.JSObject.Elements/8-1] = uint64(elements)
				list = append(list, h.Object("JS_TYPED_ARRAY", words...))
			}
			v := buildOf(h, nil)
			v.Layout.FixedArray.Length = 8
			a := &v.Layout.JSTypedArray
			v.Samples = ofType(v, "JS_TYPED_ARRAY_TYPE", list)
			v.TypedArrays()
			if want := base + 8*c.want; a.BasePointer != want || a.ExternalPointer != want-8 {
				t.Errorf("base pointer at %d, external pointer at %d; want %d and %d", a.BasePointer,
					a.ExternalPointer, want, want-8)
			}
		})
	}
}

// TestBufferFlags: flags are four bytes lower where the extension before them is a handle.
func TestBufferFlags(t *testing.T) {
	for _, c := range []struct {
		name string
		word uint64
		want int
	}{{"here", 2 << 32, 0}, {"before", 2, -4}, {"in neither", 0, 0}, {"what are no flags", maxBufferFlags, 0}} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		var list []layout.Tagged
		for range 4 {
			list = append(list, h.Object("JS_ARRAY_BUFFER", 0, 0, 0, 0, 0, c.word))
		}
		v := buildOf(h, nil)
		v.Samples = ofType(v, "JS_ARRAY_BUFFER_TYPE", list)
		v.Layout.JSArrayBuffer.BitField = 52
		if v.bufferFlags(); v.Layout.JSArrayBuffer.BitField != 52+c.want {
			t.Errorf("%s: at %d, want %d", c.name, v.Layout.JSArrayBuffer.BitField, 52+c.want)
		}
	}
}

// TestEarlyStrings: handles of external strings lead to their texts by the table that starts a mapping, or after
// entries that cannot be written.
func TestEarlyStrings(t *testing.T) {
	const table, text, object, code = core.Addr(0x600000010000), core.Addr(0x600000100000), core.Addr(0x600000200000),
		core.Addr(0x600000300000)
	for _, c := range []struct {
		name  string
		shift uint
		first core.Addr // bytes that cannot be written
		wide  bool      // a handle has the room of an address
		found bool
	}{{"shifted by 5", 5, 0, false, true}, {"by 6", 6, 0, false, true},
		{"after the first entries", 6, firstEntries, false, true},
		{"with the room of addresses", 8, 0, true, true}, {"by more than any", 11, 0, false, false}} {
		t.Run(c.name, func(t *testing.T) {
			h := v8test.NewHeap(t, layout.V(13, 6))
			// Each string has its resource in the first writable slot, and its characters after that.
			first := uint64(c.first/8) + 1
			var list []layout.Tagged
			for range 3 {
				words := []uint64{4 << 32, first<<c.shift | (first+1)<<c.shift<<32}
				if c.wide {
					words = []uint64{4 << 32, first << c.shift, (first + 1) << c.shift}
				}
				list = append(list, h.Object("EXTERNAL_ONE_BYTE_STRING", words...))
			}
			page := func(words ...uint64) []byte {
				out := make([]byte, 0x1000)
				for i, w := range words {
					binary.LittleEndian.PutUint64(out[8*i:], w)
				}
				return out
			}
			h.Build.MapProt(text, page(), core.Read).MapProt(code, page(), core.Read|core.Exec)
			h.Build.MapProt(object, page(uint64(object)+8, uint64(code)), core.Read) // its table is in itself
			h.Build.MapProt(table+c.first, page(0, uint64(object), uint64(text)), core.Read|core.Write)
			v := buildOf(h, nil)
			v.Cage = func(core.Addr) core.Addr { return 0 } // nothing here belongs to the heap
			v.ExternalStrings = func() []layout.Tagged { return list }
			v.IsText = func(_ layout.Tagged, at core.Addr) bool { return at == text }
			v.EarlyStrings()
			if v.Early.StringResource == nil {
				if c.found {
					t.Fatal("not found")
				}
				return
			}
			if at, ok := v.Early.StringResource(list[0], uint32(first<<c.shift)); !c.found || !ok || at != object {
				t.Errorf("the resource is at %v, %v", at, ok)
			}
		})
	}
}

// TestEarlyTables: what looks like a table of addresses outside of the heap has a tag in each of its first
// entries that are not empty.
func TestEarlyTables(t *testing.T) {
	const at = core.Addr(0x600000010000)
	const tag = uint64(0x8123) << 48
	for _, c := range []struct {
		name  string
		words []uint64
		prot  core.Prot
		found bool
	}{
		{"tagged", []uint64{0, tag | 0x1000, tag | 0x2000, 0, tag | 5, tag}, core.Read | core.Write, true},
		{"few", []uint64{0, tag | 0x1000, tag | 0x2000, tag}, core.Read | core.Write, false},
		{"an address among them", []uint64{0, tag | 0x1000, tag | 0x2000, 0x7f0000001000, tag | 5, tag},
			core.Read | core.Write, false},
		{"what cannot be written", []uint64{0, tag | 0x1000, tag | 0x2000, 0, tag | 5, tag}, core.Read, false},
	} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		page := make([]byte, 0x1000)
		for i, w := range c.words {
			binary.LittleEndian.PutUint64(page[8*i:], w)
		}
		h.Build.MapProt(at, page, c.prot)
		v := buildOf(h, nil)
		v.Cage = func(core.Addr) core.Addr { return 0 } // nothing here belongs to the heap
		v.earlyTables()
		if got := slices.Contains(v.Early.Tables, at); got != c.found {
			t.Errorf("%s: %v", c.name, v.Early.Tables)
		}
	}
}

// TestMarkers: the frames of builtins in C++ are the ones with a function without bytecodes and the number of
// its arguments; types up to the constructors' keep their numbers.
func TestMarkers(t *testing.T) {
	const code = core.Addr(0x600000300000)
	for _, moved := range []int{-maxMarkerShift - 1, -1, 0, 1, maxMarkerShift + 1} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		shared := h.Object("SHARED_FUNCTION_INFO", v8test.Smi(7), 0, 0, 0, 0, 0, 0, 0)
		fn := h.Object("JS_FUNCTION", 0, 0, 0, uint64(shared), 0, 0, 0)
		exit := layout.New(layout.V(13, 6), layout.Constants{}).Frame.ExitTarget
		const construct, builtin, own = 14, 16, 17
		h.Frame(map[int]uint64{
			-8: uint64(own+moved) << 1, 0: v8test.StackBase + 0x900, 8: uint64(code),
			exit: uint64(fn), exit + 8: v8test.Smi(2),
		})
		h.Build.MapProt(code, make([]byte, 0x1000), core.Read|core.Exec).Thread(1,
			map[string]uint64{"rsp": v8test.StackBase})
		v := buildOf(h, nil)
		v.Memory.Markers = layout.FrameTypes{13: "Internal", construct: "Construct", builtin: "Builtin",
			own: "BuiltinExit", own + 1: "Native"}
		v.Markers()
		want := own + moved
		if moved < -maxMarkerShift || moved > maxMarkerShift {
			want = own
		}
		m := v.Memory.Markers
		if m[want] != "BuiltinExit" || m[want+1] != "Native" || m[construct] != "Construct" ||
			(m[construct+1] == "FastConstruct") != (want > own) {
			t.Errorf("%d off: %v", moved, m)
		}
	}
}

// TestInternalMarker: if the frame that an entry frame has called has a number other than Internal's, the types
// that move with Internal move too. WebAssembly types that cannot be determined are unknown: V8 14.1 has them
// before Internal, 14.6 after all others. The frame that runs microtasks, a Stub, may have been called more
// often.
func TestInternalMarker(t *testing.T) {
	const code, stub, internal = core.Addr(0x600000300000), 10, 13
	for i, moved := range []int{-1, 0, 1, -1, 0, 1} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		words := map[int]uint64{
			-8: uint64(internal+moved) << 1, 0: v8test.StackBase + 0x900, 8: uint64(code),
			0x100 - 8: 1 << 1, // the entry frame's
		}
		for at := 0x40; i >= 3 && at <= 0x60; at += 0x20 {
			words[at-8], words[at], words[at+8] = uint64(stub+moved)<<1, v8test.StackBase+0x900, uint64(code)
		}
		h.Frame(words)
		h.Build.MapProt(code, make([]byte, 0x1000), core.Read|core.Exec).Thread(1,
			map[string]uint64{"rsp": v8test.StackBase})
		v := buildOf(h, nil)
		v.Memory.Markers = layout.FrameTypes{1: "Entry", 3: "Exit", 4: "Wasm", 7: "JsToWasm", 8: "Interpreted",
			stub: "Stub", internal: "Internal", 24: "WasmExit"}
		v.internalMarker()
		m := v.Memory.Markers
		_, known := m[7]
		if m[3] != "Exit" || m[4] != "Wasm" || m[8+moved] != "Interpreted" || m[internal+moved] != "Internal" ||
			m[24+moved] != "WasmExit" ||
			known != (moved == 0) && m[7] != "Interpreted" {
			t.Errorf("%d off: %v", moved, m)
		}
	}
}

// TestRefutedMarkers: a frame with a marker cannot have a type whose frames have no marker, so another table's
// types are the nearer ones. V8 9.2 is between 8.7, which has optimized frames first, and 10.2.
func TestRefutedMarkers(t *testing.T) {
	const code, internal = core.Addr(0x600000300000), 18
	tables, err := layout.Tables(layout.Variant{TaggedSize: 4}, layout.V(9, 2))
	if err != nil {
		t.Fatal(err)
	}
	own := layout.FrameTypes{1: "Entry", 2: "ConstructEntry", 3: "Exit", 4: "Optimized", 5: "Wasm", 12: "Interpreted",
		13: "Stub", 17: "Internal"}
	for _, c := range []struct {
		marker int
		wasm   bool // whether 4 is Wasm
	}{
		{5, true}, // Optimized, moved by one
		{internal, false},
	} {
		h := v8test.NewHeap(t, layout.V(9, 2))
		h.Frame(map[int]uint64{
			-8: internal << 1, 0: v8test.StackBase + 0x900, 8: uint64(code),
			0x100 - 8: 1 << 1, // the entry frame's
			0x40 - 8:  uint64(c.marker) << 1, 0x40: v8test.StackBase + 0x880, 0x48: uint64(code),
		})
		h.Build.MapProt(code, make([]byte, 0x1000), core.Read|core.Exec).Thread(1,
			map[string]uint64{"rsp": v8test.StackBase})
		v := buildOf(h, nil)
		v.Image.Constants.Table = tables[0]
		v.Memory.Markers = own
		v.internalMarker()
		m := v.Memory.Markers
		if m[internal] != "Internal" || (m[4] == "Wasm") != c.wasm {
			t.Errorf("with marker %d: %v", c.marker, m)
		}
	}
}
