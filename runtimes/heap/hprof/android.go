package hprof

import (
	"cmp"
	"math"
	"slices"

	"coredbg/runtimes/heap/hprof/format"
)

// How Android's writer makes up identifiers.
const (
	alignment      = 8
	overheadID     = 1             // of a class: the array of its bytes that are not fields
	internalID     = alignment / 2 // the array of the objects that a class loader or dex cache keeps
	stringData     = 16            // of a string: its characters, which it has itself
	androidHeader  = 8
	androidElement = 12 // where the elements of an array begin
)

// fold gives the arrays that stand for a part of another object to that object: the characters of a
// string, the other bytes of a class, the objects that a class loader keeps.
func (r *reader) fold() {
	var owner object // the last one that was kept
	c := newCursor(r.src, r.idSize, 0, r.end)
	r.objects.keep(func(o object, kept int) bool {
		if kept > 0 {
			bytes, ok := r.partOf(&owner, &o, &c)
			if bytes > 0 {
				r.addFolded(int32(kept-1), bytes)
			}
			if ok {
				return false
			}
		}
		owner = o
		return true
	})
}

// A folded is the bytes that were folded into an object.
type folded struct {
	object int32
	bytes  uint32
}

func (r *reader) addFolded(n int32, bytes uint64) {
	if k := len(r.folded) - 1; k >= 0 && r.folded[k].object == n {
		bytes += uint64(r.folded[k].bytes)
		r.folded = r.folded[:k]
	}
	r.folded = append(r.folded, folded{n, uint32(min(bytes, math.MaxUint32))})
}

// foldedInto returns the bytes that were folded into an object.
func (d *Dump) foldedInto(n int32) uint64 {
	k, ok := slices.BinarySearchFunc(d.folded, n, func(f folded, n int32) int { return cmp.Compare(f.object, n) })
	if !ok {
		return 0
	}
	return uint64(d.folded[k].bytes)
}

// partOf reports whether an array is a part of the object in front of it, and the size of that part in
// bytes.
func (r *reader) partOf(owner, o *object, c *cursor) (uint64, bool) {
	k := &r.kinds[o.kind]
	switch o.id - owner.id {
	case overheadID:
		if owner.kind != kindClass || o.kind != int32(format.TypeByte) {
			return 0, false
		}
		return uint64(r.length(o, c)), true
	case internalID:
		if !k.array {
			return 0, false
		}
		r.held[owner.id] = o.off
		return 0, true
	case alignment, stringData:
		s := &r.kinds[owner.kind]
		if o.kind >= firstKind || o.kind == kindClass || s.class == nil || s.name != stringClass {
			return 0, false
		}
		if r.valueOf(owner) != o.id {
			return 0, false
		}
		return uint64(r.length(o, c)) * uint64(format.BasicType(o.kind).Size(r.idSize)), true
	}
	return 0, false
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
	c := newCursor(d.src, d.idSize, 0, d.end)
	n := d.length(o, &c)
	for _, f := range k.fields {
		if f.typ == typ && d.string(f.name) == name && uint64(f.off)+uint64(typ.Size(d.idSize)) <= uint64(n) {
			c.seek(d.values(o) + int64(f.off))
			return c, true
		}
	}
	return cursor{}, false
}

// length returns the elements of an array, or the bytes of an instance's values; 0 for a class.
func (d *Dump) length(o *object, c *cursor) uint32 {
	if o.kind == kindClass {
		return 0
	}
	c.seek(o.off + 4)
	if o.kind >= firstKind && !d.kinds[o.kind].array {
		c.id()
	}
	return c.u4()
}

// values returns where an instance's values begin.
func (d *Dump) values(o *object) int64 { return o.off + 8 + int64(d.idSize) }
