package object

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A ClassField is a field of one of V8's classes.
type ClassField struct {
	Name     string // as V8 spells it: "name_or_scope_info"
	Type     string // its C++ type, "" if unknown
	Offset   int    // bytes from the untagged object
	Supplier layout.Supplier
}

// A ClassInfo is one of V8's classes of heap objects, as far as it is known.
type ClassInfo struct {
	Name   string
	Parent string // "" for HeapObject
	Fields []ClassField
}

// untaggedTypes are C++ types of fields that hold no tagged word, with their
// bytes.
var untaggedTypes = map[string]int{
	"char": 1, "int8_t": 1, "uint8_t": 1, "uint16_t": 2, "int16_t": 2, "int": 4, "int32_t": 4, "uint32_t": 4,
	"size_t": 8, "uintptr_t": 8, "Address": 8, "double": 8, "JSDispatchHandle": 4, "ExternalPointer_t": 8,
	"CppHeapPointer_t": 8,
}

// handleTypes are the types that are handles of 4 bytes with the sandbox. The second one is a
// handle wherever pointers are compressed.
var handleTypes = []string{"ExternalPointer_t", "CppHeapPointer_t"}

// FieldSize returns the bytes of a field.
func (r *Reader) FieldSize(f *ClassField) int {
	if i := slices.Index(handleTypes, f.Type); i >= 0 && (r.Sandbox != nil || i == 1 && r.Compressed()) {
		return 4
	}
	if n, ok := untaggedTypes[f.Type]; ok {
		return n
	}
	return r.SlotSize()
}

// Tagged reports whether the field holds a tagged word.
func (f *ClassField) Tagged() bool { return untaggedTypes[f.Type] == 0 }

// factClasses are the classes of Layout whose facts are offsets of fields,
// with the C++ types of fields without a tagged word; "-" marks fields of other classes, and
// bits.
var factClasses = map[string]map[string]string{
	"String": {"Length": "int32_t", "OneByteChars": "-", "TwoByteChars": "-", "ConsFirst": "-", "ConsSecond": "-",
		"SlicedParent": "-",
		"SlicedOffset": "-", "ThinActual": "-", "ExternalResource": "-", "ExternalData": "-"},
	"Map": {"InstanceSize": "char", "InObjectStart": "char", "InstanceType": "uint16_t",
		"BitField": "char", "BitField2": "char", "BitField3": "uint32_t"},
	"JSFunction": {}, "SharedFunctionInfo": {"Flags": "uint32_t", "Parameters": "uint16_t", "Length": "uint16_t",
		"FunctionTokenOffset": "int16_t"},
	"JSReceiver": {}, "JSObject": {"InternalFields": "-"}, "AccessorPair": {}, "PropertyCell": {},
	"Symbol": {"Flags": "uint32_t"}, "BigInt": {"Bitfield": "uint32_t", "Digits": "uintptr_t"},
	"HeapNumber": {"Value": "double"},
	"JSArray":    {}, "JSArrayIterator": {}, "JSBoundFunction": {}, "JSProxy": {}, "JSWeakRef": {},
	"JSPrimitiveWrapper": {},
	"JSDate":             {}, "JSRegExp": {}, "JSArrayBuffer": {"BackingStore": "uintptr_t", "ByteLength": "size_t",
		"MaxByteLength": "size_t", "Extension": "uintptr_t", "BitField": "uint32_t"},
	"JSArrayBufferView": {"ByteOffset": "size_t", "ByteLength": "size_t", "BitField": "-"},
	"JSTypedArray":      {"ExternalPointer": "uintptr_t", "BitField": "-"},
	"JSModuleNamespace": {}, "Module": {}, "Cell": {}, "ContextCell": {"State": "uint32_t", "Double": "double"},
	"JSPromise": {}, "PromiseReaction": {}, "JSGeneratorObject": {}, "Script": {"Flags": "-"},
	"UncompiledData": {"StartPosition": "int32_t", "EndPosition": "int32_t"}, "InterpreterData": {}, "BaselineData": {},
	"BytecodeArray": {"FrameSize": "int32_t", "ParameterSize": "uint16_t", "Data": "-"},
}

// parents are the parents of classes that V8's constants no longer name.
var parents = map[string]string{
	"JSReceiver": "HeapObject", "JSObject": "JSReceiver", "JSProxy": "JSReceiver",
	"JSTypedArray": "JSArrayBufferView", "JSDataView": "JSArrayBufferView", "JSArrayBufferView": "JSObject",
	"JSAsyncFunctionObject": "JSGeneratorObject", "JSAsyncGeneratorObject": "JSGeneratorObject",
	"FixedArray": "FixedArrayBase", "FixedDoubleArray": "FixedArrayBase", "ByteArray": "FixedArrayBase",
	"ConsString": "String", "SlicedString": "String", "ThinString": "String", "ExternalString": "String",
	"SeqOneByteString": "String", "SeqTwoByteString": "String", "InternalizedString": "String", "String": "Name",
	"Symbol": "Name",
}

// Classes returns V8's classes by name, with the fields that the constants or
// the tables say. The caller must not change them.
func (r *Reader) Classes() []ClassInfo {
	if known := r.caches.infos.Load(); known != nil {
		return *known
	}
	infos := r.classInfos()
	r.caches.infos.Store(&infos)
	return infos
}

// classInfos makes what Classes returns.
func (r *Reader) classInfos() []ClassInfo {
	byName := map[string]*ClassInfo{}
	class := func(name string) *ClassInfo {
		c := byName[name]
		if c == nil {
			c = &ClassInfo{Name: name, Parent: r.parentOf(name)}
			byName[name] = c
		}
		return c
	}
	for _, name := range r.Image.ConstantNames() {
		if rest, ok := strings.CutPrefix(name, "type_"); ok {
			owner, _, _ := strings.Cut(rest, "__")
			class(owner)
			continue
		}
		rest, ok := strings.CutPrefix(name, "class_")
		part := strings.SplitN(rest, "__", 3)
		if !ok || len(part) != 3 || strings.HasSuffix(part[1], "_offset") || part[1] == "internal_fields" ||
			part[2] == "void" {
			continue
		}
		c := class(part[0])
		c.add(ClassField{Name: part[1], Type: cppType(part[2]), Offset: r.Image.Constants.Values[name],
			Supplier: r.Image.Constants.Supplier()})
	}
	for _, f := range r.Layout.Facts() {
		types, ok := factClasses[f.Class]
		if !ok || types[f.Field] == "-" || !layout.IsOffset(f.Class, f.Field) || f.Value == layout.Unknown ||
			f.Supplier == layout.FromSymbol {
			continue
		}
		c, field := class(f.Class), ClassField{Name: snake(f.Field), Type: types[f.Field], Offset: f.Value,
			Supplier: f.Supplier}
		if seen(f.Supplier) {
			c.replace(&field)
		}
		c.add(field)
	}
	class("HeapObject").add(ClassField{Name: "map", Type: "Map", Supplier: layout.FromRow})
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		for parent := byName[name].Parent; parent != "" && byName[parent] == nil; {
			parent = class(parent).Parent
		}
	}
	var out []ClassInfo
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		byName[name].untagUnaligned(r.SlotSize())
		out = append(out, *byName[name])
	}
	return out
}

// untagUnaligned gives fields that lie where no tagged word does the type of as many bytes as
// there are up to the next one: Torque's structs of bits have names of their own.
func (c *ClassInfo) untagUnaligned(slot int) {
	for i := range c.Fields {
		f := &c.Fields[i]
		if !f.Tagged() || f.Offset%slot == 0 {
			continue
		}
		end := (f.Offset/slot + 1) * slot
		if i+1 < len(c.Fields) {
			end = min(end, c.Fields[i+1].Offset)
		}
		f.Type = map[int]string{2: "uint16_t", 4: "uint32_t"}[end-f.Offset]
		if f.Type == "" {
			f.Type = "uint8_t"
		}
	}
}

// seen reports whether a value was found for this core, and not for its version.
func seen(by layout.Supplier) bool { return by == layout.FromProbe || by == layout.FromHand }

// replace removes the field of the same name, which f says lies elsewhere, and takes
// its type over.
func (c *ClassInfo) replace(f *ClassField) {
	c.Fields = slices.DeleteFunc(c.Fields, func(g ClassField) bool {
		if g.Name == f.Name {
			f.Type = g.Type
		}
		return g.Name == f.Name
	})
}

// add adds a field unless there is one at its offset, whose type it may tell. A field that was seen
// in this core replaces it.
func (c *ClassInfo) add(f ClassField) {
	i := slices.IndexFunc(c.Fields, func(g ClassField) bool { return g.Offset >= f.Offset })
	if i < 0 {
		c.Fields = append(c.Fields, f)
		return
	}
	if c.Fields[i].Offset != f.Offset {
		c.Fields = slices.Insert(c.Fields, i, f)
	} else if seen(f.Supplier) {
		c.Fields[i] = f
	} else if old := &c.Fields[i]; old.Type == "" || old.Tagged() && !f.Tagged() {
		old.Type = f.Type // tables for compressed pointers say none, and Torque's structs have other names in C++
	}
}

// parentOf returns the parent of a class: as a parent_ constant says, or as
// it has been in all versions.
func (r *Reader) parentOf(name string) string {
	prefix := "parent_" + name + "__"
	names := r.Image.ConstantNames()
	if i := sort.SearchStrings(names, prefix); i < len(names) && strings.HasPrefix(names[i], prefix) {
		parent := strings.TrimPrefix(names[i], prefix)
		if !strings.HasPrefix(parent, "TaggedImpl") && parent != "Object" {
			return parent
		}
		return ""
	}
	if p, ok := parents[name]; ok {
		return p
	}
	switch {
	case name == "HeapObject":
		return ""
	case strings.HasPrefix(name, "JS"):
		return "JSObject"
	}
	return "HeapObject"
}

// memberTypes are the types of members that wrap another type, and the text shown instead
// (objects/tagged-field.h, objects/heap-object.h).
var memberTypes = []struct{ prefix, is string }{
	{"UnalignedDoubleMember", "double"}, {"JSDispatchHandleMember", "JSDispatchHandle"},
	{"ExternalPointerMember", "ExternalPointer_t"},
	{"CppHeapPointerMember", "CppHeapPointer_t"},
}

// torqueTypes are the types of Torque's fields that hold no tagged word, as C++ has them.
var torqueTypes = map[string]string{
	"int8": "int8_t", "uint8": "uint8_t", "bool": "uint8_t", "char8": "char", "int16": "int16_t", "uint16": "uint16_t",
	"char16": "uint16_t",
	"int32":  "int32_t", "uint32": "uint32_t", "NameHash": "uint32_t", "intptr": "uintptr_t", "uintptr": "uintptr_t",
	"float64": "double", "float64_or_hole": "double",
}

// cppType makes the type in a constant's name readable: "Tagged_Object_" is
// Object, "Tagged_UnionOf_Smi_Map" is Smi|Map, "std_atomic_uint8_t" is uint8_t.
func cppType(s string) string {
	for _, m := range memberTypes {
		if strings.HasPrefix(s, m.prefix) {
			return m.is
		}
	}
	for _, prefix := range []string{"TaggedMember_", "std_atomic_", "UnalignedValueMember_"} {
		s = strings.TrimPrefix(s, prefix)
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "Tagged_"), "_")
	if t, ok := torqueTypes[s]; ok {
		return t
	}
	if rest, ok := strings.CutPrefix(s, "UnionOf_"); ok {
		return strings.ReplaceAll(rest, "_", "|")
	}
	if s == "SMI" {
		return "Smi"
	}
	return s
}

// snake turns a name of Layout into V8's spelling.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) {
			if i > 0 && !unicode.IsUpper(rune(s[i-1])) {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// ClassOf returns V8's class of the heap object o: the one that its instance
// type belongs to, or the nearest that its shape shows.
func (r *Reader) ClassOf(o layout.Tagged) (string, error) {
	t, err := r.TypeOf(o)
	if err != nil {
		return "", err
	}
	switch {
	case t.Class != "":
		return t.Class, nil
	case r.IsFunction(o):
		return "JSFunction", nil
	case r.IsContext(o):
		return "Context", nil
	case t.Number < r.Layout.String.FirstNonstringType:
		return "String", nil
	case t.Number == r.Types.BigInt:
		return "BigInt", nil
	case t.Number >= r.Types.FirstReceiver:
		if s, err := r.Shape(o); err == nil && r.KindOf(o, s) == KindGenerator {
			return "JSGeneratorObject", nil
		}
		return "JSObject", nil
	}
	return "HeapObject", nil
}

// Slot reads the tagged field with number i from data on.
func (r *Reader) Slot(data core.Addr, i int) (layout.Tagged, error) {
	at := data.Add(int64(r.Slots(i)))
	w, ok := r.TaggedAt(at)
	if !ok {
		return 0, r.Fault(layout.Tag(at), 0)
	}
	return w, nil
}

// InstanceSize returns the bytes of the instances of o's map, 0 if they vary.
func (r *Reader) InstanceSize(o layout.Tagged) int {
	s, err := r.Shape(o)
	if err != nil {
		return 0
	}
	return r.Slots(s.size)
}

// SetField sets a fact of the layout by hand: the offset of a field of a
// class, both spelled as V8 or as Layout spells them.
func (r *Reader) SetField(class, field string, offset int) error {
	for _, f := range r.Layout.Facts() {
		if f.Class == class && (f.Field == field || snake(f.Field) == field) {
			r.Layout.SetByHand(f.Class, f.Field, offset)
			r.caches.forget()
			return nil
		}
	}
	return fmt.Errorf("v8: nothing depends on a field %q of a class %q", field, class)
}

// FieldWord reads the word of a field of o, of the field's size; one that is tagged as it is
// without compression.
func (r *Reader) FieldWord(o layout.Tagged, f *ClassField) (uint64, error) {
	var b [8]byte
	at := o.Addr().Add(int64(f.Offset))
	if _, err := r.Space.ReadAt(b[:r.FieldSize(f)], at); err != nil {
		return 0, err
	}
	if f.Tagged() {
		return uint64(r.Tagged(b[:], at)), nil
	}
	return r.Order.Uint64(b[:]), nil
}

// FixedArray returns where the words of an array of tagged words lie and how
// many there are.
func (r *Reader) FixedArray(o layout.Tagged) (data core.Addr, n int, err error) {
	name := ""
	if t, err := r.TypeOf(o); err == nil {
		name = t.Name
	}
	named := strings.Contains(name, "FIXED_ARRAY") && !strings.Contains(name, "DOUBLE") ||
		strings.Contains(name, "PROPERTY_ARRAY") || strings.Contains(name, "WEAK_ARRAY_LIST")
	n, ok := r.FixedLength(o)
	if strings.Contains(name, "PROPERTY_ARRAY") {
		raw, isSmi := r.SmiField(o, r.Layout.FixedArray.Length)
		n, ok = raw&0x3ff, isSmi
	}
	if r.IsContext(o) {
		n, ok = r.ContextLength(o)
	}
	// Hash tables, contexts and others have types without a name.
	if !ok || !named && !strings.HasPrefix(name, "instance type") && !r.IsContext(o) {
		return 0, 0, fmt.Errorf("v8: %v is not a FixedArray", core.Addr(o))
	}
	return o.Addr().Add(int64(r.Layout.FixedArray.Data)), n, nil
}

// A FrameType is a kind of stack frame with the marker that it has.
type FrameType struct {
	Marker int
	Name   string
}

// FrameTypes returns the kinds of frames that the image names, by marker.
func (r *Reader) FrameTypes() []FrameType {
	var out []FrameType
	for marker, name := range r.Markers {
		out = append(out, FrameType{marker, name})
	}
	slices.SortFunc(out, func(a, b FrameType) int { return a.Marker - b.Marker })
	return out
}
