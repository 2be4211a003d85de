package page

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A sizeRule says how the bytes of an object follow from its first words.
type sizeRule uint8

// The rules; sizeRows has what each is.
const (
	sizeUnknown sizeRule = iota
	sizeFixed
	sizeArray
	sizeBytes
	sizeBytes32
	sizeArray32
	sizeOneByte
	sizeTwoByte
	sizePropertyArray
	sizeDescriptors
	sizeWeakList
	sizeBytecode
	sizeFreeBytes
	sizeFreeWords
	sizeBigInt
	sizePreparse
	sizeMetadata
	sizeMetadataParams
	sizeMetadata12
	sizeTyped1
	sizeTyped2
	sizeTyped4
	sizeTyped8
	sizeVector2And3
	sizeVector2And4
	sizeVector3And4
	sizeVector4And4
	sizeVectorOld
	sizeVectorOlder
	sizeScopeInfo
	sizeSwiss
	sizeCode
	sizeStream
	sizeArray24
	sizeArray32w
	sizeArray40
	sizeCoverage
	sizeScopeInfoUnused
	sizeMapOnly
	sizeWasmNull
	sizeDoubles
	sizeTypeInfo16
	sizeTypeInfo24
	sizeTypeInfo32
	sizeDispatch16
	sizeDispatch24
	sizeDispatchOld
	sizeContext
	sizeNativeContext
	sizeMap
	sizeDoubleStrings
	sizeEmbedderData
	sizeRules // how many there are
)

// A sizeRow says how the bytes of an object follow from a number in its first words:
// base and unit times the number, rounded up to whole words.
type sizeRow struct {
	base, unit, at int                                 // bytes; at is where the number is
	read           func(h *objectHead, at int) int     // -1 if there is none
	of             func(h *objectHead, r sizeRule) int // instead of the others
}

var (
	readSmi = (*objectHead).smi
	readU32 = (*objectHead).u32
	readLen = (*objectHead).length
)

// sizeRows are the rules by number. Sources: the SizeFor functions in objects/*.h,
// objects/*.tq @ 7.4 to 14.6.
var sizeRows = [sizeRules]sizeRow{
	// what follows the map is not memory
	sizeMapOnly:  {of: func(h *objectHead, _ sizeRule) int { return h.v.SlotSize() }},
	sizeWasmNull: {of: (*objectHead).wasmNullSize},

	sizeArray: {base: 16, unit: 8, at: 8, read: readLen}, // FixedArray
	// EmbedderDataArray kept a Smi as its length when FixedArray took a number of 32 bits
	// (objects/embedder-data-array.tq @ 15.0).
	sizeEmbedderData: {base: 16, unit: 8, at: 8, read: (*objectHead).anyLength},
	sizeArray24:      {base: 24, unit: 8, at: 8, read: readLen},
	sizeArray32w:     {base: 32, unit: 8, at: 8, read: readLen},
	sizeArray40:      {base: 40, unit: 8, at: 8, read: readLen},
	sizeArray32:      {base: 16, unit: 8, at: 8, read: readU32},
	sizeBytes:        {base: 16, unit: 1, at: 8, read: readLen}, // ByteArray
	sizeBytes32:      {base: 16, unit: 1, at: 8, read: readU32},
	sizeWeakList:     {base: 24, unit: 8, at: 8, read: readLen},  // WeakArrayList
	sizeCoverage:     {base: 16, unit: 16, at: 8, read: readU32}, // CoverageInfo

	sizeFreeBytes: {base: 0, unit: 1, at: 8, read: readSmi}, // FreeSpace
	sizeFreeWords: {base: 0, unit: 8, at: 8, read: readSmi},

	sizeVector2And3: {of: vectorSize}, // FeedbackVector
	sizeVector2And4: {of: vectorSize},
	sizeVector3And4: {of: vectorSize},
	sizeVector4And4: {of: vectorSize},
	sizeVectorOld:   {of: vectorSize},
	sizeVectorOlder: {of: vectorSize},

	sizeTypeInfo16: {base: 24, unit: 8, at: 16, read: readSmi}, // WasmTypeInfo
	sizeTypeInfo24: {base: 32, unit: 8, at: 24, read: readSmi},
	sizeTypeInfo32: {base: 40, unit: 8, at: 32, read: readSmi},

	sizeDispatch16:  {of: dispatchSize}, // WasmDispatchTable
	sizeDispatch24:  {of: dispatchSize},
	sizeDispatchOld: {of: dispatchSize}, // in V8 12.6 to 12.9

	sizeOneByte:       {of: stringSize}, // SeqString: its characters
	sizeTwoByte:       {of: stringSize},
	sizeContext:       {of: contextSize},
	sizeNativeContext: {of: contextSize},
	sizePropertyArray: {of: propertyArraySize},
	sizeDescriptors:   {of: descriptorsSize},
	sizeBytecode:      {of: bytecodeSize},
	sizeDoubles:       {of: doublesSize},
	sizeMap:           {of: (*objectHead).mapSize},
	sizeBigInt:        {of: bigIntSize},
	sizeDoubleStrings: {of: doubleStringsSize},
	sizePreparse:      {of: preparseSize},
	sizeTyped1:        {of: typedSize}, // JSTypedArray's elements of one byte, and of two, four, eight
	sizeTyped2:        {of: typedSize},
	sizeTyped4:        {of: typedSize},
	sizeTyped8:        {of: typedSize},

	sizeMetadata:        {of: (*objectHead).metadataSize},
	sizeMetadataParams:  {of: (*objectHead).metadataSize},
	sizeMetadata12:      {of: (*objectHead).metadataSize},
	sizeScopeInfo:       {of: (*objectHead).scopeInfoSize},
	sizeScopeInfoUnused: {of: (*objectHead).scopeInfoSize}, // with unused_parameter_bits of functions
	sizeSwiss:           {of: (*objectHead).swissSize},
	sizeCode:            {of: (*objectHead).codeSize},
	sizeStream:          {of: (*objectHead).codeSize},
}

// fixedRules are the rules of types by the end of their name, for types whose
// instances have no fixed size; the first that fits counts. Sources: the
// SizeFor functions in objects/*.h, objects/*.tq @ 7.8 to 14.6.
var fixedRules = []struct {
	suffix string
	rule   sizeRule
}{
	{"FIXED_DOUBLE_ARRAY_TYPE", sizeDoubles},
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
	{"SYMBOL_TABLE_TYPE", sizeArray},
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
	{"DOUBLE_STRING_CACHE_TYPE", sizeDoubleStrings},
	{"BIGINT_TYPE", sizeBigInt},
	{"BIG_INT_BASE_TYPE", sizeBigInt},
}

// guesses are the rules that a type without a known one may follow, the most
// common first. Which one it is, its instances show: after each of them the
// next object must begin.
var guesses = []sizeRule{
	sizeArray, sizeBytes, sizeScopeInfo, sizeScopeInfoUnused, sizeVector2And4, sizeVector3And4, sizeVector4And4,
	sizeVector2And3, sizeVectorOld, sizeVectorOlder, sizeMetadataParams, sizeMetadata, sizeMetadata12, sizePreparse,
	sizeBigInt, sizeWeakList, sizePropertyArray, sizeArray24, sizeArray32w, sizeArray40, sizeFreeWords, sizeFreeBytes,
	sizeCoverage, sizeArray32, sizeBytes32, sizeSwiss, sizeDescriptors, sizeTypeInfo32, sizeTypeInfo24, sizeTypeInfo16,
	sizeDispatch16, sizeDispatch24, sizeDispatchOld,
}

// stringRule is ruleOf for types of strings.
func (hs *Reader) stringRule(typ int) sizeRule {
	l := &hs.Layout.String
	switch {
	case typ&l.RepresentationMask != l.SeqTag:
		return sizeUnknown
	case typ&l.OneByteTag != 0:
		return sizeOneByte
	}
	return sizeTwoByte
}

// versionRule is ruleOf for types whose rule is not the same in all versions.
func (hs *Reader) versionRule(name string) sizeRule {
	contexts := &hs.Layout.ScriptContextTable
	switch name {
	case "FEEDBACK_METADATA_TYPE":
		if hs.Layout.FeedbackMetadata.ClosureSlots == 0 {
			return sizeMetadata12 // objects/feedback-vector.h @ 7.4
		}
	case "NATIVE_CONTEXT_TYPE":
		return sizeNativeContext // objects/contexts.h @ 7.9 to 15.0
	case "EMBEDDER_DATA_ARRAY_TYPE":
		if !hs.Compressed() {
			return sizeEmbedderData // objects/embedder-data-array.h @ 7.2 to 15.0: slots of 8 bytes
		}
	case "SLOPPY_ARGUMENTS_ELEMENTS_TYPE":
		if hs.Layout.SloppyArguments.Header == 0 {
			return sizeArray32w // context and arguments are not counted: objects/arguments.tq
		}
	case "REG_EXP_MATCH_INFO_TYPE":
		if contexts.ArrayClass == 1 {
			return sizeArray40 // objects/regexp-match-info.h
		}
	case "SCRIPT_CONTEXT_TABLE_TYPE", "OBJECT_BOILERPLATE_DESCRIPTION_TYPE":
		if name == "SCRIPT_CONTEXT_TABLE_TYPE" && contexts.JoinedCapacity == 1 && !hs.Compressed() {
			return sizeArray24 // capacity and length have a word together
		}
		if contexts.ArrayClass == 1 {
			return sizeArray32w // objects/literal-objects.h, objects/contexts.h
		}
	}
	return sizeUnknown
}

// ruleOf returns the rule of a type by its name, sizeUnknown if its instances
// have to tell.
func (hs *Reader) ruleOf(typ int) sizeRule {
	if typ < hs.Layout.String.FirstNonstringType {
		return hs.stringRule(typ)
	}
	switch {
	case typ == hs.Types.Code:
		if hs.Layout.Code.FromBody == layout.Unknown {
			return sizeCode
		}
		return sizeUnknown
	case typ == hs.Types.FeedbackVector:
		return sizeUnknown // known from the instances
	case typ == hs.Types.BigInt:
		return sizeBigInt
	case typ == hs.TypeNumber("MAP_TYPE"):
		return sizeMap // where it is not fixed
	case hs.Types.Backing[typ] > 0:
		return map[int]sizeRule{1: sizeTyped1, 2: sizeTyped2, 4: sizeTyped4, 8: sizeTyped8}[hs.Types.Backing[typ]]
	case typ == hs.Types.Hole:
		return sizeMapOnly
	case typ >= 0 && typ == hs.TypeNumber("WASM_NULL_TYPE"):
		return sizeWasmNull
	}
	name := hs.Types.Names[typ]
	if r := hs.versionRule(name); r != sizeUnknown {
		return r
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

// An objectHead reads numbers from the start of an object in a page's bytes. Offsets that are
// not known, as of a field that the version does not have, are outside of it.
type objectHead struct {
	v    *Reader
	data []byte    // from the object's start on
	near core.Addr // an address in the cage that its fields refer to
}

func (h *objectHead) u32(off int) int {
	if off < 0 || off+4 > len(h.data) {
		return -1
	}
	return int(int32(h.v.Order.Uint32(h.data[off:])))
}

func (h *objectHead) word(off int) layout.Tagged {
	if off < 0 || off+h.v.SlotSize() > len(h.data) {
		return 1
	}
	return h.v.Tagged(h.data[off:], h.near)
}

// length reads the length of an array, as Memory.ArrayLength does.
func (h *objectHead) length(off int) int {
	if h.v.Layout.FixedArray.RawLength == 1 {
		return h.u32(off)
	}
	return h.smi(off)
}

// anyLength reads a length that is a Smi of 64 bits or a number of 32 bits. The low half of such a Smi is zero.
func (h *objectHead) anyLength(off int) int {
	if n := h.smi(off); n >= 0 {
		return n
	}
	return h.u32(off)
}

// smi reads the Smi at off, -1 if there is none.
func (h *objectHead) smi(off int) int {
	w := h.word(off)
	if !w.IsSmi() || uint32(w) != 0 {
		return -1
	}
	return int(w.Smi())
}

// linear returns base + unit*n in whole words, or 0 if n is out of range.
func (h *objectHead) linear(base, unit, n int) int {
	if n < 0 || n > 1<<31-1 {
		return 0
	}
	return h.aligned(base + unit*n)
}

// aligned rounds a size up to the size of a tagged field, the alignment of objects.
func (h *objectHead) aligned(n int) int {
	size := h.v.SlotSize()
	return (n + size - 1) &^ (size - 1)
}

// scaled returns the row for the tagged fields of this build: the rows hold builds
// with fields of a word.
func (h *objectHead) scaled(r *sizeRow) (base, unit, at int) {
	if !h.v.Compressed() {
		return r.base, r.unit, r.at
	}
	unit = r.unit
	if unit == 8 {
		unit = 4
	}
	return r.base / 2, unit, r.at / 2
}

// size returns the bytes of an object by a rule, or 0 if its words make no
// sense. Only the object's first words are looked at, except for code.
func (h *objectHead) size(rule sizeRule) int {
	r := &sizeRows[rule]
	switch {
	case r.read != nil:
		base, unit, at := h.scaled(r)
		return h.linear(base, unit, r.read(h, at))
	case r.of != nil:
		return r.of(h, rule)
	}
	return 0
}
