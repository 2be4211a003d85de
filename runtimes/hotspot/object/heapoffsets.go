package object

import (
	"fmt"

	"coredbg/runtimes/hotspot/moving"
	"coredbg/runtimes/hotspot/vmstructs"
)

// heapOffsets are where members of objects and classes are, and how references are written. A member that a
// version lacks is at -1.
type heapOffsets struct {
	compactHeaders bool // the class is in the upper bits of the mark word
	narrowKlass    bool // a pointer to a class has 32 bits
	narrowOop      bool // a reference in an object has 32 bits
	klassShift     uint // of the class in the mark word
	oopBase        uint64
	oopShift       uint
	klassBase      uint64
	classShift     uint // of a narrow pointer to a class

	mark, klass int64 // in an object

	layoutHelper, super, mirror vmstructs.Field
	klassAccess, instanceAccess vmstructs.Field
	loaderData, loader          int64
	ownLoader                   int64
	secondarySupers             int64
	initState                   vmstructs.Field
	pool                        int64
	fields, javaFields          int64
	fieldInfo                   int64
	methods, localInterfaces    int64
	transitiveInterfaces        int64
	elementKlass                int64
	methodNumber                int64
	mirrorKlass, mirrorArray    int64 // in a java.lang.Class, as the next two
	mirrorSize                  int64
	staticOops                  int64
	u1Data, u2Data, wordsData   int64

	z          *moving.Colouring // of references, by ZGC
	evacuation *moving.Evacuation
}

// newHeapOffsets asks the tables. It notes nothing for Missing: stacks need no objects.
func newHeapOffsets(t *vmstructs.Tables) (o heapOffsets) {
	optional := func(names ...string) int64 {
		if off, ok := t.Optional(names...); ok {
			return off
		}
		return -1
	}
	value := func(names ...string) int64 {
		if v, ok := t.Value(names...); ok && v > 0 && v < 1<<12 {
			return v
		}
		return -1
	}
	o.encoding(t)
	o.z = moving.NewColouring(t)
	o.mark, o.klass = optional("oopDesc._mark"), optional("oopDesc._metadata._klass", "oopDesc._compressed_klass")
	o.layoutHelper, _ = t.Lookup("Klass._layout_helper")
	o.super, _ = t.Lookup("Klass._super")
	o.mirror, _ = t.Lookup("Klass._java_mirror")
	o.evacuation = moving.NewEvacuation(t, o.mark)
	o.klassAccess, _ = t.Lookup("Klass._access_flags")
	o.instanceAccess, _ = t.Lookup("InstanceKlass._access_flags") // of JDK 27, for classes that are no arrays
	o.initState, _ = t.Lookup("InstanceKlass._init_state")
	if t.Width(o.initState.Type) == 1 {
		o.initState.Type = "u1"
	}
	o.loaderData, o.loader = optional("Klass._class_loader_data"), optional("ClassLoaderData._class_loader")
	o.ownLoader = optional("ClassLoaderData._has_class_mirror_holder", "ClassLoaderData._is_unsafe_anonymous",
		"ClassLoaderData._is_anonymous")
	o.secondarySupers = optional("Klass._secondary_supers")
	o.pool = optional("InstanceKlass._constants")
	o.fields, o.javaFields = optional("InstanceKlass._fields"), optional("InstanceKlass._java_fields_count")
	o.fieldInfo = optional("InstanceKlass._fieldinfo_stream")
	o.methods, o.localInterfaces = optional("InstanceKlass._methods"), optional("InstanceKlass._local_interfaces")
	o.transitiveInterfaces = optional("InstanceKlass._transitive_interfaces")
	o.elementKlass = optional("ObjArrayKlass._element_klass")
	o.methodNumber = optional("ConstMethod._method_idnum")
	o.mirrorKlass = value("java_lang_Class._klass_offset")
	o.mirrorArray = value("java_lang_Class._array_klass_offset")
	o.mirrorSize = value("java_lang_Class._oop_size_offset")
	o.staticOops = value("java_lang_Class._static_oop_field_count_offset")
	o.u1Data, o.u2Data = optional("Array<u1>._data"), optional("Array<u2>._data")
	o.wordsData = optional("Array<Klass*>._data", "Array<Method*>._data")
	return o
}

// encoding finds out how references and pointers to classes are written. Before JDK 13 Universe has their
// bases. The flags are read where the tables have them; a base or a shift says as much where they do not.
func (o *heapOffsets) encoding(t *vmstructs.Tables) {
	shift := func(v int64) uint { return uint(min(max(v, 0), 16)) }
	o.compactHeaders, _ = t.Flag("UseCompactObjectHeaders")
	if n, ok := t.Constant("markWord::klass_shift"); ok && n > 0 && n < 64 {
		o.klassShift = uint(n)
	} else {
		o.compactHeaders = false
	}
	base, _ := t.Value("CompressedOops._base", "CompressedOops._narrow_oop._base", "Universe._narrow_oop._base")
	n, _ := t.Value("CompressedOops._shift", "CompressedOops._narrow_oop._shift", "Universe._narrow_oop._shift")
	o.oopBase, o.oopShift = uint64(base), shift(n)
	on, ok := t.Flag("UseCompressedOops")
	o.narrowOop = on || !ok && (base != 0 || n != 0)
	base, _ = t.Value("CompressedKlassPointers._base", "CompressedKlassPointers._narrow_klass._base",
		"Universe._narrow_klass._base")
	n, _ = t.Value("CompressedKlassPointers._shift", "CompressedKlassPointers._narrow_klass._shift",
		"Universe._narrow_klass._shift")
	o.klassBase, o.classShift = uint64(base), shift(n)
	on, ok = t.Flag("UseCompressedClassPointers")
	// JDK 27 has no others
	o.narrowKlass = o.compactHeaders || on || !ok && (base != 0 || n != 0) || t.Has("oopDesc._compressed_klass")
}

// CompactHeaders reports whether objects have their class in the mark word.
func (r *References) CompactHeaders() bool { return r.h.compactHeaders }

// NarrowClasses reports whether an object's pointer to its class has 32 bits.
func (r *References) NarrowClasses() bool { return r.h.narrowKlass }

// Encoding says how references are written, and how pointers to classes.
func (r *References) Encoding() (references, classes string) {
	h := &r.h
	references, classes = "64 bits", "64 bits"
	if h.z != nil {
		references = "64 bits, coloured (ZGC)"
	}
	if h.narrowOop {
		references = fmt.Sprintf("32 bits (compressed), base %#x, shift %d", h.oopBase, h.oopShift)
	}
	if h.narrowKlass {
		classes = fmt.Sprintf("32 bits (compressed), base %#x, shift %d", h.klassBase, h.classShift)
	}
	if h.compactHeaders {
		classes = fmt.Sprintf("in the upper bits of the mark word (compact headers), base %#x, shift %d",
			h.klassBase, h.classShift)
	}
	return references, classes
}
