package page

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// slot returns the offset of the tagged field with the given number, or the bytes of so
// many.
func (h *objectHead) slot(i int) int { return h.v.Slots(i) }

func stringSize(h *objectHead, rule sizeRule) int {
	l := &h.v.Layout.String
	if rule == sizeTwoByte {
		return h.linear(l.TwoByteChars, 2, h.u32(l.Length))
	}
	return h.linear(l.OneByteChars, 1, h.u32(l.Length))
}

// vectorHeads are what a FeedbackVector has before its slots: numbers of 32 bits, the first of them the length, and
// tagged fields, which come first in V8 7.8 to 8.6 (objects/feedback-vector.h, feedback-vector.tq @ 7.4 to 15.0).
var vectorHeads = [sizeRules]struct {
	numbers, fields int
	fieldsFirst     bool
}{
	sizeVector2And3: {2, 3, false},
	sizeVector2And4: {2, 4, false}, // where fields are compressed, 3 and 3 have as much
	sizeVector3And4: {3, 4, false},
	sizeVector4And4: {4, 4, false}, // V8 11.2
	sizeVectorOld:   {4, 3, true},
	sizeVectorOlder: {4, 2, true},
}

// vectorSize is FeedbackVector::SizeFor.
func vectorSize(h *objectHead, rule sizeRule) int {
	head := vectorHeads[rule]
	at := h.slot(1)
	if head.fieldsFirst {
		at += h.slot(head.fields)
	}
	return h.linear(h.slot(1+head.fields)+h.aligned(4*head.numbers), h.slot(1), h.u32(at))
}

// dispatchSize is WasmDispatchTable::SizeFor (wasm/wasm-objects.h @ 12.6 to 15.0): length and capacity, then three
// fields until V8 12.9, and for each function a target, which is a pointer or a handle, its argument, and its type.
func dispatchSize(h *objectHead, rule sizeRule) int {
	head, unit := h.slot(1), 8+h.slot(1)+4
	if rule != sizeDispatchOld {
		head += h.v.OwnHandle()
		unit = 16
		if rule == sizeDispatch24 {
			unit = 24
		}
	}
	n := h.u32(head + 4)
	if head += 8; rule != sizeDispatchOld {
		head += h.slot(3)
	}
	return h.linear(head, h.aligned(unit), n)
}

// contextSize counts the slots of a context; a native one has the microtask queue after
// them: a pointer, or where fields are compressed a handle, with the sandbox and after
// V8 15.0. Some have room for a pointer there all the same: another object comes after it.
func contextSize(h *objectHead, rule sizeRule) int {
	n := h.smi(h.slot(1))
	if n >= 0 {
		n &= h.v.Layout.Context.LengthMask
	}
	if rule == sizeNativeContext {
		queue := 8
		if h.v.Sandbox != nil || h.v.Compressed() && h.v.Layout.Context.QueueHandle == 1 {
			queue = 4
		}
		size := h.linear(h.slot(2)+queue, h.slot(1), n)
		if queue == 4 && size > 0 && !h.v.IsMap(h.word(size)) && h.v.IsMap(h.word(size+4)) {
			size += 4
		}
		return size
	}
	return h.linear(h.slot(2), h.slot(1), n)
}

// propertyArraySize takes the length from under the hash, which fills the Smi's upper
// bits and may make it negative (objects/property-array.h).
func propertyArraySize(h *objectHead, _ sizeRule) int {
	if w := h.word(h.slot(1)); w.IsSmi() {
		return h.linear(h.slot(2), h.slot(1), int(w.Smi())&0x3ff)
	}
	return 0
}

func descriptorsSize(h *objectHead, _ sizeRule) int {
	l := &h.v.Layout.DescriptorArray
	return h.linear(l.Header, h.slot(l.EntryWords), h.u32(h.slot(1))&0xffff)
}

func bytecodeSize(h *objectHead, _ sizeRule) int {
	return h.linear(h.v.Layout.BytecodeArray.Data, 1, h.smi(h.v.BytecodeLengthAt()))
}

// mapSize: since V8 15.0 maps of objects with interceptors and the like have more fields
// than others, as the highest bit that bit_field then has says. The next object begins with
// a map.
func (h *objectHead) mapSize(_ sizeRule) int {
	l := &h.v.Layout.Map
	size := l.Descriptors + h.slot(4) // dependent_code, validity cell and transitions come after
	if l.BitField < 0 || l.Descriptors < 0 || l.BitField >= len(h.data) {
		return 0
	}
	if h.v.Layout.ObjectLayout.Map.PrototypeSlotMask != layout.Unknown || int(h.data[l.BitField])&l.ExtendedMask == 0 {
		return size
	}
	for n := size; n <= size+h.slot(maxMapExtension); n += h.slot(1) {
		if n == len(h.data) || h.v.IsMap(h.word(n)) {
			return n
		}
	}
	return size + h.slot(mapExtension)
}

const (
	// mapExtension is the number of fields that an ExtendedMap has more.
	mapExtension, maxMapExtension = 4, 8
)

func bigIntSize(h *objectHead, _ sizeRule) int {
	return h.linear(h.v.Layout.BigInt.Digits, 8,
		int(uint32(h.u32(h.v.Layout.BigInt.Bitfield))>>uint(h.v.Layout.BigInt.LengthShift)))
}

// doubleStringsSize counts pairs of a number and a string (objects/number-string-cache.h @ 15.0:
// DoubleStringCache).
func doubleStringsSize(h *objectHead, _ sizeRule) int {
	return h.linear(h.slot(2), 8+h.slot(1), h.u32(h.slot(1)))
}

// doublesSize is FixedDoubleArray::SizeFor: elements of 8 bytes, however wide a field is.
func doublesSize(h *objectHead, _ sizeRule) int {
	return h.linear(h.slot(2), 8, h.length(h.slot(1)))
}

// wasmNullPayload is how much a WasmNull has after its map, in bytes
// (objects/wasm-objects.h @ 11.2: WasmNull::kSize).
const wasmNullPayload = 64 << 10

// wasmNullSize: what follows the map is mapped without any access, unless the build has
// no need to catch its use, and then an object begins after it.
func (h *objectHead) wasmNullSize(sizeRule) int {
	n := h.slot(1)
	if whole := n + wasmNullPayload; !h.v.IsMap(h.word(n)) && whole < len(h.data) && h.v.IsMap(h.word(whole)) {
		return whole
	}
	return n
}

// preparseSize: bytes in whole words, then the data of inner functions.
func preparseSize(h *objectHead, _ sizeRule) int {
	if n := h.linear(h.slot(1)+8, 1, h.u32(h.slot(1))); n > 0 {
		return h.linear(n, h.slot(1), h.u32(h.slot(1)+4))
	}
	return 0
}

// typedSize: no elements follow where the array's own are elsewhere.
func typedSize(h *objectHead, rule sizeRule) int {
	if h.word(16) == 0 {
		return 32
	}
	return h.linear(32, 1<<(rule-sizeTyped1), h.smi(8))
}

// metadataSize is FeedbackMetadata::SizeFor (objects/feedback-vector.h): six
// kinds of slots to a word of 32 bits; later versions add the parameter counts
// of the closures that are created.
func (h *objectHead) metadataSize(rule sizeRule) int {
	slots, closures := h.u32(h.slot(1)), h.u32(h.slot(1)+4)
	if rule == sizeMetadata12 && slots >= 0 && slots <= 1<<24 {
		return h.aligned(12 + 4*((slots+5)/6))
	}
	if slots < 0 || closures < 0 || slots > 1<<24 || closures > 1<<24 {
		return 0
	}
	n := h.slot(1) + 8 + 4*((slots+5)/6)
	if rule == sizeMetadataParams {
		n += 2 * closures
	}
	return h.aligned(n)
}

// swissSize is SwissNameDictionary::SizeFor (objects/swiss-name-dictionary.h):
// the control bytes of a group, 16 with SSE2, follow all control bytes once more.
func (h *objectHead) swissSize(sizeRule) int {
	n := h.u32(h.slot(1) + 4)
	if n < 0 || n > object.MaxDictionary {
		return 0
	}
	group := 8
	if h.v.Process.Arch == core.AMD64 {
		group = 16
	}
	return h.aligned(h.slot(2) + 8 + h.slot(2*n) + n + group + n)
}

// scopeInfoSize adds up the parts of a ScopeInfo (objects/scope-info.tq);
// before V8 9.1 it is a FixedArray.
func (h *objectHead) scopeInfoSize(rule sizeRule) int {
	l := &h.v.Layout.ScopeInfo
	if l.FlagsWord == h.slot(2) {
		return h.linear(h.slot(2), h.slot(1), h.smi(h.slot(1)))
	}
	flags := h.u32(l.FlagsWord)
	if l.RawFlags == 0 {
		flags = h.smi(l.FlagsWord)
	}
	locals := h.smi(l.FlagsWord + h.slot(2))
	if flags < 0 && l.RawFlags == 0 || locals < 0 || locals > 1<<20 {
		return 0
	}
	n := l.FirstVars
	module := flags&0xf == l.ModuleType
	modules := 0
	if module && l.ModuleCount != 0 {
		modules = h.smi(l.FlagsWord + h.slot(n))
		if modules < 0 || modules > 1<<20 {
			return 0
		}
		n++
	}
	if locals >= l.HashedLocals {
		n++
	} else {
		n += locals
	}
	n += locals + h.scopeSlots(flags)
	if module {
		if l.ModuleCount == 0 && l.ModuleCounted == 1 {
			// module_info comes first, then the count.
			if modules = h.smi(l.FlagsWord + h.slot(n+1)); modules < 0 || modules > 1<<20 {
				return 0
			}
			n++
		}
		n += 1 + 3*modules
	}
	if l.DependentCode == 1 {
		n += flags >> 4 & 1 // dependent_code, where sloppy eval can extend variables
		if rule == sizeScopeInfoUnused && h.hasUnusedParameters(l.FlagsWord+h.slot(n), flags) {
			n++
		}
	} else if l.BlockList == 1 {
		n += flags >> 28 & 1 // locals_block_list
	}
	return l.FlagsWord + h.slot(n)
}

// scopeSlots returns the number of fields of a ScopeInfo that its flags announce, up to outer_scope_info.
func (h *objectHead) scopeSlots(flags int) int {
	l := &h.v.Layout.ScopeInfo
	bit := func(shift int) int {
		if shift < 0 {
			return 0
		}
		return flags >> uint(shift) & 1
	}
	n := bit(l.ClassVariableShift) * min(l.SavedClassVariable, 1)
	if kind := flags >> uint(l.ReceiverShift) & 3; l.ReceiverSlot != 0 && (kind == 1 || kind == 2) {
		n++
	}
	if flags>>uint(l.FunctionVariableShift)&3 != 0 {
		n += 2
	}
	n += bit(l.InferredNameShift)
	if l.Positions == 0 && h.scopePositions(flags) {
		n += 2
	}
	return n + bit(l.OuterShift)
}

// hasUnusedParameters reports whether a ScopeInfo ends with unused_parameter_bits, a Smi at
// end, as a function's does: the object after it begins with a map. If no object follows, as
// before unused memory, the scope's type decides.
func (h *objectHead) hasUnusedParameters(end, flags int) bool {
	switch first, second := h.word(end), h.word(end+h.slot(1)); {
	case first.IsHeap() && h.v.IsMap(first):
		return false
	case first.IsSmi() && second.IsHeap() && h.v.IsMap(second):
		return true
	}
	return flags&0xf == h.v.Layout.ScopeInfo.FunctionType
}

// scopeShadowRealm is the ScopeType SHADOW_REALM_SCOPE, common/globals.h @ 11.3.
const scopeShadowRealm = 8

// scopePositions reports whether a ScopeInfo keeps its extent. In later versions a
// class's does too. The empty one, which has its own flag, does not.
func (h *objectHead) scopePositions(flags int) bool {
	typ := flags & 0xf
	if typ == scopeShadowRealm {
		return true
	}
	if typ == 0 && (h.v.Layout.ScopeInfo.ClassPositions == 0 || flags>>29&1 == 1) {
		return false
	}
	return h.v.objects.ScopeHasPositions(typ)
}

// codeSize is Code::SizeFor and InstructionStream::SizeFor: header, body of
// instructions and metadata, rounded up to the alignment of code.
func (h *objectHead) codeSize(rule sizeRule) int {
	l := &h.v.Layout.Code
	align := h.v.Layout.CodeAlignment(h.v.Process.Arch)
	if rule == sizeCode {
		size := h.u32(l.InstructionSize)
		if size <= 0 {
			return 0
		}
		body := size
		if at := h.v.Layout.MetadataSize(); at != layout.Unknown {
			if m := h.u32(at); m >= 0 {
				body += m
			}
		}
		return (l.Body + body + align - 1) &^ (align - 1)
	}
	obj := h.v.Protected(layout.TypeField{Type: h.v.Types.InstructionStream, Offset: l.FromBody}, h.word(l.FromBody))
	if !h.v.Is(obj, h.v.Types.Code) {
		// When dead code outlives its Code until its page is swept, body_size remains, before the instructions
		// (objects/instruction-stream.h @ 11.8).
		const bodySize = 24
		if n := h.u32(bodySize); l.Body == bodySize+8 && n > 0 {
			return (l.Body + n + align - 1) &^ (align - 1)
		}
		return 0
	}
	size, ok1 := h.v.U32Field(obj, l.InstructionSize)
	meta, ok2 := h.v.U32Field(obj, l.InstructionSize+4)
	if !ok1 || !ok2 || size > 1<<30 || meta > 1<<30 {
		return 0
	}
	return (l.Body + int(size) + int(meta) + align - 1) &^ (align - 1)
}
