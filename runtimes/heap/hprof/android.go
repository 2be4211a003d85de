package hprof

import "coredbg/runtimes/heap/hprof/format"

// How Android's writer makes up identifiers.
const (
	alignment      = 8
	overheadID     = 1             // of a class: the array of its bytes that are not fields
	internalID     = alignment / 2 // of a class loader or dex cache: the array of what it keeps
	stringData     = 16            // of a string: its characters, which it has itself
	androidHeader  = 8
	androidElement = 12 // where the elements of an array begin
)

// fold gives the arrays that stand for a part of another object to that object: the characters
// of a string, the other bytes of a class, what a class loader keeps.
func (r *reader) fold() {
	kept := r.objects[:0]
	owner := -1 // the last object, as kept has it
	for _, o := range r.objects {
		if owner >= 0 && r.partOf(&kept[owner], &o) {
			continue
		}
		kept = append(kept, o)
		owner = len(kept) - 1
	}
	r.objects = kept
}

// partOf adds an array to its owner, the object in front of it; false if it is one of its own.
func (r *reader) partOf(owner, o *object) bool {
	k := &r.kinds[o.kind]
	switch o.id - owner.id {
	case overheadID:
		if owner.kind != kindClass || o.kind != int32(format.TypeByte) {
			return false
		}
		owner.size += uint64(o.n)
		return true
	case internalID:
		if !k.array {
			return false
		}
		r.held[owner.id] = o.off
		return true
	case alignment, stringData:
		s := &r.kinds[owner.kind]
		if o.kind >= firstKind || o.kind == kindClass || s.class == nil || s.name != stringClass {
			return false
		}
		if r.valueOf(owner) != o.id {
			return false
		}
		owner.size += uint64(o.n) * uint64(format.BasicType(o.kind).Size(r.idSize))
		return true
	}
	return false
}

const stringClass = "java.lang.String"

// valueOf returns what the field value of a string refers to, 0 if there is none.
func (d *Dump) valueOf(o *object) uint64 {
	if c, ok := d.stringField(o, "value", format.TypeObject); ok {
		return c.id()
	}
	return 0
}

// stringField returns a cursor at the value of a field that java.lang.String declares: the
// dump may not have that class, the field, or its value.
func (d *Dump) stringField(o *object, name string, typ format.BasicType) (cursor, bool) {
	k := d.kinds[o.kind].class
	if k == nil {
		return cursor{}, false
	}
	for _, f := range k.fields {
		if f.typ == typ && d.string(f.name) == name && uint64(f.off)+uint64(typ.Size(d.idSize)) <= uint64(o.n) {
			return newCursor(d.src, d.idSize, d.values(o)+int64(f.off), d.end), true
		}
	}
	return cursor{}, false
}

// values returns where an instance's values begin.
func (d *Dump) values(o *object) int64 { return o.off + 8 + int64(d.idSize) }
