package v8

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// A heap lays out objects of V8 by hand, for tests that are named for the
// layout they lay out.
type heap struct {
	t     testing.TB
	v     layout.Version
	base  core.Addr
	bytes []byte
	types map[string]int
	maps  map[string]layout.Tagged
	build *coretest.Builder
}

// heapTypes are instance types, as V8 13.6 numbers them.
var heapTypes = map[string]int{
	"INTERNALIZED_ONE_BYTE_STRING": 8, "SEQ_TWO_BYTE_STRING": 32, "CONS_TWO_BYTE_STRING": 33,
	"EXTERNAL_TWO_BYTE_STRING": 34, "SLICED_TWO_BYTE_STRING": 35, "THIN_TWO_BYTE_STRING": 37,
	"SEQ_ONE_BYTE_STRING": 40, "CONS_ONE_BYTE_STRING": 41, "EXTERNAL_ONE_BYTE_STRING": 42,
	"SLICED_ONE_BYTE_STRING": 43, "THIN_ONE_BYTE_STRING": 45, "UNCACHED_EXTERNAL_ONE_BYTE_STRING": 58,
	"SYMBOL": 128, "HEAP_NUMBER": 130, "ODDBALL": 131, "ACCESSOR_PAIR": 140, "PROMISE_REACTION": 162, "SCRIPT": 167,
	"BYTECODE_ARRAY": 186, "CODE": 187, "INSTRUCTION_STREAM": 192, "TRUSTED_BYTE_ARRAY": 196, "FIXED_ARRAY": 205,
	"DESCRIPTOR_ARRAY": 252, "MAP": 272, "SCOPE_INFO": 280, "SHARED_FUNCTION_INFO": 282,
	"JS_PROXY": 299, "JS_GLOBAL_OBJECT": 300, "JS_GLOBAL_PROXY": 301, "JS_OBJECT": 1057, "JS_FUNCTION": 2065, "JS_PROMISE": 2115,
}

// newHeap returns an empty heap of the given version.
func newHeap(t testing.TB, v layout.Version) *heap {
	h := &heap{t: t, v: v, base: 0x10000000, types: heapTypes, maps: map[string]layout.Tagged{}, build: coretest.New(core.AMD64)}
	h.bytes = make([]byte, 16)
	meta := h.alloc(80)
	h.put(meta, uint64(layout.Tag(meta)))
	h.put16(meta+12, uint16(h.types["MAP"]))
	h.maps["MAP"] = layout.Tag(meta)
	return h
}

func (h *heap) alloc(n int) core.Addr {
	a := h.base + core.Addr(len(h.bytes))
	h.bytes = append(h.bytes, make([]byte, (n+7)&^7)...)
	return a
}

func (h *heap) put(a core.Addr, w uint64)   { binary.LittleEndian.PutUint64(h.bytes[a-h.base:], w) }
func (h *heap) put32(a core.Addr, w uint32) { binary.LittleEndian.PutUint32(h.bytes[a-h.base:], w) }
func (h *heap) put16(a core.Addr, w uint16) { binary.LittleEndian.PutUint16(h.bytes[a-h.base:], w) }

// MapOf returns the map of a type.
func (h *heap) mapOf(typ string) layout.Tagged {
	if m, ok := h.maps[typ]; ok {
		return m
	}
	n, ok := h.types[typ]
	if !ok {
		h.t.Fatalf("no instance type %s", typ)
	}
	a := h.alloc(80)
	h.put(a, uint64(h.maps["MAP"]))
	h.put16(a+12, uint16(n))
	h.maps[typ] = layout.Tag(a)
	return layout.Tag(a)
}

// object lays out an object: its map, then words.
func (h *heap) object(typ string, words ...uint64) layout.Tagged {
	m := h.mapOf(typ)
	a := h.alloc(8 + 8*len(words))
	h.put(a, uint64(m))
	for i, w := range words {
		h.put(a+8+core.Addr(8*i), w)
	}
	return layout.Tag(a)
}

func smi(n int) uint64 { return uint64(n) << 32 }

// str lays out a sequential one-byte string.
func (h *heap) str(s string) layout.Tagged {
	o := h.object("SEQ_ONE_BYTE_STRING", uint64(len(s))<<32)
	copy(h.bytes[h.alloc(len(s))-h.base:], s)
	return o
}

// bytesOf lays out a byte array.
func (h *heap) bytesOf(b []byte) layout.Tagged {
	o := h.object("TRUSTED_BYTE_ARRAY", smi(len(b)))
	copy(h.bytes[h.alloc(len(b))-h.base:], b)
	return o
}

// decoder returns a V8 over what was laid out.
func (h *heap) decoder() *V8 {
	constants := map[string]int{}
	for name, n := range h.types {
		constants["type_X__"+name+"_TYPE"] = n
	}
	for i, name := range []string{"", "Entry", "ConstructEntry", "Exit", "Construct", "BuiltinExit", "Stub",
		"JavaScriptBuiltinContinuation"} {
		if name != "" {
			constants["frametype_"+name+"Frame"] = i
		}
	}
	// A page on each side, so that decoders can read past the last object.
	p := h.build.Map(h.base, append(h.bytes, make([]byte, 4096)...)).Process()
	img := &layout.Image{Module: core.NewModule(core.Module{Path: "node"}, nil), Version: h.v, Constants: constants}
	return newV8(runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, img, layout.New(h.v, nil))
}
