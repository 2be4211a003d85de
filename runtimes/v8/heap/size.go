package heap

import (
	"strings"

	"coredbg/runtimes/v8/layout"
)

// A sizeRule says how the bytes of an object follow from its first words.
type sizeRule uint8

// The rules. All sizes are rounded up to whole words.
const (
	sizeUnknown         sizeRule = iota
	sizeFixed                    // Map.instance_size_in_words
	sizeArray                    // FixedArray: 16 + 8 * Smi@8
	sizeBytes                    // ByteArray: 16 + Smi@8
	sizeBytes32                  // 16 + u32@8
	sizeArray32                  // 16 + 8 * u32@8
	sizeOneByte                  // SeqOneByteString: 16 + u32@12
	sizeTwoByte                  // SeqTwoByteString: 16 + 2 * u32@12
	sizePropertyArray            // 16 + 8 * (Smi@8 & 0x3ff)
	sizeDescriptors              // DescriptorArray: header + 24 * u16@8
	sizeWeakList                 // WeakArrayList: 24 + 8 * Smi@8
	sizeBytecode                 // BytecodeArray: data + Smi@8
	sizeFreeBytes                // FreeSpace: Smi@8
	sizeFreeWords                // FreeSpace: 8 * Smi@8
	sizeBigInt                   // BigInt: 16 + 8 * (u32@8 >> 1 & 0x3fffffff)
	sizePreparse                 // PreparseData: 16 + i32@8, in words, + 8 * i32@12
	sizeMetadata                 // FeedbackMetadata: 16 + 4 bytes for 6 of i32@8 slots
	sizeMetadataParams           // the same + 2 * i32@12
	sizeMetadata12               // FeedbackMetadata: 12 + 4 bytes for 6 of i32@8 slots
	sizeTyped1                   // FixedTypedArray: 32 + Smi@8, or 32 where the word @16 is 0
	sizeTyped2                   // the same with elements of two bytes
	sizeTyped4                   // of four
	sizeTyped8                   // of eight
	sizeVector40                 // FeedbackVector: 40 + 8 * i32@8
	sizeVector48                 // 48 + 8 * i32@8
	sizeVector56                 // 56 + 8 * i32@8
	sizeVectorOld                // 48 + 8 * i32@32
	sizeVectorOlder              // 40 + 8 * i32@24
	sizeScopeInfo                // ScopeInfo by its counts
	sizeSwiss                    // SwissNameDictionary by its capacity
	sizeCode                     // Code with its body
	sizeStream                   // InstructionStream by its Code
	sizeArray24                  // 24 + 8 * Smi@8
	sizeArray32w                 // 32 + 8 * Smi@8
	sizeArray40                  // 40 + 8 * Smi@8
	sizeCoverage                 // CoverageInfo: 16 + 16 * i32@8
	sizeScopeInfoUnused          // the same, with unused_parameter_bits of functions
	sizeMapOnly                  // what follows the map is no memory
	sizeTypeInfo16               // WasmTypeInfo: 24 + 8 * Smi@16
	sizeTypeInfo24               // 32 + 8 * Smi@24
	sizeTypeInfo32               // 40 + 8 * Smi@32
	sizeDispatch16               // WasmDispatchTable: 40 + 16 * u32@12
	sizeDispatch24               // 40 + 24 * u32@12
	sizeDispatchOld              // 16 + 24 * u32@12, in V8 12.9
	sizeContext                  // Context: 16 + 8 * the slots
	sizeNativeContext            // the same with the microtask queue behind
	sizeRules                    // how many there are
)

// fixedRules are the rules of types by the end of their name, for types whose
// instances have no fixed size; the first that fits counts. Sources: the
// SizeFor functions in objects/*.h, objects/*.tq @ 7.8 to 14.6.
var fixedRules = []struct {
	suffix string
	rule   sizeRule
}{
	{"FIXED_DOUBLE_ARRAY_TYPE", sizeArray},
	{"FIXED_ARRAY_TYPE", sizeArray},
	{"BYTECODE_ARRAY_TYPE", sizeBytecode},
	{"BYTE_ARRAY_TYPE", sizeBytes},
	{"PROPERTY_ARRAY_TYPE", sizePropertyArray},
	{"DESCRIPTOR_ARRAY_TYPE", sizeDescriptors},
	{"WEAK_ARRAY_LIST_TYPE", sizeWeakList},
	{"DEPENDENT_CODE_TYPE", sizeWeakList},
	{"TRANSITION_ARRAY_TYPE", sizeArray},
	{"SWISS_NAME_DICTIONARY_TYPE", sizeSwiss},
	{"DICTIONARY_TYPE", sizeArray},
	{"HASH_TABLE_TYPE", sizeArray},
	{"ORDERED_HASH_MAP_TYPE", sizeArray},
	{"ORDERED_HASH_SET_TYPE", sizeArray},
	{"CONTEXT_TYPE", sizeContext},
	{"SCRIPT_CONTEXT_TABLE_TYPE", sizeArray},
	{"FEEDBACK_CELL_ARRAY_TYPE", sizeArray},
	{"BOILERPLATE_DESCRIPTION_TYPE", sizeArray},
	{"SLOPPY_ARGUMENTS_ELEMENTS_TYPE", sizeArray},
	{"REG_EXP_MATCH_INFO_TYPE", sizeArray},
	{"PREPARSE_DATA_TYPE", sizePreparse},
	{"COVERAGE_INFO_TYPE", sizeCoverage},
	{"SCOPE_INFO_TYPE", sizeScopeInfo},
	{"INSTRUCTION_STREAM_TYPE", sizeStream},
	{"BIGINT_TYPE", sizeBigInt},
	{"BIG_INT_BASE_TYPE", sizeBigInt},
}

// guesses are the rules that a type without a known one may follow, the most
// common first. Which one it is, its instances tell: behind each of them the
// next object must begin.
var guesses = []sizeRule{
	sizeArray, sizeBytes, sizeScopeInfo, sizeScopeInfoUnused, sizeVector48, sizeVector56, sizeVector40, sizeVectorOld, sizeVectorOlder,
	sizeMetadataParams, sizeMetadata, sizeMetadata12, sizePreparse, sizeBigInt, sizeWeakList, sizePropertyArray,
	sizeArray24, sizeArray32w, sizeArray40, sizeFreeWords, sizeFreeBytes, sizeCoverage, sizeArray32, sizeBytes32, sizeSwiss, sizeDescriptors,
	sizeTypeInfo32, sizeTypeInfo24, sizeTypeInfo16, sizeDispatch16, sizeDispatch24, sizeDispatchOld,
}

// ruleOf returns the rule of a type by its name, sizeUnknown if its instances
// have to tell.
func (hs *Reader) ruleOf(typ int) sizeRule {
	l := &hs.Layout.String
	if typ < l.FirstNonstringType {
		if typ&l.RepresentationMask != l.SeqTag {
			return sizeUnknown
		}
		if typ&l.OneByteTag != 0 {
			return sizeOneByte
		}
		return sizeTwoByte
	}
	switch {
	case typ == hs.Types.Code:
		if hs.Layout.Code.FromBody == layout.Unknown {
			return sizeCode
		}
		return sizeUnknown
	case typ == hs.Types.FeedbackVector:
		return sizeUnknown // told by the instances
	case typ == hs.objects.BigIntType():
		return sizeBigInt
	case hs.Types.Backing[typ] > 0:
		return map[int]sizeRule{1: sizeTyped1, 2: sizeTyped2, 4: sizeTyped4, 8: sizeTyped8}[hs.Types.Backing[typ]]
	case typ == hs.objects.HoleType(), typ >= 0 && typ == hs.TypeNumber("WASM_NULL_TYPE"):
		return sizeMapOnly
	}
	name := hs.Types.Names[typ]
	switch {
	case name == "FEEDBACK_METADATA_TYPE" && hs.Layout.Version.Before(7, 5):
		return sizeMetadata12 // objects/feedback-vector.h @ 7.4
	case name == "NATIVE_CONTEXT_TYPE" && hs.Layout.Version.Before(8, 4):
		return sizeNativeContext // objects/contexts.h @ 7.9
	case name == "SLOPPY_ARGUMENTS_ELEMENTS_TYPE" && hs.Layout.Version.AtLeast(8, 4):
		return sizeArray32w // context and arguments are not counted: objects/arguments.tq
	case name == "REG_EXP_MATCH_INFO_TYPE" && hs.Layout.Version.AtLeast(12, 4):
		return sizeArray40 // objects/regexp-match-info.h
	case (name == "OBJECT_BOILERPLATE_DESCRIPTION_TYPE" || name == "SCRIPT_CONTEXT_TABLE_TYPE") && hs.Layout.Version.AtLeast(12, 4):
		return sizeArray32w // objects/literal-objects.h, objects/contexts.h
	}
	for _, r := range fixedRules {
		if strings.HasSuffix(name, r.suffix) {
			return r.rule
		}
	}
	return sizeUnknown
}

// maxObjectSize bounds the bytes of one object.
const maxObjectSize = 1 << 40

// words reads numbers from the start of an object in a page's bytes.
type objectHead struct {
	v    *Reader
	data []byte // from the object's start on
}

func (h *objectHead) u32(off int) int {
	if off+4 > len(h.data) {
		return -1
	}
	return int(int32(h.v.Order.Uint32(h.data[off:])))
}

func (h *objectHead) word(off int) layout.Tagged {
	if off+8 > len(h.data) {
		return 1
	}
	return layout.Tagged(h.v.Order.Uint64(h.data[off:]))
}

// smi returns the Smi at off, or -1.
func (h *objectHead) smi(off int) int {
	w := h.word(off)
	if !w.IsSmi() || uint32(w) != 0 {
		return -1
	}
	return int(w.Smi())
}

// slots returns the number of slots of a context, or -1.
func (h *objectHead) slots() int {
	n := h.smi(8)
	if n < 0 {
		return n
	}
	return n & h.v.Layout.Context.LengthMask
}

// linear returns base + unit*n in whole words, or 0 if n is out of range.
func linear(base, unit, n int) int {
	if n < 0 || n > 1<<31-1 {
		return 0
	}
	return (base + unit*n + 7) &^ 7
}

// size returns the bytes of an object by a rule, or 0 if its words make no
// sense. Only the object's first words are looked at, but for code.
func (h *objectHead) size(rule sizeRule) int {
	hs := h.v
	switch rule {
	case sizeMapOnly:
		return 8
	case sizeArray:
		return linear(16, 8, h.smi(8))
	case sizeContext:
		return linear(16, 8, h.slots())
	case sizeNativeContext:
		return linear(24, 8, h.slots())
	case sizeBytes:
		return linear(16, 1, h.smi(8))
	case sizeBytes32:
		return linear(16, 1, h.u32(8))
	case sizeArray32:
		return linear(16, 8, h.u32(8))
	case sizeOneByte:
		return linear(hs.Layout.String.OneByteChars, 1, h.u32(hs.Layout.String.Length))
	case sizeTwoByte:
		return linear(hs.Layout.String.TwoByteChars, 2, h.u32(hs.Layout.String.Length))
	case sizePropertyArray:
		if n := h.smi(8); n >= 0 {
			return linear(16, 8, n&0x3ff)
		}
		// The hash fills the Smi's upper bits and may make it negative.
		if w := h.word(8); w.IsSmi() {
			return linear(16, 8, int(w.Smi())&0x3ff)
		}
	case sizeDescriptors:
		return linear(hs.Layout.DescriptorArray.Header, 8*hs.Layout.DescriptorArray.EntryWords, h.u32(8)&0xffff)
	case sizeWeakList:
		return linear(24, 8, h.smi(8))
	case sizeArray24:
		return linear(24, 8, h.smi(8))
	case sizeArray32w:
		return linear(32, 8, h.smi(8))
	case sizeArray40:
		return linear(40, 8, h.smi(8))
	case sizeBytecode:
		return linear(hs.Layout.BytecodeArray.Data, 1, h.smi(8))
	case sizeFreeBytes:
		return linear(0, 1, h.smi(8))
	case sizeFreeWords:
		return linear(0, 8, h.smi(8))
	case sizeBigInt:
		return linear(16, 8, h.u32(8)>>1&0x3fffffff)
	case sizePreparse:
		if n := linear(16, 1, h.u32(8)); n > 0 {
			return linear(n, 8, h.u32(12))
		}
	case sizeMetadata, sizeMetadataParams, sizeMetadata12:
		return h.metadataSize(rule)
	case sizeTyped1, sizeTyped2, sizeTyped4, sizeTyped8:
		if h.word(16) == 0 {
			return 32 // the elements are not on the heap
		}
		return linear(32, 1<<(rule-sizeTyped1), h.smi(8))
	case sizeVector40:
		return linear(40, 8, h.u32(8))
	case sizeVector48:
		return linear(48, 8, h.u32(8))
	case sizeVector56:
		return linear(56, 8, h.u32(8))
	case sizeVectorOlder:
		return linear(40, 8, h.u32(24))
	case sizeVectorOld:
		return linear(48, 8, h.u32(32))
	case sizeScopeInfo, sizeScopeInfoUnused:
		return h.scopeInfoSize(rule)
	case sizeCoverage:
		return linear(16, 16, h.u32(8))
	case sizeTypeInfo16:
		return linear(24, 8, h.smi(16))
	case sizeTypeInfo24:
		return linear(32, 8, h.smi(24))
	case sizeTypeInfo32:
		return linear(40, 8, h.smi(32))
	case sizeDispatch16:
		return linear(40, 16, h.u32(12))
	case sizeDispatch24:
		return linear(40, 24, h.u32(12))
	case sizeDispatchOld:
		return linear(16, 24, h.u32(12))
	case sizeSwiss:
		return h.swissSize()
	case sizeCode, sizeStream:
		return h.codeSize(rule)
	}
	return 0
}
