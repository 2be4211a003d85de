package v8test

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// A Heap lays out objects of V8 by hand, for tests that are named for the
// layout they lay out.
type Heap struct {
	t     testing.TB
	v     layout.Version
	Base  core.Addr
	Bytes []byte
	types map[string]int
	Maps  map[string]layout.Tagged
	Build *coretest.Builder
}

// heapTypes are instance types, as V8 13.6 numbers them.
var heapTypes = map[string]int{
	"INTERNALIZED_ONE_BYTE_STRING": 8, "SEQ_TWO_BYTE_STRING": 32, "CONS_TWO_BYTE_STRING": 33,
	"EXTERNAL_TWO_BYTE_STRING": 34, "SLICED_TWO_BYTE_STRING": 35, "THIN_TWO_BYTE_STRING": 37,
	"SEQ_ONE_BYTE_STRING": 40, "CONS_ONE_BYTE_STRING": 41, "EXTERNAL_ONE_BYTE_STRING": 42,
	"SLICED_ONE_BYTE_STRING": 43, "THIN_ONE_BYTE_STRING": 45, "UNCACHED_EXTERNAL_ONE_BYTE_STRING": 58,
	"SYMBOL": 128, "HEAP_NUMBER": 130, "ODDBALL": 131, "ACCESSOR_PAIR": 140, "PROMISE_REACTION": 162, "SCRIPT": 167,
	"UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA": 177,
	"BYTECODE_ARRAY":                        186, "CODE": 187, "INSTRUCTION_STREAM": 192, "TRUSTED_BYTE_ARRAY": 196,
	"FIXED_ARRAY": 205, "HASH_TABLE": 206,
	"DESCRIPTOR_ARRAY": 252, "MAP": 272, "SCOPE_INFO": 280, "SHARED_FUNCTION_INFO": 282,
	"JS_PROXY": 299, "JS_ARRAY_BUFFER": 1058, "JS_GLOBAL_OBJECT": 300, "JS_GLOBAL_PROXY": 301, "JS_OBJECT": 1057,
	"JS_TYPED_ARRAY": 2061, "JS_FUNCTION": 2065, "JS_PROMISE": 2115,
}

// NewHeap returns an empty heap of the given version.
func NewHeap(t testing.TB, v layout.Version) *Heap {
	h := &Heap{t: t, v: v, Base: 0x10000000, types: heapTypes, Maps: map[string]layout.Tagged{},
		Build: coretest.New(core.AMD64)}
	h.Bytes = make([]byte, 16)
	meta := h.Alloc(80)
	h.Put(meta, uint64(layout.Tag(meta)))
	h.put16(meta+12, uint16(h.types["MAP"]))
	h.Maps["MAP"] = layout.Tag(meta)
	return h
}

// Alloc makes room for n bytes.
func (h *Heap) Alloc(n int) core.Addr {
	a := h.Base + core.Addr(len(h.Bytes))
	h.Bytes = append(h.Bytes, make([]byte, (n+7)&^7)...)
	return a
}

// Put writes a word at a.
func (h *Heap) Put(a core.Addr, w uint64) { binary.LittleEndian.PutUint64(h.Bytes[a-h.Base:], w) }

// Put32 writes 32 bits at a.
func (h *Heap) Put32(a core.Addr, w uint32) { binary.LittleEndian.PutUint32(h.Bytes[a-h.Base:], w) }
func (h *Heap) put16(a core.Addr, w uint16) { binary.LittleEndian.PutUint16(h.Bytes[a-h.Base:], w) }

// MapOf returns the map of a type.
func (h *Heap) MapOf(typ string) layout.Tagged {
	if m, ok := h.Maps[typ]; ok {
		return m
	}
	n, ok := h.types[typ]
	if !ok {
		h.t.Fatalf("no instance type %s", typ)
	}
	a := h.Alloc(80)
	h.Put(a, uint64(h.Maps["MAP"]))
	h.put16(a+12, uint16(n))
	h.Maps[typ] = layout.Tag(a)
	return layout.Tag(a)
}

// Object lays out an object: its map, then words.
func (h *Heap) Object(typ string, words ...uint64) layout.Tagged {
	m := h.MapOf(typ)
	a := h.Alloc(8 + 8*len(words))
	h.Put(a, uint64(m))
	for i, w := range words {
		h.Put(a+8+core.Addr(8*i), w)
	}
	return layout.Tag(a)
}

// Smi is the word of a small integer.
func Smi(n int) uint64 { return uint64(n) << 32 }

// Str lays out a sequential one-byte string.
func (h *Heap) Str(s string) layout.Tagged {
	o := h.Object("SEQ_ONE_BYTE_STRING", uint64(len(s))<<32)
	copy(h.Bytes[h.Alloc(len(s))-h.Base:], s)
	return o
}

// bytesOf lays out a byte array.
func (h *Heap) bytesOf(b []byte) layout.Tagged {
	o := h.Object("TRUSTED_BYTE_ARRAY", Smi(len(b)))
	copy(h.Bytes[h.Alloc(len(b))-h.Base:], b)
	return o
}

// Memory returns a process that has what was laid out.
func (h *Heap) Memory() *layout.Memory {
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
	p := h.Build.Map(h.Base, append(h.Bytes, make([]byte, 4096)...)).Process()
	img := &layout.Image{Module: core.NewModule(core.Module{Path: "node"}, nil), Version: h.v,
		Constants: layout.Constants{Values: constants}}
	return layout.NewMemory(runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, img,
		layout.New(h.v, layout.Constants{}))
}

// StackBase is where the stack of a Heap is.
const StackBase = 0x7ff000000000

// A Function is a function laid out by hand with its bytecode: V8 13.6.
type Function struct {
	Closure, Shared, Bytecode, script layout.Tagged
}

// Function lays out "f", at offset 4 of a script of three lines, whose
// bytecodes 0 and 5 belong to offsets 4 and 10.
func (h *Heap) Function(name string) Function {
	var f Function
	undefined := h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)
	source := h.Object("SEQ_ONE_BYTE_STRING", 12<<32)
	copy(h.Bytes[h.Alloc(12)-h.Base:], "one\ntwo()\nx\n")
	f.script = h.Object("SCRIPT", uint64(source), uint64(h.Str("/a.js")), Smi(0), Smi(0), 0, Smi(2), uint64(undefined),
		Smi(7), uint64(undefined), Smi(0), 0, 0)
	table := h.bytesOf(Ulebs(Zig(1), Zig(Pos(4)), Zig(5), Zig(6<<1)))
	// BytecodeArray: length, wrapper, positions, handler table, constants,
	// frame size; its data begins at 64.
	f.Bytecode = h.Object("BYTECODE_ARRAY", Smi(8), 0, uint64(table), 0, 0, 0, 0, 0)
	info := h.Object("SCOPE_INFO", 4|1<<12, Smi(2), Smi(0), Smi(4), Smi(10), uint64(h.Str(name)), Smi(-1))
	f.Shared = h.Object("SHARED_FUNCTION_INFO", uint64(f.Bytecode), 0, uint64(info), 0, uint64(f.script), 0, 0, 0)
	f.Closure = h.Object("JS_FUNCTION", 0, 0, 0, uint64(f.Shared), 0, 0, 0)
	return f
}

// Frame lays out words so that the frame pointer is at index 8.
func (h *Heap) Frame(words map[int]uint64) core.Addr {
	const fp = StackBase + 0x800
	all := make([]uint64, 0x200)
	for off, w := range words {
		all[(0x800+off)/8] = w
	}
	h.Build.Words(StackBase, all...)
	return fp
}

// Promise lays out a pending JSPromise of V8 13.6 with a list of reactions.
func (h *Heap) Promise(reactions layout.Tagged) layout.Tagged {
	if reactions == 0 {
		reactions = layout.Tagged(Smi(0))
	}
	return h.Object("JS_PROMISE", 0, 0, uint64(reactions), Smi(0))
}

// Reaction lays out a PromiseReaction that passes the outcome on to then.
func (h *Heap) Reaction(next, then layout.Tagged) layout.Tagged {
	if next == 0 {
		next = layout.Tagged(Smi(0))
	}
	return h.Object("PROMISE_REACTION", 0, uint64(next), 0, 0, uint64(then))
}

// Node24 is the version of V8 in Node 24.
var Node24 = layout.Version{Major: 13, Minor: 6}
