package layout

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/layout"
)

// Layout is every number that decoding depends on. Offsets are in bytes from
// the untagged start of the object, in Frame from the frame pointer.
// The tags hold the v8dbg_* constants that give a fact, without that prefix;
// one that ends in "__" is followed by a type, which changes by version.
type Layout struct {
	Version Version `layout:"-"`
	Variant Variant `layout:"-"`

	String struct {
		FirstNonstringType int `v8:"FirstNonstringType"`
		RepresentationMask int `v8:"StringRepresentationMask"`
		SeqTag             int `v8:"SeqStringTag"`
		ConsTag            int `v8:"ConsStringTag"`
		ExternalTag        int `v8:"ExternalStringTag"`
		SlicedTag          int `v8:"SlicedStringTag"`
		ThinTag            int `v8:"ThinStringTag"`
		OneByteTag         int `v8:"OneByteStringTag"`
		UncachedTag        int
		Length             int `v8:"class_String__length__"`
		OneByteChars       int `v8:"class_SeqOneByteString__chars__"`
		TwoByteChars       int `v8:"class_SeqTwoByteString__chars__"`
		ConsFirst          int `v8:"class_ConsString__first__"`
		ConsSecond         int `v8:"class_ConsString__second__"`
		SlicedParent       int `v8:"class_SlicedString__parent__"`
		SlicedOffset       int `v8:"class_SlicedString__offset__"`
		ThinActual         int `v8:"class_ThinString__actual__"`
		ExternalResource   int `v8:"class_ExternalString__resource__"`
		ExternalData       int
		// CachedData is set if the class of resources may have cached_data_.
		CachedData Trait
	}
	HeapNumber struct {
		Value int `v8:"class_HeapNumber__value__"`
	}
	Map struct {
		InstanceSize  int `v8:"class_Map__instance_size_in_words__"`
		InObjectStart int `v8:"class_Map__inobject_properties_start_or_constructor_function_index__"`
		InstanceType  int `v8:"class_Map__instance_type__"`
		BitField      int `v8:"class_Map__bit_field__"`
		BitField2     int `v8:"class_Map__bit_field2__"`
		BitField3     int `v8:"class_Map__bit_field3__"`
		Prototype     int `v8:"class_Map__prototype__"`
		Constructor   int `v8:"class_Map__constructor_or_back_pointer__"`
		Descriptors   int `v8:"class_Map__instance_descriptors__"`

		DictionaryShift    int `v8:"bit_field3_is_dictionary_map_shift"`
		OwnDescriptorMask  int `v8:"bit_field3_number_of_own_descriptors_mask"`
		OwnDescriptorShift int `v8:"bit_field3_number_of_own_descriptors_shift"`
		// PrototypeMapShift and NewTargetIsBaseShift are bits of bit_field3
		// and bit_field2.
		PrototypeMapShift    int
		NewTargetIsBaseShift int
		// ExtendedMask is the bit of bit_field of an ExtendedMap.
		ExtendedMask int
	}
	DescriptorArray struct {
		Header          int `v8:"class_DescriptorArray__header_size__"`
		EntryWords      int `v8:"prop_desc_size"`
		Key             int `v8:"prop_desc_key"`
		Details         int `v8:"prop_desc_details"`
		Value           int `v8:"prop_desc_value"`
		LocationMask    int `v8:"prop_location_mask"`
		LocationShift   int `v8:"prop_location_shift"`
		LocationField   int `v8:"prop_location_Field"`
		AttributesMask  int `v8:"prop_attributes_mask"`
		AttributesShift int `v8:"prop_attributes_shift"`
		DontEnum        int `v8:"prop_attributes_DONT_ENUM"`
		IndexMask       int `v8:"prop_index_mask"`
		IndexShift      int `v8:"prop_index_shift"`
		// InObjectShift is the bit of fields that are in the object. The index is then an
		// offset in words from the start of the object, or of the array of properties.
		// It is Unknown where the index counts fields.
		InObjectShift    int
		DictionaryPrefix int `v8:"namedictionaryshape_prefix_size"`
		DictionaryEntry  int `v8:"namedictionaryshape_entry_size"`
	}
	AccessorPair struct {
		Getter int `v8:"class_AccessorPair__getter__"`
		Setter int `v8:"class_AccessorPair__setter__"`
	}
	FixedArray struct {
		Length int `v8:"class_FixedArrayBase__length__"`
		// RawLength is 1 if the length is 4 bytes and not a Smi.
		RawLength int
		Data      int `v8:"class_FixedArray__data__"`
	}
	JSReceiver struct {
		Properties int `v8:"class_JSReceiver__raw_properties_or_hash__"`
	}
	JSFunction struct {
		Shared  int `v8:"class_JSFunction__shared__"`
		Context int `v8:"class_JSFunction__context__"`
		// DispatchHandle is where there is a handle instead of the code; Unknown before V8 13.6.
		DispatchHandle int
	}
	SharedFunctionInfo struct {
		FunctionData int `v8:"class_SharedFunctionInfo__function_data__"`
		// UntrustedData is a second data slot; Unknown before V8 13.
		UntrustedData int
		Name          int `v8:"class_SharedFunctionInfo__name_or_scope_info__"`
		Outer         int `v8:"class_SharedFunctionInfo__feedback_metadata__"`
		Script        int `v8:"class_SharedFunctionInfo__script__|class_SharedFunctionInfo__raw_script__|class_SharedFunctionInfo__script_or_debug_info__"`
		Flags         int `v8:"class_SharedFunctionInfo__flags__"`
		Parameters    int `v8:"class_SharedFunctionInfo__internal_formal_parameter_count__"`
		// Bits of Flags.
		NativeShift, StrictShift, ClassConstructorShift int
		// Initializers is the number of function kinds in a row for functions
		// that run the initialisers of a class's members.
		Initializers int
	}
	UncompiledData struct {
		InferredName  int `v8:"class_UncompiledData__inferred_name__"`
		StartPosition int `v8:"class_UncompiledData__start_position__"`
		EndPosition   int `v8:"class_UncompiledData__end_position__"`
	}
	InterpreterData struct {
		BytecodeArray int `v8:"class_InterpreterData__bytecode_array__"`
	}
	BaselineData struct {
		Data        int   `v8:"class_BaselineData__data__"`
		CallOffsets Trait // the position table has an entry for each call
	}
	Script struct {
		Source           int `v8:"class_Script__source__"`
		Name             int `v8:"class_Script__name__"`
		LineOffset       int `v8:"class_Script__line_offset__"`
		ColumnOffset     int `v8:"class_Script__column_offset__"`
		LineEnds         int `v8:"class_Script__line_ends__"`
		ID               int `v8:"class_Script__id__"`
		EvalFromShared   int `v8:"class_Script__eval_from_shared_or_wrapped_arguments__|class_Script__eval_from_shared_or_wrapped_arguments_or_sfi_table__|class_Script__eval_from_shared__"`
		EvalFromPosition int `v8:"class_Script__eval_from_position__"`
		Flags            int
		SourceURL        int
		Type             int `v8:"class_Script__type__|class_Script__script_type__"`
		// SharedInfos lists the script's functions, weakly.
		SharedInfos int
	}
	ScopeInfo struct {
		// FlagsWord is the byte offset of the flags; RawFlags is 1 if they
		// are a plain word instead of a Smi.
		FlagsWord, RawFlags int
		FirstVars           int `v8:"scopeinfo_idx_first_vars"`
		// Positions is 1 if start and end position come first.
		Positions int
		// HashedLocals is the least number of context locals whose names are
		// in a hash table. ModuleCount is 1 if module scopes have a word with
		// the number of their variables before the names.
		HashedLocals, ModuleCount int
		ModuleType                int // the ScopeType MODULE_SCOPE
		FunctionType              int // the ScopeType FUNCTION_SCOPE of V8 13 to 14.8
		SavedClassVariable        int // 1 if the word exists
		ReceiverSlot              int // 1 if the word exists
		ReceiverShift             int
		ClassVariableShift        int
		FunctionVariableShift     int
		InferredNameShift         int
		OuterShift                int
		ContextExtensionShift     int   // Unknown if slots 2 and 3 always exist
		ModuleCounted             Trait // module_info comes before the number of a module's variables
		DependentCode             Trait // dependent_code is there if sloppy eval can extend variables
		BlockList                 Trait // locals_block_list may be there
		ClassPositions            Trait // the extent of a class is there
	}
	BytecodeArray struct {
		Data      int `v8:"class_BytecodeArray__data__"`
		Positions int `v8:"class_BytecodeArray__source_position_table__"`
		FrameSize int
		// ParameterSize is in bytes, or a number of words of 16 bits if
		// ParameterWords is 1; both with the receiver.
		ParameterSize  int
		ParameterWords int
		ConstantPool   int `v8:"class_BytecodeArray__constant_pool__"`
		HandlerTable   int `v8:"class_BytecodeArray__handler_table__"`
		// HandlerUsed is 1 if handlers have a bit after the prediction.
		HandlerUsed int
		Trusted     Trait // its tables and constants are trusted objects
	}
	Code struct {
		// Body is the offset of the instructions in the object of the code
		// space: a Code, or an InstructionStream from V8 11 on.
		Body int
		// FromBody is the offset in an InstructionStream of its Code;
		// Unknown while the two are one object.
		FromBody        int
		DeoptData       int
		PositionTable   int
		Flags           int `v8:"class_Code__flags__"`
		InstructionSize int `v8:"class_Code__instruction_size__"`
		KindMask        int `v8:"CodeKindFieldMask"`
		KindShift       int `v8:"CodeKindFieldShift"`
		KindBuiltin     int
		KindInterpreted int `v8:"CodeKindInterpretedFunction"`
		KindBaseline    int `v8:"CodeKindBaseline"`
		KindMaglev      int
		KindTurbofan    int
		// the size of the tables comes between the instructions' size and the flags, or after them
		HasMetadata Trait
		Alignment   int // kCodeAlignment of x86-64, in bytes
	}
	SourcePositionTable struct {
		// FlagBits is the number of bits below the code offset of an entry; 0
		// if its sign is the only flag.
		FlagBits int
	}
	DeoptimizationData struct {
		FrameTranslation  int
		LiteralArray      int `v8:"DeoptimizationDataLiteralArrayIndex"`
		Shared            int `v8:"DeoptimizationDataSharedFunctionInfoIndex|DeoptimizationDataWrappedSharedFunctionInfoIndex"`
		InliningPositions int `v8:"DeoptimizationDataInliningPositionsIndex"`
		// FirstEntry is the index of the first entry: three words, the bytecode
		// offset, the place of the translation, the exit's pc.
		FirstEntry int
	}
	// Safepoint tables: see SafepointTable in codegen/safepoint-table.h.
	Safepoint struct {
		StackSlots int // 1 if the header begins with a word of stack slots
		// Offset is where a Code keeps the offset of its table in the
		// instructions; Unknown where it is after them.
		Offset int
		Wide   Trait // the header is the number of entries and the size of one
	}
	JSGeneratorObject struct {
		Function, Context, Receiver, Offset, Continuation, Saved, Promise int
	}
	PromiseReaction struct {
		Next, Reject, Fulfill, Promise int
	}
	JSPromise struct{ Reactions int }
	Frame     struct {
		Function      int `v8:"off_fp_function"`
		ContextOrType int `v8:"off_fp_context"`
		Args          int `v8:"off_fp_args"`
		ArgCount      int
		// CountsReceiver is 1 if the argument count includes the receiver.
		CountsReceiver int
		BytecodeArray  int `v8:"off_fp_bytecode_array"`
		BytecodeOffset int `v8:"off_fp_bytecode_offset"`
		// ReceiverFirst is 1 if the receiver lies next to the return address.
		ReceiverFirst int
		// SavedExitFP is where an entry frame keeps the previous c_entry_fp.
		SavedExitFP int
		// FirstCodeOffset is the code offset that position tables count from.
		FirstCodeOffset int
		// Words of a builtin exit frame; a word of padding may come before
		// of the receiver.
		ExitNewTarget, ExitTarget, ExitReceiver int
		// FeedbackVector is set if it is between the bytecode offset and the registers.
		FeedbackVector Trait
	}

	ObjectLayout
	Traits

	facts []Fact
	// rejected are values that another supplier's took precedence over, or the first one of each field.
	rejected []Fact
}

// Facts returns every fact with its supplier, in the order of Layout's fields.
func (l *Layout) Facts() []Fact { return l.facts }

// MetadataSize returns the offset of the size of a Code's tables, which follows the size of its instructions.
// In V8 8.8, after 8.8.134, it came between the instructions' size and the flags (objects/code.h). It is
// Unknown where a Code has no such field.
func (l *Layout) MetadataSize() int {
	c := &l.Code
	if c.InstructionSize == Unknown || c.FromBody == Unknown && c.Flags == c.InstructionSize+4 {
		return Unknown
	}
	return c.InstructionSize + 4
}

// CodeAlignment is kCodeAlignment of 64-bit builds, in bytes (common/globals.h): only x86-64 aligns to its cache lines.
func (l *Layout) CodeAlignment(arch *core.Arch) int {
	if arch != core.AMD64 {
		return 32
	}
	return l.Code.Alignment
}

// Probed sets a fact to a value that the core's own memory shows. A constant of the image and a value set by hand stay;
// the difference is a conflict.
func (l *Layout) Probed(class, field string, value int) { l.set(class, field, value, FromProbe) }

// SetByHand sets a fact to a value that the user gives, which takes precedence over all others.
func (l *Layout) SetByHand(class, field string, value int) { l.set(class, field, value, FromHand) }

// set sets a fact unless a supplier that is trusted more has it.
func (l *Layout) set(class, field string, value int, by Supplier) {
	is := func(f Fact) bool { return f.Class == class && f.Field == field }
	i := slices.IndexFunc(l.facts, is)
	if i >= 0 && slices.Index(Suppliers(), l.facts[i].Supplier) < slices.Index(Suppliers(), by) {
		l.rejected = append(slices.DeleteFunc(l.rejected, is),
			Fact{Class: class, Field: field, Value: value, Supplier: by})
		return
	}
	if i >= 0 && l.facts[i].Supplier != by {
		l.rejected = append(slices.DeleteFunc(l.rejected, is), l.facts[i])
	}
	layout.Set(l, l.facts, class, field, value, by)
}

// Conflicts returns the numbers with different values from two suppliers, in the order of Layout's fields. A
// supplier that does not know a number contradicts none.
func (l *Layout) Conflicts() (list []Conflict) {
	for _, f := range l.facts {
		for _, r := range l.rejected {
			if r.Class == f.Class && r.Field == f.Field && r.Value != f.Value && r.Value != Unknown {
				list = append(list, Conflict{f, r})
			}
		}
	}
	return list
}
