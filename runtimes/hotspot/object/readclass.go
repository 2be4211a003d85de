package object

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// Class returns the class whose Klass is at an address. It is checked: what is there has the name of a class, and its
// java.lang.Class, if the core has it, leads back.
func (r *ClassReader) Class(at core.Addr) (*Class, error) {
	r.mu.Lock()
	c, ok := r.classes[at]
	r.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := r.readClass(at)
	if err != nil {
		return nil, fmt.Errorf("hotspot: Klass %v: %w", at, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if have := r.classes[at]; have != nil {
		return have, nil
	}
	r.classes[at] = c
	return c, nil
}

// Parts of Klass::_layout_helper (share/oops/klass.hpp): of instances their size, of arrays, whose sign is
// set, where elements begin and the logarithm of their size.
const (
	slowPath      = 1
	headerShift   = 16
	headerMask    = 0xff
	elementMask   = 0x3f
	maxElementLog = 3
)

func (r *ClassReader) readClass(at core.Addr) (*Class, error) {
	h := &r.h
	if at == 0 || at%8 != 0 || h.layoutHelper.Type == "" || h.super.Type == "" {
		return nil, errNoClass
	}
	c := r.Process.Cursor()
	k := &Class{Addr: at}
	helper := int32(c.U32(at.Add(h.layoutHelper.Offset)))
	k.Super = c.Pointer(at.Add(h.super.Offset))
	// above them JDK 17 has flags of its own, 25 another member
	switch {
	case h.klassAccess.Type != "":
		k.Access = uint32(h.klassAccess.Int(c, at)) & accessMask
	case h.instanceAccess.Type != "" && helper >= 0:
		k.Access = uint32(h.instanceAccess.Int(c, at)) & accessMask
	}
	symbol, ok := r.Symbol(c.Pointer(at.Add(r.o.klassName)))
	if err := c.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoClass
	}
	k.Name = External(symbol) + r.suffix(at)
	if helper < 0 {
		if err := r.readArrayClass(c, k, symbol, uint32(helper)); err != nil {
			return nil, err
		}
	} else {
		k.size = uint64(helper &^ slowPath)
		k.mirrors, k.chunks = symbol == "java/lang/Class", symbol == "jdk/internal/vm/StackChunk"
		k.State = r.stateWord(h.initState.Int(c, at))
	}
	if !r.leadsBack(k) {
		return nil, errNoClass
	}
	if h.loaderData >= 0 && h.loader >= 0 {
		data := c.Pointer(at.Add(h.loaderData))
		if c.Reset() == nil && data != 0 {
			k.Loader, _ = r.Handle(data.Add(h.loader), r.loaderType)
			if h.ownLoader >= 0 {
				k.Own = c.U8(data.Add(h.ownLoader)) != 0
				c.Reset()
			}
		}
	} else if off := r.mirrorLoader(k); off > 0 {
		k.Loader, _ = r.Ref(k.Mirror.Add(off))
	}
	return k, nil
}

// readArrayClass reads what types of arrays have.
func (r *ClassReader) readArrayClass(c *core.Cursor, k *Class, symbol string, helper uint32) error {
	k.array, k.Name = true, java.TypeName(symbol)
	k.header = int64(helper >> headerShift & headerMask)
	log := helper & elementMask
	if symbol[0] != '[' || log > maxElementLog || k.header < 8 {
		return errNoClass
	}
	k.ElementSize = 1 << log
	if k.Primitive = java.PrimitiveOf(symbol[1:]); k.Primitive == java.NotPrimitive && r.h.elementKlass >= 0 {
		k.Element = c.Pointer(k.Addr.Add(r.h.elementKlass))
	}
	return c.Err()
}

// leadsBack finds a class's java.lang.Class and reports false if that leads to another class.
func (r *ClassReader) leadsBack(k *Class) bool {
	h := &r.h
	if h.mirror.Type == "" || h.mirrorKlass < 0 {
		return true
	}
	mirror, ok := r.Handle(k.Addr.Add(h.mirror.Offset), h.mirror.Type)
	if !ok || mirror == 0 || mirror%Alignment != 0 {
		return true
	}
	c := r.Process.Cursor()
	back := c.Pointer(mirror.Add(h.mirrorKlass))
	if c.Err() != nil {
		return true
	}
	k.Mirror = mirror
	return back == k.Addr
}

// states are words for InstanceKlass::ClassState, by the names of its constants.
var states = map[string]string{
	"allocated": "allocated", "loaded": "loaded", "being_linked": "being linked", "linked": "linked",
	"being_initialized": "being initialized", "fully_initialized": "initialized", "initialization_error": "in error",
}

// stateWord returns the word for a state, whose number the tables say.
func (r *ClassReader) stateWord(n int64) string {
	for name, word := range states {
		if v, ok := r.Constant("InstanceKlass::" + name); ok && v == n {
			return word
		}
	}
	return fmt.Sprintf("state %d", n)
}

// Supers returns the superclasses of a class, the nearest first. A chain that comes back to itself ends.
func (r *ClassReader) Supers(c *Class) []*Class {
	var chain []*Class
	for at := c.Super; at != 0 && len(chain) < maxSupers; {
		s, err := r.Class(at)
		if err != nil || s == c || slices.Contains(chain, s) {
			break
		}
		chain, at = append(chain, s), s.Super
	}
	return chain
}

// IsA reports whether a class has a name, or a superclass or an interface of that name.
func (r *ClassReader) IsA(c *Class, name string) bool {
	for _, s := range append([]*Class{c}, r.Supers(c)...) {
		if s.Name == name {
			return true
		}
	}
	return slices.ContainsFunc(r.Interfaces(c), func(i *Class) bool { return i.Name == name })
}

// Interfaces returns all interfaces that a class implements (InstanceKlass::_transitive_interfaces).
func (r *ClassReader) Interfaces(c *Class) []*Class {
	if c.array || r.h.transitiveInterfaces < 0 || r.h.wordsData < 0 {
		return nil
	}
	cu := r.Process.Cursor()
	list := cu.Pointer(c.Addr.Add(r.h.transitiveInterfaces))
	n := int32(cu.U32(list))
	if cu.Err() != nil || n < 0 || n > maxInterfaces {
		return nil
	}
	var out []*Class
	for i := range int64(n) {
		at := cu.Pointer(list.Add(r.h.wordsData + 8*i))
		if cu.Err() != nil {
			break
		}
		if k, err := r.Class(at); err == nil {
			out = append(out, k)
		}
	}
	return out
}
