package object

import (
	"cmp"
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/java"
)

// A ClassReader reads classes and their fields. Names of classes are strings of the heap.
type ClassReader struct {
	*code.Index
	mirror mirror
}

// A Primitive is the value of Class.primitive_type_ of a class (libdexfile/dex/primitive.h), which numbers the
// types in the order of package java.
type Primitive = java.Primitive

// The primitive types; NotPrimitive is a class of objects.
const (
	NotPrimitive = java.NotPrimitive
	Boolean      = java.Boolean
	Byte         = java.Byte
	Char         = java.Char
	Short        = java.Short
	Int          = java.Int
	Long         = java.Long
	Float        = java.Float
	Double       = java.Double
	Void         = java.Void
)

// Bits of Class.class_flags_ (runtime/mirror/class_flags.h), the same in all
// versions known.
const (
	FlagNoReferences = 0x1
	FlagString       = 0x4
	FlagClass        = 0x10
	FlagClassLoader  = 0x20
	FlagDexCache     = 0x40
	FlagSoft         = 0x80
	FlagWeak         = 0x100
	FlagFinalizer    = 0x200
	FlagPhantom      = 0x400
	FlagReference    = FlagSoft | FlagWeak | FlagFinalizer | FlagPhantom
)

// Bits of access_flags_ (libdexfile/dex/modifiers.h) that Java's language has
// no word for.
const (
	accInterface = 0x0200
	accStatic    = 0x0008
	accNative    = 0x0100
	accEnum      = 0x4000
	accProxy     = 0x00040000 // kAccClassIsProxy
)

// Bounds of a class's parts: limits of the dex format, or numbers that no compiler makes.
const (
	maxFields    = 1 << 16
	maxMethods   = 1 << 16
	maxSupers    = 1 << 10
	maxDims      = 255
	maxClassName = 1 << 16
)

// A Class is a mirror::Class.
type Class struct {
	Addr core.Addr
	// Name is the class as Java writes it: "java.util.Map$Entry", "int[]";
	// "class@0x…" if it is not known.
	Name string
	// Super, Component (of an array) and Loader are 0 if there is none.
	Super, Component, Loader core.Addr
	DexCache                 core.Addr
	// Primitive is the type of a class such as int.class.
	Primitive Primitive
	// ElementSize is the bytes of an element if it is a class of arrays.
	ElementSize uint64
	ObjectSize  uint64 // of instances, in bytes; 0 for arrays and strings
	ClassSize   uint64 // of the mirror::Class itself, with its static fields
	Access      uint32 // access_flags_
	Flags       uint32 // class_flags_
	// Status is upstream's ClassStatus without its "k": "Initialized".
	Status string
	// Problem says which parts could not be read. It is "" if all could.
	Problem string

	status      int
	refs, srefs uint32
	ifields     core.Addr
	sfields     core.Addr
	methods     core.Addr
	typeIdx     uint32
	refOffsets  []uint32 // of an instance's own references
	refsOnce    sync.Once
}

// IsArray reports whether the class is one of arrays.
func (c *Class) IsArray() bool { return c.Component != 0 }

// IsInterface reports whether it is an interface.
func (c *Class) IsInterface() bool { return c.Access&accInterface != 0 }

// IsEnum reports whether it is an enum.
func (c *Class) IsEnum() bool { return c.Access&accEnum != 0 }

// mirror caches the Java heap as read so far.
type mirror struct {
	mu      sync.Mutex
	classes map[core.Addr]*Class
	fields  map[core.Addr][]Field

	java map[core.Addr]*java.Class // filled on demand

	classOnce sync.Once
	class     core.Addr // java.lang.Class
}

// Class returns the class at an address. The error is that there is none.
func (rd *ClassReader) Class(at core.Addr) (*Class, error) {
	if !rd.IsClass(at) {
		return nil, fmt.Errorf("art: %v is not a mirror::Class", at)
	}
	return rd.ClassAt(at), nil
}

// IsClass reports whether a mirror::Class is at an address: its own class is the class of all classes, which is
// its own class.
func (rd *ClassReader) IsClass(at core.Addr) bool {
	if at == 0 || at%Alignment != 0 || at >= 1<<32 {
		return false
	}
	k, ok := rd.Ref(at)
	return ok && k != 0 && rd.classClass() == k
}

// classClass returns java.lang.Class: the class of the class of a thread's peer, or of Runtime.sentinel_, an
// Object.
func (rd *ClassReader) classClass() core.Addr {
	rd.mirror.classOnce.Do(func() {
		threads, _ := rd.ThreadAddrs()
		for _, t := range threads {
			peer, _ := rd.Pointer(t.Add(int64(rd.Layout.Thread.Peer)))
			if k, ok := rd.rootClass(peer); ok {
				rd.mirror.class = k
				return
			}
		}
		if rd.Runtime != 0 {
			at, _ := rd.Ref(rd.sentinelAt())
			rd.mirror.class, _ = rd.rootClass(at)
		}
	})
	return rd.mirror.class
}

// rootClass returns the class of an object's class if that is its own class.
func (rd *ClassReader) rootClass(object core.Addr) (core.Addr, bool) {
	if object == 0 || object >= 1<<32 {
		return 0, false
	}
	k, ok1 := rd.Ref(object)
	kk, ok2 := rd.Ref(k)
	kkk, ok3 := rd.Ref(kk)
	if !ok1 || !ok2 || !ok3 || kk != kkk {
		return 0, false
	}
	return kk, kk != 0
}

// ClassAt returns the class at an address that is known to be one.
func (rd *ClassReader) ClassAt(at core.Addr) *Class { return rd.classOf(at, 0) }

// classOf is ClassAt; dims counts how many arrays led here.
func (rd *ClassReader) classOf(at core.Addr, dims int) *Class {
	m := &rd.mirror
	m.mu.Lock()
	c := m.classes[at]
	m.mu.Unlock()
	if c != nil {
		return c
	}
	c = rd.readClass(at)
	rd.nameClass(c, dims)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.classes == nil {
		m.classes = map[core.Addr]*Class{}
	}
	if have := m.classes[at]; have != nil {
		return have
	}
	m.classes[at] = c
	return c
}

// readClass reads the members of a mirror::Class.
func (rd *ClassReader) readClass(at core.Addr) *Class {
	l, r := &rd.Layout.Mirror.Class, rd.Cursor()
	off := func(n int) core.Addr { return at.Add(int64(n)) }
	ref := func(n int) core.Addr { return core.Addr(r.U32(off(n))) }
	c := &Class{Addr: at, Super: ref(rd.Layout.Class.SuperClass), Component: ref(l.ComponentType),
		Loader:   ref(l.ClassLoader),
		DexCache: ref(rd.Layout.Class.DexCache)}
	c.Access, c.Flags = r.U32(off(l.AccessFlags)), r.U32(off(l.ClassFlags))
	c.ClassSize, c.ObjectSize = uint64(r.U32(off(l.ClassSize))), uint64(r.U32(off(l.ObjectSize)))
	// The type in the low half, log2 of its size in the high one.
	primitive := r.U32(off(l.PrimitiveType))
	c.Primitive = Primitive(min(primitive&0xffff, 255))
	c.refs, c.srefs = r.U32(off(l.NumRefInstance)), r.U32(off(l.NumRefStatic))
	if l.Fields != layout.Unknown {
		c.ifields = core.Addr(r.U64(off(l.Fields)))
	} else {
		c.ifields, c.sfields = core.Addr(r.U64(off(l.IFields))), core.Addr(r.U64(off(l.SFields)))
	}
	c.methods = core.Addr(r.U64(off(rd.Layout.Class.Methods)))
	c.typeIdx = r.U32(off(rd.Layout.Class.TypeIdx))
	status := r.U32(off(rd.Layout.Class.Status))
	c.status = int(int32(status))
	if l.StatusShift > 0 {
		c.status = int(status >> l.StatusShift)
	}
	c.Status = rd.classStatus(c.status)
	if c.Component != 0 {
		c.ElementSize = 4
		if p := r.U32(c.Component.Add(int64(l.PrimitiveType))); p&0xffff != 0 {
			c.ElementSize = cmp.Or(Primitive(min(p&0xffff, 255)).Size(), 4)
		}
	}
	if err := r.Err(); err != nil {
		c.Problem = err.Error()
	}
	return c
}

var classStatuses = []string{"NotReady", "Retired", "ErrorResolved", "ErrorUnresolved", "Idx", "Loaded",
	"Resolving", "Resolved",
	"Verifying", "RetryVerificationAtRuntime", "VerifiedNeedsAccessChecks", "Verified", "SuperclassValidated",
	"Initializing",
	"Initialized", "VisiblyInitialized"}

// The statuses of 8.0 and 8.1, from -3 on.
var classStatuses26 = []string{"Retired", "ErrorResolved", "ErrorUnresolved", "NotReady", "Idx", "Loaded",
	"Resolving", "Resolved",
	"Verifying", "RetryVerificationAtRuntime", "VerifyingAtRuntime", "Verified", "SuperclassValidated",
	"Initializing", "Initialized"}

// classStatus names a ClassStatus.
func (rd *ClassReader) classStatus(n int) string {
	l, names := &rd.Layout.Mirror.Class, classStatuses
	switch {
	case l.ClassStatusSigned == 1:
		names, n = classStatuses26, n+3
	case n == l.VerifyingAtRun:
		return "VerifyingAtRuntime"
	}
	if n < 0 || n >= len(names) {
		return fmt.Sprintf("status %d", n)
	}
	return names[n]
}

// nameClass names a class: a primitive by its type, an array by its component, others by their dex file, and by
// name_, which is set only after a call of Class.getName or if the class is a proxy.
func (rd *ClassReader) nameClass(c *Class, dims int) {
	switch {
	case c.Primitive != NotPrimitive:
		c.Name = c.Primitive.String()
		return
	case c.Component != 0 && dims < maxDims && rd.IsClass(c.Component):
		c.Name = rd.classOf(c.Component, dims+1).Name + "[]"
		return
	}
	if at, ok := rd.Ref(c.Addr.Add(int64(rd.Layout.Mirror.Class.Name))); ok && at != 0 {
		if s, err := rd.String(at, maxClassName); err == nil && s.Value != "" && !s.Cut() {
			c.Name = s.Value
			return
		}
	}
	f, err := rd.dexOfClass(c)
	if err == nil {
		var descriptor string
		if descriptor, err = f.Type(c.typeIdx); err == nil {
			c.Name = dex.TypeName(descriptor)
			return
		}
	}
	c.Name = fmt.Sprintf("class@%v", c.Addr)
	if c.Problem == "" {
		c.Problem = "its name: " + err.Error()
	}
}

// dexOfClass returns the dex file that defines a class.
func (rd *ClassReader) dexOfClass(c *Class) (*dex.File, error) {
	if c.DexCache == 0 {
		return nil, fmt.Errorf("art: class at %v has no DexCache", c.Addr)
	}
	at, ok := rd.U64(c.DexCache.Add(int64(rd.Layout.DexCache.DexFile)))
	if !ok || at == 0 {
		return nil, fmt.Errorf("art: DexCache at %v has no DexFile", c.DexCache)
	}
	return rd.DexAt(core.Addr(at))
}

// Supers returns the chain of super classes from c's on, at most as many as
// there can be; a chain that comes back to itself ends.
func (rd *ClassReader) Supers(c *Class) []*Class {
	var chain []*Class
	seen := map[core.Addr]bool{c.Addr: true}
	for at := c.Super; at != 0 && len(chain) < maxSupers && !seen[at] && rd.IsClass(at); {
		seen[at] = true
		s := rd.ClassAt(at)
		chain, at = append(chain, s), s.Super
	}
	return chain
}

// IsA reports whether a class, or one of its super classes or interfaces, has the name.
func (rd *ClassReader) IsA(c *Class, name string) bool {
	for _, s := range append([]*Class{c}, rd.Supers(c)...) {
		if s.Name == name {
			return true
		}
	}
	for _, i := range rd.Interfaces(c) {
		if i.Name == name {
			return true
		}
	}
	return false
}

// Interfaces returns the interfaces that a class implements, its super classes'
// included: iftable_, an Object[] of pairs {interface, methods}.
func (rd *ClassReader) Interfaces(c *Class) []*Class {
	at, ok := rd.Ref(c.Addr.Add(int64(rd.Layout.Mirror.Class.IfTable)))
	if !ok || at == 0 {
		return nil
	}
	n, _ := rd.ArrayLength(at)
	var out []*Class
	for i := uint64(0); i+1 < min(n, 2*maxMethods); i += 2 {
		if k, ok := rd.Ref(at + ArrayData(4) + core.Addr(4*i)); ok && rd.IsClass(k) {
			out = append(out, rd.ClassAt(k))
		}
	}
	return out
}

// Methods returns the addresses of a class's ArtMethods: the direct ones, the virtual ones, and the ones copied
// from interfaces. The array is a LengthPrefixedArray: a length of 32 bits, then at a pointer's alignment the
// methods.
func (rd *ClassReader) Methods(c *Class) ([]core.Addr, error) {
	if c.methods == 0 {
		return nil, nil
	}
	n, ok := rd.U32(c.methods)
	if !ok || n > maxMethods {
		return nil, fmt.Errorf("art: methods of %s at %v: %d of them cannot be", c.Name, c.methods, n)
	}
	size := core.Addr(rd.Layout.ArtMethod.Size)
	out := make([]core.Addr, n)
	for i := range out {
		out[i] = c.methods + core.Addr(rd.PtrSize) + core.Addr(i)*size
	}
	return out, nil
}
