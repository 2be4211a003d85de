package layout

// ObjectLayout is the part of Layout that objects of JavaScript need besides
// functions and frames. Its classes
// have the names of V8; one that Layout has too is found as
// l.ObjectLayout.Map.
type ObjectLayout struct {
	JSObject struct {
		Elements       int `v8:"class_JSObject__elements__"`
		InternalFields int `v8:"class_JSObject__internal_fields__"`
	}
	JSAPIObject struct {
		// InternalFields is where those of objects made from templates begin.
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
		// LengthShift is the lowest bit of the number of digits; what is above is all of it.
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
	}
	JSFunction struct {
		PrototypeOrInitialMap int `v8:"class_JSFunction__prototype_or_initial_map__"`
	}
	SharedFunctionInfo struct {
		Length              int `v8:"class_SharedFunctionInfo__length__"`
		FunctionTokenOffset int `v8:"class_SharedFunctionInfo__raw_function_token_offset__"`
		// AnonymousShift is the bit of flags that says that the name reads
		// "anonymous", as that of new Function does.
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

// objectDeltas is the table of versions for ObjectLayout.
var objectDeltas = []delta{
	{V(7, 4), func(l *Layout) {
		objects78(l)
		t := &l.JSTypedArray // objects/fixed-array.h @ 7.4: FixedTypedArrayBase
		t.InElements, t.BasePointer, t.ExternalPointer = 1, 16, 24
		l.ObjectLayout.Map.LayoutDescriptor = 56            // objects/map.h @ 7.4
		l.PropertyCell.Name, l.PropertyCell.Details = 16, 8 // objects/property-cell.h @ 7.4
	}},
	{V(7, 5), func(l *Layout) { l.PropertyCell.Name, l.PropertyCell.Details = 8, 16 }},
	{V(7, 6), objects78},
	{V(7, 9), func(l *Layout) {
		l.ObjectLayout.Context.LengthMask = 1<<30 - 1 // objects/contexts.h @ 7.9: HasExtensionField is bit 30
		l.JSArrayBuffer.SharedMask = 1 << 4           // objects/js-array-buffer.tq @ 7.9
	}},
	{V(8, 0), func(l *Layout) { l.ObjectLayout.Map.LayoutDescriptor = Unknown }}, // objects/map.h @ 8.0: raw double fields are off
	{V(8, 4), func(l *Layout) {
		l.SloppyArguments.Header = 0                                 // objects/arguments.tq @ 8.4
		l.JSArrayBuffer.Extension, l.JSArrayBuffer.BitField = 40, 48 // objects/js-array-buffer.tq @ 8.4
	}},
	{V(9, 0), func(l *Layout) { l.ObjectLayout.SharedFunctionInfo.AnonymousShift = 25 }}, // objects/shared-function-info.tq @ 9.4
	{V(9, 2), func(l *Layout) {
		b := &l.JSArrayBuffer // objects/js-array-buffer.tq @ 9.4; 9.2.230 of Node 16.6 and 9.2.227 of Chromium 92 have it
		b.MaxByteLength, b.BackingStore, b.Extension, b.BitField = 32, 40, 48, 56
		l.JSTypedArray.BitField = 72
	}},
	{V(10, 1), func(l *Layout) {
		l.JSArrayBufferView.BitField, l.JSTypedArray.BitField = 48, Unknown // objects/js-array-buffer.tq @ 10.1
		l.JSTypedArray.ExternalPointer, l.JSTypedArray.BasePointer = 64, 72
	}},
	{V(11, 0), func(l *Layout) {
		l.ElementsKind.Dictionary = 13 // objects/elements-kind.h: SHARED_ARRAY_ELEMENTS comes before
		b := &l.JSArrayBuffer          // detach_key comes before
		b.ByteLength, b.MaxByteLength, b.BackingStore, b.Extension, b.BitField = 32, 40, 48, 56, 64
	}},
	// V8 12.6: seen in workerd 1.20240701 as 12.9's sources have it; 12.4 has none of it.
	{V(12, 6), func(l *Layout) {
		l.JSAPIObject.InternalFields = 32 // objects/js-objects.tq @ 12.9: cpp_heap_wrappable comes before
		b := &l.JSArrayBuffer
		b.ByteLength, b.MaxByteLength, b.BackingStore, b.Extension, b.BitField = 40, 48, 56, 64, 72
		w := &l.JSArrayBufferView
		w.Buffer, w.BitField, w.ByteOffset, w.ByteLength = 32, 40, 48, 56
		l.JSTypedArray.ExternalPointer, l.JSTypedArray.BasePointer = 72, 80
	}},
	{V(12, 8), func(l *Layout) { l.JSDate.Raw = 1 }},       // objects/js-date.tq @ 12.9; 12.8.374 of workerd 1.20240903 has it, 12.6.228 not
	{V(14, 6), func(l *Layout) { l.WeakCell.Target = 24 }}, // objects/js-weak-refs.tq: the holdings come before
	// V8 14.8: seen in workerd 1.20260611; 14.7.173 has none of it.
	{V(14, 8), func(l *Layout) {
		l.JSRegExp.Data, l.JSRegExp.LastIndex = 24, 40 // objects/js-regexp.h @ 15.0
		l.BigInt.LengthShift = 8                       // objects/bigint.h @ 15.0: kPaddingBits
		l.ObjectLayout.Map.PrototypeSlotMask = Unknown // objects/map.tq @ 15.0: is_extended_map
	}},
	// The flag before it, of memory of asm.js, is gone: seen in 15.2.124 of a headless shell, and not in 15.1.206 of workerd.
	{V(15, 2), func(l *Layout) { l.JSArrayBuffer.SharedMask = 1 << 3 }},
}

// objects78 is V8 7.8 (Node 12), and all that has not changed since.
func objects78(l *Layout) {
	l.JSObject.Elements, l.JSObject.InternalFields, l.JSAPIObject.InternalFields = 16, 24, 24
	k := &l.ElementsKind // objects/elements-kind.h
	k.Mask, k.Shift, k.Dictionary, k.FirstDouble = 0xf8, 3, 12, 4
	d := &l.PropertyDetails // objects/property-details.h
	d.KindMask, d.KindAccessor, d.DictionaryIndexShift = 1, 1, 8
	d.RepresentationMask, d.RepresentationShift, d.RepresentationDouble = 7<<6, 6, 2
	c := &l.PropertyCell // objects/property-cell.tq
	c.Name, c.Details, c.Value = 8, 16, 24
	l.GlobalDictionary.Prefix = 2 // objects/dictionary.h: GlobalDictionaryShape
	l.NumberDictionary.Prefix, l.NumberDictionary.Entry = 1, 3
	l.ObjectLayout.Map.LayoutDescriptor, l.ObjectLayout.Map.PrototypeSlotMask, l.ObjectLayout.Map.FlagsShift = 48, 1<<7, 0
	l.Symbol.Flags, l.Symbol.Description = 12, 16
	l.BigInt.Bitfield, l.BigInt.Digits, l.BigInt.LengthShift = 8, 16, 1
	l.JSArray.Length = 24
	l.JSArrayIterator.Object, l.JSArrayIterator.Index = 24, 32
	b := &l.JSBoundFunction // objects/js-function.tq
	b.Target, b.This, b.Arguments = 24, 32, 40
	l.JSProxy.Target, l.JSProxy.Handler = 16, 24
	s := &l.JSCollection // objects/js-collection.tq
	s.Table, s.IteratorTable, s.IteratorIndex = 24, 24, 32
	l.JSWeakRef.Target, l.JSPrimitiveWrapper.Value = 24, 24
	l.WeakCell.Target = 16
	l.JSDate.Value, l.JSDate.Raw = 24, 0
	l.JSRegExp.Source, l.JSRegExp.LastIndex = 32, 48
	u := &l.JSArrayBuffer // objects/js-array-buffer.h
	u.ByteLength, u.BackingStore, u.BitField, u.DetachedMask, u.SharedMask = 24, 32, 40, 1<<2, 1<<3
	w := &l.JSArrayBufferView
	w.Buffer, w.ByteOffset, w.ByteLength = 24, 32, 40
	l.JSTypedArray.ExternalPointer, l.JSTypedArray.BasePointer, l.JSTypedArray.InElements = 56, 64, 0
	l.JSModuleNamespace.Module, l.Module.Exports, l.Module.Namespace, l.Cell.Value = 24, 8, 32, 8
	x := &l.ContextCell // objects/contexts.tq @ 14.1
	x.Tagged, x.State, x.Double = 8, 24, 32
	n := &l.Context // objects/contexts.h
	n.Previous, n.Data, n.GlobalObject, n.MinNative, n.LengthMask = 24, 16, 32, 100, 1<<31-1
	l.ObjectLayout.JSFunction.PrototypeOrInitialMap, l.ObjectLayout.SharedFunctionInfo.Length = 56, 40
	l.ObjectLayout.JSPromise.Flags = 32
	l.ObjectLayout.SharedFunctionInfo.AnonymousShift = 26 // objects/shared-function-info.h @ 7.8
	a := &l.SloppyArguments                               // objects/arguments.tq
	a.Context, a.Arguments, a.Mapped, a.Header = 16, 24, 32, 2
}
