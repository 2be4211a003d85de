package object

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Class is a Klass: a class, an interface, or a type of arrays.
type Class struct {
	Addr core.Addr // of the Klass
	// Name is the class as Java writes it: "java.util.Map$Entry", "int[]".
	Name  string
	Super core.Addr // its superclass's Klass; 0 for java.lang.Object and interfaces
	// Element is the Klass of the elements of a type of arrays of objects, Primitive their type in other arrays.
	Element   core.Addr
	Primitive java.Primitive
	// ElementSize is the bytes of an element if it is a type of arrays.
	ElementSize uint64
	// Mirror is the java.lang.Class, which has the static fields; 0 if it is not known.
	Mirror core.Addr
	// Loader is the class loader; 0 if the virtual machine itself has loaded it.
	Loader core.Addr
	// Own is set of a hidden class that its loader does not keep, but its java.lang.Class alone.
	Own    bool
	Access uint32 // Klass::_access_flags, as a class file has them
	// State is InstanceKlass::_init_state in words: "initialized"; "" of arrays.
	State string

	size    uint64 // of instances
	header  int64  // of arrays: where the elements begin
	mirrors bool   // it is java.lang.Class
	chunks  bool   // it is jdk.internal.vm.StackChunk
	array   bool

	once   sync.Once
	fields []Field
	why    error // why not all fields are known

	javaOnce sync.Once
	java     *java.Class
}

// IsArray reports whether it is a type of arrays.
func (c *Class) IsArray() bool { return c.array }

// Bits of access flags.
const (
	accInterface = 0x0200
	accStatic    = 0x0008
	accEnum      = 0x4000
)

// IsInterface reports whether it is an interface.
func (c *Class) IsInterface() bool { return c.Access&accInterface != 0 }

// IsEnum reports whether it is an enum.
func (c *Class) IsEnum() bool { return c.Access&accEnum != 0 }

// IsMirror reports whether objects of the class are classes: it is java.lang.Class.
func (c *Class) IsMirror() bool { return c.mirrors }

// ObjectSize returns the bytes of an object of the class; 0 of arrays, java.lang.Class, stack chunks,
// interfaces and abstract classes, whose objects differ or do not exist.
func (c *Class) ObjectSize() uint64 {
	if c.array || c.mirrors || c.chunks {
		return 0
	}
	return c.size
}

// Bounds of a class: its superclasses, fields and interfaces.
const (
	maxSupers     = 1 << 10
	maxFields     = 1 << 16
	maxInterfaces = 1 << 16
)

var errNoClass = errors.New("no class is there")

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
	k.Access = uint32(h.klassAccess.Int(c, at)) & accessMask
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

// Methods returns the methods that a class itself declares. With an error come the methods that can be read.
func (r *ClassReader) Methods(c *Class) ([]*Method, error) {
	if c.array || r.h.methods < 0 || r.h.wordsData < 0 {
		return nil, nil
	}
	cu := r.Process.Cursor()
	list := cu.Pointer(c.Addr.Add(r.h.methods))
	n := int32(cu.U32(list))
	if err := cu.Err(); err != nil {
		return nil, fmt.Errorf("hotspot: methods of %s: %w", c.Name, err)
	}
	if n < 0 || n > 1<<16 {
		return nil, fmt.Errorf("hotspot: methods of %s: %d of them cannot be", c.Name, n)
	}
	var out []*Method
	var first error
	for i := range int64(n) {
		m, err := r.Method(cu.Pointer(list.Add(r.h.wordsData + 8*i)))
		if err != nil {
			first = cmpErr(first, err)
			continue
		}
		out = append(out, m)
	}
	return out, first
}

// cmpErr returns the first error that is one.
func cmpErr(first, err error) error {
	if first != nil {
		return first
	}
	return err
}

// Mirrored returns the class that a java.lang.Class stands for. That of a primitive type has no Klass: its
// name alone is known, by the class of its arrays; "void" has no such class.
func (r *Reader) Mirrored(o Object) (c *Class, primitive string, ok bool) {
	if o.Class == nil || !o.Class.mirrors || r.h.mirrorKlass < 0 {
		return nil, "", false
	}
	cu := r.Process.Cursor()
	at := cu.Pointer(o.Addr.Add(r.h.mirrorKlass))
	if cu.Err() != nil {
		return nil, "", false
	}
	if at != 0 {
		k, err := r.Class(at)
		return k, "", err == nil
	}
	if r.h.mirrorArray < 0 {
		return nil, "", false
	}
	at = cu.Pointer(o.Addr.Add(r.h.mirrorArray))
	if cu.Err() != nil {
		return nil, "", false
	}
	if at == 0 {
		return nil, "void", true
	}
	k, err := r.Class(at)
	if err != nil {
		return nil, "", false
	}
	return nil, strings.TrimSuffix(k.Name, "[]"), true
}
