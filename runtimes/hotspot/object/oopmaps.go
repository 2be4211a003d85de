package object

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// Bounds of an InstanceKlass's tables.
const (
	maxTable   = 1 << 16 // words of virtual and interface tables
	maxMapSize = 1 << 12 // words of oop maps
	maxMapRefs = 1 << 16
)

// RefOffsets returns where objects of a class have references, in order: the oop maps of its InstanceKlass,
// which are after the virtual table and the interface table (share/oops/instanceKlass.hpp: OopMapBlock, an
// offset and a count of 32 bits each). Reference.referent and Reference.discovered are not among them. Where
// the maps cannot be read the fields say it.
func (r *Reader) RefOffsets(c *Class) []uint32 {
	if c.array {
		return nil
	}
	if out, ok := r.oopMaps(c); ok {
		return out
	}
	var out []uint32
	for _, f := range r.InstanceFields(c) {
		if f.Reference() && (f.Class.Name != "java.lang.ref.Reference" ||
			f.Name != "referent" && f.Name != "discovered") {
			out = append(out, f.Offset)
		}
	}
	return out
}

func (r *Reader) oopMaps(c *Class) (out []uint32, ok bool) {
	t := r.Tables
	vtable, ok1 := t.Lookup("Klass._vtable_len", "InstanceKlass._vtable_len")
	itable, ok2 := t.Lookup("InstanceKlass._itable_len")
	maps, ok3 := t.Lookup("InstanceKlass._nonstatic_oop_map_size")
	size := t.Width("InstanceKlass")
	if !ok1 || !ok2 || !ok3 || size <= 0 {
		return nil, false
	}
	cu := r.Process.Cursor()
	before, n := vtable.Int(cu, c.Addr)+itable.Int(cu, c.Addr), maps.Int(cu, c.Addr)
	if cu.Err() != nil || before < 0 || before > maxTable || n < 0 || n > maxMapSize {
		return nil, false
	}
	at := c.Addr.Add((size + 7) &^ 7).Add(8 * before)
	for range n {
		offset, count := cu.U32(at), cu.U32(at+4)
		at += 8
		end := uint64(offset) + uint64(count)*r.RefSize()
		if cu.Err() != nil || uint64(offset)%r.RefSize() != 0 || end > max(c.size, 8) ||
			len(out)+int(count) > maxMapRefs {
			return nil, false
		}
		for i := range count {
			out = append(out, offset+i*uint32(r.RefSize()))
		}
	}
	slices.Sort(out)
	return out, true
}

// StaticRefs returns the static fields of a class that hold references.
func (r *Reader) StaticRefs(c *Class) (out []Field) {
	all, _ := r.Fields(c)
	for _, f := range all {
		if f.Static() && f.Reference() {
			out = append(out, f)
		}
	}
	return out
}

// ReferentOffset returns where objects of a class have Reference.referent; ok is false if it is not a class
// of references.
func (r *Reader) ReferentOffset(c *Class) (offset uint32, ok bool) {
	f, ok := r.InstanceField(c, "referent")
	if !ok || f.Class.Name != "java.lang.ref.Reference" || java.PrimitiveOf(f.Type) != java.NotPrimitive {
		return 0, false
	}
	return f.Offset, true
}

// ResolvedReferences returns the array of the objects that constants of a class have become, such as strings;
// 0 if there is no array. Its handle is in the cache of the constants, in JDK 8 in the ConstantPool itself.
func (r *Reader) ResolvedReferences(c *Class) core.Addr {
	if c.array || r.h.pool < 0 {
		return 0
	}
	cu := r.Process.Cursor()
	at := cu.Pointer(c.Addr.Add(r.h.pool))
	resolved, ok := r.Lookup("ConstantPool._resolved_references")
	if !ok {
		cache, ok1 := r.Optional("ConstantPool._cache")
		if resolved, ok = r.Lookup("ConstantPoolCache._resolved_references"); !ok || !ok1 {
			return 0
		}
		at = cu.Pointer(at.Add(cache))
	}
	if cu.Err() != nil || at == 0 {
		return 0
	}
	ref, _ := r.Handle(at.Add(resolved.Offset), resolved.Type)
	return ref
}

// A Header is what the first bytes of an object say, for walks over many.
type Header struct {
	Class *Class
	Size  uint64 // aligned; 0 if there is no object
}

// HeaderBytes is how many bytes of an object Header needs.
const HeaderBytes = 24

// Header reads the header of the object at an address, whose first bytes are b: as many as are there. Classes are
// remembered in near, which the caller keeps.
func (r *Reader) Header(b []byte, at core.Addr, near *Near) (h Header) {
	if len(b) < 8 || len(b) < 16 && !r.h.compactHeaders { // where dumped memory ends may be an object of one word
		return h
	}
	order := r.Process.Arch.Order
	var klass core.Addr
	switch {
	case r.h.compactHeaders && r.h.evacuation.Marks(order.Uint64(b)):
		klass = r.klassAt(r.Process.Cursor(), r.settled(at))
	case r.h.compactHeaders:
		klass = r.klassOf(uint32(order.Uint64(b) >> r.h.klassShift))
	case r.h.narrowKlass:
		klass = r.klassOf(order.Uint32(b[8:]))
	default:
		klass = core.Addr(order.Uint64(b[8:]))
	}
	if h.Class = near.class(r, klass); h.Class == nil {
		return h
	}
	k := h.Class
	n := k.size
	switch length := int(r.lengthAt()); {
	case k.array && len(b) < length+4:
		return h
	case k.array:
		elements := uint64(order.Uint32(b[length:]))
		if elements > maxLength {
			return h
		}
		n = uint64(k.header) + elements*k.ElementSize
	case k.mirrors && r.h.mirrorSize > 0:
		c := r.Process.Cursor()
		if n = 8 * uint64(c.U32(at.Add(r.h.mirrorSize))); c.Err() != nil {
			return h
		}
	case k.chunks:
		n = r.chunkSize(k, at)
	}
	if n >= Alignment && n <= maxObject {
		h.Size = (n + Alignment - 1) &^ (Alignment - 1)
	}
	return h
}

// A Near remembers classes by their address, for one goroutine.
type Near struct {
	addrs   [1 << 10]core.Addr
	classes [1 << 10]*Class
}

func (n *Near) class(r *Reader, at core.Addr) *Class {
	i := (at>>3 ^ at>>13) % core.Addr(len(n.addrs))
	if n.addrs[i] == at && at != 0 {
		return n.classes[i]
	}
	k, err := r.Class(at)
	if err != nil {
		return nil
	}
	n.addrs[i], n.classes[i] = at, k
	return k
}
