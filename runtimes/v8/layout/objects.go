package layout

// ObjectLayout is the part of Layout for objects of JavaScript other than
// functions. Its classes have the names of V8. A class that Layout has too is
// l.ObjectLayout.Map.
type ObjectLayout struct {
	JSObject struct {
		Elements       int `v8:"class_JSObject__elements__"`
		InternalFields int `v8:"class_JSObject__internal_fields__"`
	}
	JSAPIObject struct {
		// InternalFields is where the internal fields of objects made from templates begin.
		InternalFields int
	}
	ElementsKind struct {
		Mask       int `v8:"bit_field2_elements_kind_mask"`
		Shift      int `v8:"bit_field2_elements_kind_shift"`
		Dictionary int `v8:"elements_dictionary_elements"`
		// FirstDouble is PACKED_DOUBLE_ELEMENTS; those below are tagged, the
		// one after it is HOLEY_DOUBLE_ELEMENTS, the rest up to Dictionary
		// is tagged again.
		FirstDouble int
	}
	PropertyDetails struct {
		KindMask             int `v8:"prop_kind_mask"`
		KindAccessor         int `v8:"prop_kind_Accessor"`
		RepresentationMask   int `v8:"prop_representation_mask"`
		RepresentationShift  int `v8:"prop_representation_shift"`
		RepresentationDouble int `v8:"prop_representation_double"`
		// DictionaryIndexShift is where the enumeration index of a dictionary
		// entry begins.
		DictionaryIndexShift int
	}
	PropertyCell struct {
		Name, Details, Value int
	}
	GlobalDictionary struct {
		Prefix int
	}
	NumberDictionary struct {
		Prefix int `v8:"numberdictionaryshape_prefix_size"`
		Entry  int `v8:"numberdictionaryshape_entry_size"`
	}
	Map struct {
		// LayoutDescriptor is a bitmap of the fields that hold raw doubles;
		// Unknown where none do.
		LayoutDescriptor int
		// PrototypeSlotMask is the bit of bit_field that says that functions have a
		// word for their prototype; Unknown where their type says it.
		PrototypeSlotMask int
		// FlagsShift is how many bits at the lower end bit_field has lost.
		FlagsShift int
	}
	Symbol struct {
		Flags       int
		Description int `v8:"class_Symbol__name__"`
	}
	BigInt struct {
		Bitfield, Digits int
		// LengthShift is the lowest bit of the number of digits, which has all bits above.
		LengthShift int
	}
	JSArray struct {
		Length int `v8:"class_JSArray__length__"`
	}
	JSArrayIterator struct {
		Object int `v8:"class_JSArrayIterator__iterated_object__"`
		Index  int `v8:"class_JSArrayIterator__next_index__"`
	}
	JSBoundFunction struct {
		Target, This, Arguments int
	}
	JSProxy struct {
		Target, Handler int
	}
	JSCollection struct {
		Table, IteratorTable, IteratorIndex int
	}
	JSWeakRef struct {
		Target int
	}
	WeakCell struct {
		Target int // with the unregister token after it, both weak
	}
	JSPrimitiveWrapper struct {
		Value int
	}
	JSDate struct {
		Value int `v8:"class_JSDate__value__"`
		// Raw is 1 if the value is a double and not a reference to a number.
		Raw int
	}
	JSRegExp struct {
		Source    int `v8:"class_JSRegExp__source__"`
		LastIndex int `v8:"class_JSRegExp__last_index__"`
		// Data is the RegExpData that has the source; Unknown where the object has it.
		Data int
	}
	JSArrayBuffer struct {
		BackingStore int `v8:"class_JSArrayBuffer__backing_store__"`
		ByteLength   int `v8:"class_JSArrayBuffer__byte_length__"`
		// MaxByteLength is Unknown where no buffer can be resized.
		MaxByteLength int `v8:"class_JSArrayBuffer__max_byte_length__"`
		Extension     int // the ArrayBufferExtension; Unknown before V8 8.2
		BitField      int
		DetachedMask  int `v8:"jsarray_buffer_was_detached_mask"`
		SharedMask    int
	}
	JSArrayBufferView struct {
		Buffer     int `v8:"class_JSArrayBufferView__buffer__"`
		ByteOffset int `v8:"class_JSArrayBufferView__byte_offset__"`
		ByteLength int `v8:"class_JSArrayBufferView__byte_length__"`
		// BitField is Unknown where no view follows the length of its buffer.
		BitField int
	}
	JSTypedArray struct {
		ExternalPointer int `v8:"class_JSTypedArray__external_pointer__"`
		BasePointer     int `v8:"class_JSTypedArray__base_pointer__"`
		BitField        int // until it moved to all views
		// InElements is 1 where both are in the elements instead.
		InElements int
	}
	JSModuleNamespace struct {
		Module int
	}
	Module struct {
		Exports, Namespace int
	}
	Cell struct {
		Value int
	}
	ContextCell struct {
		Tagged, State, Double int
	}
	Context struct {
		Previous, Data, GlobalObject int
		// MinNative is the number of slots that only native contexts reach.
		MinNative int
		// LengthMask are the bits of the length that count slots.
		LengthMask int
		// QueueHandle is set if native contexts of compressed builds end with a handle of the microtask queue.
		QueueHandle Trait
	}
	JSFunction struct {
		PrototypeOrInitialMap int `v8:"class_JSFunction__prototype_or_initial_map__"`
	}
	SharedFunctionInfo struct {
		Length              int `v8:"class_SharedFunctionInfo__length__"`
		FunctionTokenOffset int `v8:"class_SharedFunctionInfo__raw_function_token_offset__"`
		// AnonymousShift is the bit of flags of functions whose name reads
		// "anonymous", such as the results of new Function.
		AnonymousShift int
	}
	JSPromise struct {
		Flags int
	}
	SloppyArguments struct {
		Context, Arguments, Mapped int
		// Header is the number of words before the mapped entries that
		// the length counts.
		Header int
	}
}

// objectRows are the rows of ObjectLayout.
var objectRows = []row{
	{"JSObject.Elements", tagged, "objects/js-objects.tq", []step{{V(7, 4), 16}}},
	{"JSObject.InternalFields", tagged, "objects/js-objects.tq", []step{{V(7, 4), 24}}},
	// From 12.6 on cpp_heap_wrappable comes before: objects/js-objects.tq @ 12.9. workerd 1.20240701 (12.6)
	// has it, 12.4 does not.
	{"JSAPIObject.InternalFields", tagged, "objects/js-objects.tq", []step{{V(7, 4), 24}, {V(12, 6), 32}}},
	{"ElementsKind.Mask", number, "objects/elements-kind.h", []step{{V(7, 4), 0xf8}}},
	{"ElementsKind.Shift", number, "objects/elements-kind.h", []step{{V(7, 4), 3}}},
	// SHARED_ARRAY_ELEMENTS comes before from 11.0 on.
	{"ElementsKind.Dictionary", number, "objects/elements-kind.h", []step{{V(7, 4), 12}, {V(11, 0), 13}}},
	{"ElementsKind.FirstDouble", number, "objects/elements-kind.h", []step{{V(7, 4), 4}}},
	{"PropertyDetails.KindMask", number, "objects/property-details.h", []step{{V(7, 4), 1}}},
	{"PropertyDetails.KindAccessor", number, "objects/property-details.h", []step{{V(7, 4), 1}}},
	{"PropertyDetails.RepresentationMask", number, "objects/property-details.h", []step{{V(7, 4), 7 << 6}}},
	{"PropertyDetails.RepresentationShift", number, "objects/property-details.h", []step{{V(7, 4), 6}}},
	{"PropertyDetails.RepresentationDouble", number, "objects/property-details.h", []step{{V(7, 4), 2}}},
	{"PropertyDetails.DictionaryIndexShift", number, "objects/property-details.h", []step{{V(7, 4), 8}}},
	{"PropertyCell.Name", tagged, "objects/property-cell.tq", []step{{V(7, 4), 16}, {V(7, 5), 8}}},
	{"PropertyCell.Details", tagged, "objects/property-cell.tq", []step{{V(7, 4), 8}, {V(7, 5), 16}}},
	{"PropertyCell.Value", tagged, "objects/property-cell.tq", []step{{V(7, 4), 24}}},
	{"GlobalDictionary.Prefix", number, "objects/dictionary.h", []step{{V(7, 4), 2}}},
	{"NumberDictionary.Prefix", number, "objects/dictionary.h", []step{{V(7, 4), 1}}},
	{"NumberDictionary.Entry", number, "objects/dictionary.h", []step{{V(7, 4), 3}}},
	// Raw double fields are off from 8.0 on.
	{"Map.LayoutDescriptor", mixed, "objects/map.h", []step{{V(7, 4), 56}, {V(7, 6), 48}, {V(8, 0), Unknown}}},
	// From 14.8 on is_extended_map has the bit: objects/map.tq @ 15.0. 14.7.173 does not have that.
	{"Map.PrototypeSlotMask", number, "objects/map.h", []step{{V(7, 4), 1 << 7}, {V(14, 8), Unknown}}},
	{"Map.FlagsShift", number, "objects/map.tq", []step{{V(7, 4), 0}}},
	{"Symbol.Flags", mixed, "objects/name.tq", []step{{V(7, 4), 12}}},
	{"Symbol.Description", mixed, "objects/name.tq", []step{{V(7, 4), 16}}},
	{"BigInt.Bitfield", mixed, "objects/bigint.h", []step{{V(7, 4), 8}}},
	{"BigInt.Digits", mixed, "objects/bigint.h", []step{{V(7, 4), 16}}},
	// kPaddingBits: objects/bigint.h @ 15.0. workerd 1.20260611 (14.8) has it, 14.7.173 does not.
	{"BigInt.LengthShift", number, "objects/bigint.h", []step{{V(7, 4), 1}, {V(14, 8), 8}}},
	{"JSArray.Length", tagged, "objects/js-array.tq", []step{{V(7, 4), 24}}},
	{"JSArrayIterator.Object", tagged, "objects/js-array.tq", []step{{V(7, 4), 24}}},
	{"JSArrayIterator.Index", tagged, "objects/js-array.tq", []step{{V(7, 4), 32}}},
	{"JSBoundFunction.Target", tagged, "objects/js-function.tq", []step{{V(7, 4), 24}}},
	{"JSBoundFunction.This", tagged, "objects/js-function.tq", []step{{V(7, 4), 32}}},
	{"JSBoundFunction.Arguments", tagged, "objects/js-function.tq", []step{{V(7, 4), 40}}},
	{"JSProxy.Target", tagged, "objects/js-proxy.tq", []step{{V(7, 4), 16}}},
	{"JSProxy.Handler", tagged, "objects/js-proxy.tq", []step{{V(7, 4), 24}}},
	{"JSCollection.Table", tagged, "objects/js-collection.tq", []step{{V(7, 4), 24}}},
	{"JSCollection.IteratorTable", tagged, "objects/js-collection.tq", []step{{V(7, 4), 24}}},
	{"JSCollection.IteratorIndex", tagged, "objects/js-collection.tq", []step{{V(7, 4), 32}}},
	{"JSWeakRef.Target", tagged, "objects/js-weak-refs.tq", []step{{V(7, 4), 24}}},
	// The holdings come before from 14.6 on.
	{"WeakCell.Target", tagged, "objects/js-weak-refs.tq", []step{{V(7, 4), 16}, {V(14, 6), 24}}},
	{"JSPrimitiveWrapper.Value", tagged, "objects/js-objects.tq", []step{{V(7, 4), 24}}},
	{"JSDate.Value", mixed, "objects/js-date.tq", []step{{V(7, 4), 24}}},
	// objects/js-date.tq @ 12.9. 12.8.374 of workerd 1.20240903 has it, 12.6.228 does not.
	{"JSDate.Raw", number, "objects/js-date.tq", []step{{V(7, 4), 0}, {V(12, 8), 1}}},
	{"JSRegExp.Source", tagged, "objects/js-regexp.h", []step{{V(7, 4), 32}}},
	// objects/js-regexp.h @ 15.0. workerd 1.20260611 (14.8) has it, 14.7.173 does not.
	{"JSRegExp.LastIndex", tagged, "objects/js-regexp.h", []step{{V(7, 4), 48}, {V(14, 8), 40}}},
	{"JSRegExp.Data", tagged, "objects/js-regexp.h", []step{{V(14, 8), 24}}},
	// 9.2.230 of Node 16.6 and 9.2.227 of Chromium 92 are as objects/js-array-buffer.tq @ 9.4. From 11.0 on
	// detach_key comes before, and from 12.6 on cpp_heap_wrappable.
	{"JSArrayBuffer.BackingStore", mixed, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 32}, {V(9, 2), 40}, {V(11, 0), 48}, {V(12, 6), 56}}},
	{"JSArrayBuffer.ByteLength", mixed, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 24}, {V(11, 0), 32}, {V(12, 6), 40}}},
	{"JSArrayBuffer.MaxByteLength", mixed, "objects/js-array-buffer.tq",
		[]step{{V(9, 2), 32}, {V(11, 0), 40}, {V(12, 6), 48}}},
	{"JSArrayBuffer.Extension", mixed, "objects/js-array-buffer.tq",
		[]step{{V(8, 4), 40}, {V(9, 2), 48}, {V(11, 0), 56}, {V(12, 6), 64}}},
	{"JSArrayBuffer.BitField", mixed, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 40}, {V(8, 4), 48}, {V(9, 2), 56}, {V(11, 0), 64}, {V(12, 6), 72}}},
	{"JSArrayBuffer.DetachedMask", number, "objects/js-array-buffer.tq", []step{{V(7, 4), 1 << 2}}},
	// The flag before it, of memory of asm.js, is gone in 15.2.124 of a headless shell; 15.1.206 of workerd has it.
	{"JSArrayBuffer.SharedMask", number, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 1 << 3}, {V(7, 9), 1 << 4}, {V(15, 2), 1 << 3}}},
	// From 12.6 on cpp_heap_wrappable comes before.
	{"JSArrayBufferView.Buffer", mixed, "objects/js-array-buffer.tq", []step{{V(7, 4), 24}, {V(12, 6), 32}}},
	{"JSArrayBufferView.ByteOffset", mixed, "objects/js-array-buffer.tq", []step{{V(7, 4), 32}, {V(12, 6), 48}}},
	{"JSArrayBufferView.ByteLength", mixed, "objects/js-array-buffer.tq", []step{{V(7, 4), 40}, {V(12, 6), 56}}},
	{"JSArrayBufferView.BitField", mixed, "objects/js-array-buffer.tq", []step{{V(10, 1), 48}, {V(12, 6), 40}}},
	// objects/fixed-array.h until 7.6: FixedTypedArrayBase.
	{"JSTypedArray.ExternalPointer", mixed, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 24}, {V(7, 6), 56}, {V(10, 1), 64}, {V(12, 6), 72}}},
	{"JSTypedArray.BasePointer", mixed, "objects/js-array-buffer.tq",
		[]step{{V(7, 4), 16}, {V(7, 6), 64}, {V(10, 1), 72}, {V(12, 6), 80}}},
	{"JSTypedArray.BitField", mixed, "objects/js-array-buffer.tq", []step{{V(9, 2), 72}, {V(10, 1), Unknown}}},
	{"JSTypedArray.InElements", number, "objects/js-array-buffer.tq", []step{{V(7, 4), 1}, {V(7, 6), 0}}},
	{"JSModuleNamespace.Module", tagged, "objects/module.tq", []step{{V(7, 4), 24}}},
	{"Module.Exports", tagged, "objects/module.tq", []step{{V(7, 4), 8}}},
	{"Module.Namespace", tagged, "objects/module.tq", []step{{V(7, 4), 32}}},
	{"Cell.Value", tagged, "objects/cell.tq", []step{{V(7, 4), 8}}},
	{"ContextCell.Tagged", mixed, "objects/contexts.tq @ 14.1", []step{{V(7, 4), 8}}},
	{"ContextCell.State", mixed, "objects/contexts.tq @ 14.1", []step{{V(7, 4), 24}}},
	{"ContextCell.Double", mixed, "objects/contexts.tq @ 14.1", []step{{V(7, 4), 32}}},
	{"Context.Previous", tagged, "objects/contexts.h", []step{{V(7, 4), 24}}},
	{"Context.Data", tagged, "objects/contexts.h", []step{{V(7, 4), 16}}},
	{"Context.GlobalObject", tagged, "objects/contexts.h", []step{{V(7, 4), 32}}},
	{"Context.MinNative", number, "objects/contexts.h", []step{{V(7, 4), 100}}},
	// HasExtensionField is bit 30 from 7.9 on.
	{"Context.LengthMask", number, "objects/contexts.h", []step{{V(7, 4), 1<<31 - 1}, {V(7, 9), 1<<30 - 1}}},
	{"Context.QueueHandle", number, "objects/contexts.tq", []step{{V(0, 0), 0}, {V(15, 1), 1}}},
	{"JSFunction.PrototypeOrInitialMap", mixed, "objects/js-function.tq", []step{{V(7, 4), 56}}},
	{"SharedFunctionInfo.Length", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 40}}},
	// objects/shared-function-info.tq @ 9.4.
	{"SharedFunctionInfo.AnonymousShift", number, "objects/shared-function-info.tq",
		[]step{{V(7, 4), 26}, {V(9, 0), 25}}},
	{"JSPromise.Flags", tagged, "objects/js-promise.tq", []step{{V(7, 4), 32}}},
	{"SloppyArguments.Context", tagged, "objects/arguments.tq", []step{{V(7, 4), 16}}},
	{"SloppyArguments.Arguments", tagged, "objects/arguments.tq", []step{{V(7, 4), 24}}},
	{"SloppyArguments.Mapped", tagged, "objects/arguments.tq", []step{{V(7, 4), 32}}},
	{"SloppyArguments.Header", number, "objects/arguments.tq", []step{{V(7, 4), 2}, {V(8, 4), 0}}},
}
