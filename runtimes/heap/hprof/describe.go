package hprof

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// maxShown is how many characters of a string are shown.
const maxShown = 60

// Describe says what an object is: the text of a string, the length of an array, the name of
// a class.
func (d *Dump) Describe(at core.Addr) string {
	n, ok := d.objectAt(at)
	if !ok {
		return ""
	}
	o := d.objects.at(int(n))
	k := &d.kinds[o.kind]
	c := newCursor(d.src, d.idSize, 0, d.end)
	switch {
	case o.kind == kindClass:
		return "class " + d.className(o.id)
	case o.kind < firstKind || k.array:
		return strings.Replace(k.name, "[]", fmt.Sprintf("[%d]", d.length(&o, &c)), 1)
	case k.name == stringClass:
		if s, ok := d.stringText(&o); ok {
			return strconv.Quote(s)
		}
	}
	return k.name
}

// stringText returns the characters of a java.lang.String, the first ones.
func (d *Dump) stringText(o *object) (string, bool) {
	value := d.valueOf(o)
	if value == 0 {
		return "", false
	}
	c := newCursor(d.src, d.idSize, 0, d.end)
	if n, ok := d.find(value); ok {
		c.seek(d.objects.at(int(n)).off)
	} else if c.seek(d.values(o) + int64(d.length(o, &c))); c.u1() != format.PrimitiveArrayDump || c.id() != value {
		return "", false
	}
	c.skip(4)
	n, t := c.u4(), format.BasicType(c.u1())
	if t != format.TypeChar && t != format.TypeByte {
		return "", false
	}
	size := t.Size(d.idSize)
	b := c.bytes(int(min(uint64(n)*uint64(size), 2*maxShown+2)))
	var units []uint16
	switch {
	case t == format.TypeChar:
		for i := 0; i+1 < len(b); i += 2 {
			units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
		}
	case d.coder(o) != 0: // UTF-16 in the order of the machine that ran it: little-endian
		for i := 0; i+1 < len(b); i += 2 {
			units = append(units, uint16(b[i+1])<<8|uint16(b[i]))
		}
	default:
		for _, x := range b {
			units = append(units, uint16(x))
		}
	}
	if len(units) > maxShown {
		return string(utf16.Decode(units[:maxShown])) + "…", c.err == nil
	}
	return string(utf16.Decode(units)), c.err == nil
}

// coder returns the field that says how a string's bytes are to be taken.
func (d *Dump) coder(o *object) uint64 {
	if c, ok := d.stringField(o, "coder", format.TypeByte); ok {
		return uint64(c.u1())
	}
	return 0
}

// named says which reference of an object it is.
func (d *Dump) named(x reference, of *object) heap.Reference {
	r := heap.Reference{Kind: x.kind, Name: x.name}
	switch x.kind {
	case heap.Field, heap.StaticField:
		r.Name = d.string(x.field)
	case heap.Element:
		return heap.ElementAt(uint64(x.index))
	}
	if x.kind == heap.StaticField {
		r.Class = d.className(of.id)
	}
	return r
}

// References visits all references of an object, weak ones too.
func (d *Dump) References(at core.Addr, _ uint64, visit func(heap.Edge)) {
	n, ok := d.objectAt(at)
	if !ok {
		return
	}
	o := d.objects.at(int(n))
	d.Reader().(*objectReader).refs(n, func(x reference) bool {
		if t, ok := d.find(x.to); ok {
			visit(heap.Edge{Reference: d.named(x, &o), To: addr(t), Weak: x.weak})
		}
		return true
	})
}

// Steps describes a way: of several references between two objects, the first strong one is
// named.
func (d *Dump) Steps(path []core.Addr) []heap.Step {
	steps := make([]heap.Step, len(path))
	r := d.Reader().(*objectReader)
	for i, at := range path {
		steps[i].Class = d.Describe(at)
		n, ok := d.objectAt(at)
		if i == 0 || !ok {
			continue
		}
		from, ok := d.objectAt(path[i-1])
		if !ok {
			continue
		}
		holder := d.objects.at(int(from))
		r.refs(from, func(x reference) bool {
			if x.to != d.objects.id(int(n)) || x.weak {
				return true
			}
			steps[i].Reference = d.named(x, &holder)
			return false
		})
	}
	return steps
}
