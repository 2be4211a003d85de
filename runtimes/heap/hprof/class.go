package hprof

import (
	"strings"

	"coredbg/runtimes/heap/hprof/format"
)

// A class is a CLASS_DUMP.
type class struct {
	id, super  uint64
	parent     *class
	fields     []field // its own
	values     uint32  // bytes of these in an instance
	instance   uint32  // bytes of an instance: all of them in an Android dump, only the fields in HotSpot's
	statics    uint32  // bytes of the static fields that are not references
	staticRefs uint32
	depth      int
}

// A field is an instance field.
type field struct {
	name uint64
	off  uint32 // in the values of its class
	typ  format.BasicType
	weak bool
}

// A kind is what objects of one type number are: the first ones arrays of the basic type with
// that number, and classes.
type kind struct {
	id    uint64 // of the class
	name  string
	class *class // nil for arrays, and if the dump does not have it
	array bool   // of objects
}

const (
	kindClass  = 1
	firstKind  = int32(format.TypeLong) + 1
	maxDepth   = 256 // of super classes
	classClass = "java.lang.Class"
)

// addPrimitives makes the kinds that need no class.
func (r *reader) addPrimitives() {
	r.kinds = make([]kind, firstKind)
	r.kinds[kindClass].name = classClass
	for t, name := range typeNames {
		r.kinds[t].name = name + "[]"
	}
	r.kinds[kindClass].name = classClass
}

// kindOf numbers the instances of a class.
func (r *reader) kindOf(class uint64, array bool) int32 {
	n, ok := r.number[class]
	if !ok && r.c.err == nil {
		n = int32(len(r.kinds))
		r.number[class] = n
		r.kinds = append(r.kinds, kind{id: class, array: array})
	}
	return n
}

// linkClasses names kinds and finds their super classes.
func (r *reader) linkClasses() {
	for id, k := range r.classes {
		if k.super != id {
			k.parent = r.classes[k.super]
		}
		switch r.className(id) {
		case classClass:
			r.meta = k
		case "java.lang.ref.Reference":
			for i := range k.fields {
				k.fields[i].weak = r.string(k.fields[i].name) == "referent"
			}
		}
	}
	for i := range r.kinds[firstKind:] {
		k := &r.kinds[int(firstKind)+i]
		k.name = r.className(k.id)
		if !k.array {
			k.class = r.classes[k.id]
		}
	}
	for _, k := range r.classes {
		for p := k; p != nil && k.depth < maxDepth; p = p.parent {
			k.depth++
		}
	}
}

// chain calls visit for each field of an instance, with where its value is; the first are those
// of its own class.
func (k *class) chain(visit func(f *field, off uint32) bool) {
	base := uint32(0)
	for range maxDepth {
		if k == nil {
			return
		}
		for i := range k.fields {
			if !visit(&k.fields[i], base+k.fields[i].off) {
				return
			}
		}
		base += k.values
		k = k.parent
	}
}

// maxText bounds the bytes of a string that are read.
const maxText = 4096

// string returns a string of the file, cut at maxText.
func (d *Dump) string(id uint64) string {
	s, ok := d.text[id]
	if !ok {
		return ""
	}
	c := newCursor(d.src, d.idSize, s.off, d.end)
	return strings.ToValidUTF8(string(c.bytes(min(int(s.n), maxText))), "\ufffd")
}

// className returns the name of a class as Java writes it: HotSpot has "[Ljava/lang/Object;",
// Android "java.lang.Object[]".
func (d *Dump) className(id uint64) string {
	name := d.string(d.names[id])
	dims := 0
	for dims < len(name) && name[dims] == '[' {
		dims++
	}
	name = strings.ReplaceAll(name, "/", ".")
	name = strings.Replace(name, "+0x", "/0x", 1) // a hidden class
	if dims > 0 {
		name = elementName(name[dims:]) + strings.Repeat("[]", dims)
	}
	if name == "" {
		return "(class without a name)"
	}
	return name
}

// elementName returns what a descriptor stands for.
func elementName(s string) string {
	if name, ok := strings.CutPrefix(s, "L"); ok {
		return strings.TrimSuffix(name, ";")
	}
	if i := strings.IndexAny("ZCFDBSIJ", s); len(s) == 1 && i >= 0 {
		return typeNames[int(format.TypeBoolean)+i]
	}
	return s
}

// staticSize returns the bytes of the static fields, given the size of a reference.
func (k *class) staticSize(reference uint64) uint64 {
	return uint64(k.statics) + uint64(k.staticRefs)*reference
}
