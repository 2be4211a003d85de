package v8test

import (
	"encoding/binary"

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
	{"Symbol__SYMBOL_TYPE", 128}, {"SeqOneByteString__ONE_BYTE_STRING_TYPE", 40},
	{"ConsString__CONS_ONE_BYTE_STRING_TYPE", 41},
	{"FixedArray__FIXED_ARRAY_TYPE", 175}, {"FixedDoubleArray__FIXED_DOUBLE_ARRAY_TYPE", 192},
	{"DescriptorArray__DESCRIPTOR_ARRAY_TYPE", 217}, {"PropertyArray__PROPERTY_ARRAY_TYPE", 259},
	{"AccessorPair__ACCESSOR_PAIR_TYPE", 153}, {"SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", 262},
	{"ScopeInfo__SCOPE_INFO_TYPE", 261}, {"JSProxy__JS_PROXY_TYPE", 278},
	{"JSGlobalObject__JS_GLOBAL_OBJECT_TYPE", 280},
	{"JSObject__JS_OBJECT_TYPE", 1057}, {"JSFunction__JS_FUNCTION_TYPE", 2066}, {"JSArray__JS_ARRAY_TYPE", 2113},
	{"JSMap__JS_MAP_TYPE", 2108}, {"JSSet__JS_SET_TYPE", 2109}, {"JSPromise__JS_PROMISE_TYPE", 2063},
	{"JSDate__JS_DATE_TYPE", 2121}, {"JSRegExp__JS_REG_EXP_TYPE", 2120}, {"JSError__JS_ERROR_TYPE", 2122},
	{"JSTypedArray__JS_TYPED_ARRAY_TYPE", 2116}, {"JSArrayBuffer__JS_ARRAY_BUFFER_TYPE", 2112},
	{"JSPrimitiveWrapper__JS_PRIMITIVE_WRAPPER_TYPE", 2062}, {"JSWeakMap__JS_WEAK_MAP_TYPE", 2110},
	{"JSAsyncFunctionObject__JS_ASYNC_FUNCTION_OBJECT_TYPE", 2106}, {"JSBoundFunction__JS_BOUND_FUNCTION_TYPE", 2064},
	{"JSArgumentsObject__JS_ARGUMENTS_OBJECT_TYPE", 2111}, {"JSModuleNamespace__JS_MODULE_NAMESPACE_TYPE", 284},
}

const (
	// HeapBase is where a MadeHeap begins, and ObjectsAt where its objects do.
	HeapBase  = core.Addr(0x10_0000)
	mapBytes  = 80
	ObjectsAt = HeapBase + 0x1000
)

// MadeHeap is a heap laid out by hand: maps first, objects from ObjectsAt on.
type MadeHeap struct {
	Maps map[int]layout.Tagged // by instance type
	data []byte                // from HeapBase on
}

// NewMadeHeap returns a MadeHeap of size bytes, with a map of each type.
func NewMadeHeap(size int) *MadeHeap {
	h := &MadeHeap{Maps: map[int]layout.Tagged{}, data: make([]byte, size)}
	meta := layout.Tag(HeapBase)
	for i, t := range madeTypes {
		at := HeapBase + core.Addr(i*mapBytes)
		h.Maps[t.number] = layout.Tag(at)
		h.Put(at, uint64(meta))
		h.data[at-HeapBase+12], h.data[at-HeapBase+13] = byte(t.number), byte(t.number>>8)
	}
	return h
}

// Put writes words from at on.
func (h *MadeHeap) Put(at core.Addr, words ...uint64) {
	for i, w := range words {
		binary.LittleEndian.PutUint64(h.data[int(at-HeapBase)+8*i:], w)
	}
}

// Shape sets the fields of a map that say how its objects look.
func (h *MadeHeap) Shape(typ, words, start, own, kind int, dictionary bool, descriptors layout.Tagged) {
	at := int(h.Maps[typ].Addr() - HeapBase)
	h.data[at+8], h.data[at+9], h.data[at+15] = byte(words), byte(start), byte(kind<<2)
	bits := uint32(own << 10)
	if dictionary {
		bits |= 1 << 21
	}
	binary.LittleEndian.PutUint32(h.data[at+16:], bits)
	binary.LittleEndian.PutUint64(h.data[at+40:], uint64(descriptors))
}

// Memory returns a process that has only the heap.
func (h *MadeHeap) Memory() *layout.Memory {
	constants := map[string]int{"bit_field2_elements_kind_mask": 252, "bit_field2_elements_kind_shift": 2}
	for _, t := range madeTypes {
		constants["type_"+t.name] = t.number
	}
	p := coretest.New(core.AMD64).Map(HeapBase, h.data).Process()
	ver := layout.V(11, 3)
	img := &layout.Image{Module: &core.Module{Path: "node"}, Version: ver,
		Constants: layout.Constants{Values: constants}}
	return layout.NewMemory(runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, img,
		layout.New(ver, layout.Constants{Values: constants}))
}

// SmiWord is the word of a small integer.
func SmiWord(n int) uint64 { return uint64(n) << 32 }

// Word makes a word of eight random bytes: a Smi, a reference to an object or
// to a map, or the bytes themselves. Maps too get their fields from them.
func (h *MadeHeap) Word(b []byte, size int) uint64 {
	n := int(binary.LittleEndian.Uint16(b[1:]))
	switch b[0] & 3 {
	case 0:
		return SmiWord(int(int32(binary.LittleEndian.Uint32(b[2:]))) >> (b[1] & 31))
	case 1:
		return uint64(layout.Tag(ObjectsAt + core.Addr(n%max(size/8, 1)*8)))
	case 2:
		typ := madeTypes[n%len(madeTypes)].number
		if b[0]&4 != 0 {
			h.Shape(typ, int(b[3]&15), int(b[4]&15), int(b[5]&31), int(b[6]&31), b[7]&1 == 1,
				layout.Tag(ObjectsAt+core.Addr(int(b[7])*8)))
		}
		return uint64(h.Maps[typ])
	}
	return binary.LittleEndian.Uint64(b)
}
