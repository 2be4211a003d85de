package code

import (
	"fmt"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
)

// Bits of access_flags_ of methods and classes (libdexfile/dex/modifiers.h).
const (
	accMethodNative      = 0x0100
	accMethodAbstract    = 0x0400
	accMethodConstructor = 0x00010000
	accClassIsProxy      = 0x00040000
)

// An Index finds the methods of a runtime, the dex files that they are from, and
// their compiled code. It is safe for concurrent use.
type Index struct {
	*DexReader

	methodsMu sync.Mutex
	methods   map[core.Addr]*Method
	jitCode   func() *jitCode
	managed   func() []layout.Span
	oats      func() ([]*OatFile, error)
}

// NewIndex returns the index of a process; files finds the dex files that the
// core lacks.
func NewIndex(m *layout.Memory, files find.Finder) *Index {
	ix := &Index{DexReader: newDexReader(m, files), methods: map[core.Addr]*Method{}}
	ix.jitCode = sync.OnceValue(ix.readJITCode)
	ix.managed = sync.OnceValue(ix.managedSpans)
	ix.oats = sync.OnceValues(ix.readOatFiles)
	return ix
}

// A Method is an ArtMethod.
type Method struct {
	Addr core.Addr
	// Runtime is set for methods that stand for the runtime's own frames; of
	// what follows they have a name such as "kSaveRefsAndArgs".
	Runtime bool
	// Class is the method's class as Java writes it, Name the method's name,
	// Signature its prototype as JNI writes it. Without the dex file Name is
	// "Method@INDEX" and Class "".
	Class, Name, Signature string
	DeclaringClass         core.Addr
	Access                 uint32
	Index                  uint32 // in method_ids
	EntryPoint             core.Addr
	Dex                    *DexFile
	// File is the source file; "" if it is unknown.
	File string
	// Code is what the method executes; nil if it is native or abstract, or
	// cannot be read.
	Code *dex.Code
	// Proxy is set for methods of java.lang.reflect.Proxy's classes.
	Proxy bool
	// InterfaceFile is the source file of the interface that a proxy's method
	// stands for.
	InterfaceFile string
	// Problem says which parts could not be read. It is "" if all could.
	Problem string
}

// Native reports whether the method's body is JNI code.
func (m *Method) Native() bool { return m.Access&accMethodNative != 0 }

// Abstract reports whether the method has no body.
func (m *Method) Abstract() bool { return m.Access&accMethodAbstract != 0 }

// String returns the method as ART's traces print it: "pkg.Class.name", or
// "Method@INDEX of LOCATION" if its name cannot be read.
func (m *Method) String() string {
	switch {
	case m.Runtime:
		return "<" + m.Name + ">"
	case m.Class != "":
		return m.Class + "." + m.Name
	case m.Dex != nil:
		return m.Name + " of " + m.Dex.Name()
	case m.Name != "":
		return m.Name
	}
	return "ArtMethod " + m.Addr.String()
}

// Static reports whether the method has no receiver.
func (m *Method) Static() bool { return m.Access&dex.AccStatic != 0 }

// Method returns the ArtMethod at an address, and caches it.
func (ix *Index) Method(at core.Addr) *Method {
	ix.methodsMu.Lock()
	m := ix.methods[at]
	ix.methodsMu.Unlock()
	if m != nil {
		return m
	}
	m = ix.readMethod(at)
	ix.methodsMu.Lock()
	defer ix.methodsMu.Unlock()
	if len(ix.methods) < 1<<20 {
		ix.methods[at] = m
	}
	return m
}

// readMethod follows an ArtMethod to its class, its DexFile and its names.
func (ix *Index) readMethod(at core.Addr) *Method {
	l := ix.Layout
	m := &Method{Addr: at}
	c := ix.Cursor()
	class := c.U32(at.Add(int64(l.ArtMethod.DeclaringClass)))
	m.Access = c.U32(at.Add(int64(l.ArtMethod.AccessFlags)))
	m.Index = c.U32(at.Add(int64(l.ArtMethod.DexMethodIndex)))
	m.EntryPoint = ix.CodeAddr(c.Pointer(at.Add(int64(l.ArtMethod.EntryPoint))))
	if err := c.Err(); err != nil {
		m.Problem = err.Error()
		return m
	}
	m.DeclaringClass = core.Addr(class)
	if ix.IsRuntimeMethod(at, l) {
		m.Runtime, m.Name = true, ix.runtimeMethodName(at)
		return m
	}
	m.Name = fmt.Sprintf("Method@%d", m.Index)
	if !ix.isClass(m.DeclaringClass) {
		m.Problem = fmt.Sprintf("its class %v is none", m.DeclaringClass)
		return m
	}
	d, why := ix.DexFileOf(core.Addr(class), l)
	if why != "" {
		m.Problem = why
		return m
	}
	m.Dex = ix.DexFileAt(d)
	m.Proxy = ix.isProxyClass(m.DeclaringClass)
	if m.Proxy && m.Access&accMethodConstructor == 0 {
		ix.nameProxy(m)
		return m
	}
	ix.nameMethod(m)
	return m
}

func (ix *Index) isProxyClass(class core.Addr) bool {
	flags, ok := ix.U32(class.Add(int64(ix.Layout.Mirror.Class.AccessFlags)))
	return ok && flags&accClassIsProxy != 0
}

// nameProxy names a method of a class that java.lang.reflect.Proxy made by the interface's method that data_
// leads to, as ART's traces do (ArtMethod::GetInterfaceMethodIfProxy): the method's index belongs to the
// interface's dex file, not to its own class's.
func (ix *Index) nameProxy(m *Method) {
	m.Class, m.Dex = ix.mirrorClassName(m.DeclaringClass), nil
	at, ok := ix.Pointer(m.Addr.Add(int64(ix.Layout.ArtMethod.Data)))
	class, ok2 := ix.Ref(at)
	if !ok || !ok2 || !ix.isClass(class) || ix.isProxyClass(class) {
		m.Problem = fmt.Sprintf("the proxy's method of an interface, %v, is none", at)
		return
	}
	i := ix.readMethod(at)
	if i.Dex == nil {
		m.Problem = i.Problem
		return
	}
	m.Class, m.Name, m.Signature, m.Index, m.Dex, m.Problem = i.Class, i.Name, i.Signature, i.Index, i.Dex, i.Problem
	m.InterfaceFile = i.File
}

// DexFileOf returns the art::DexFile of a class, or the problem.
func (ix *Index) DexFileOf(class core.Addr, l *layout.Layout) (core.Addr, string) {
	cache, ok := ix.Ref(class.Add(int64(l.Class.DexCache)))
	if !ok || cache == 0 {
		return 0, fmt.Sprintf("class %v has no DexCache", class)
	}
	d, ok := ix.U64(cache.Add(int64(l.DexCache.DexFile)))
	if !ok || d == 0 {
		return 0, fmt.Sprintf("DexCache %v has no DexFile", cache)
	}
	return core.Addr(d), ""
}

// nameMethod fills in what the dex file says.
func (ix *Index) nameMethod(m *Method) {
	f := m.Dex.File
	if f == nil {
		m.Problem = m.Dex.Err.Error()
		return
	}
	id, err := f.Method(m.Index)
	if err != nil {
		m.Problem = err.Error()
	}
	if id.Name != "" && id.Class != "" {
		m.Class, m.Name, m.Signature = dex.TypeName(id.Class), id.Name, id.Proto.Signature()
	}
	if m.Proxy { // a constructor: it is java.lang.reflect.Proxy's own
		if s := ix.mirrorClassName(m.DeclaringClass); s != "" {
			m.Class = s
		}
		return
	}
	if row, ok := ix.U32(m.DeclaringClass.Add(int64(ix.Layout.Class.ClassDefIdx))); ok {
		m.File, _ = f.SourceFile(row & 0xffff)
	}
	if at, ok := ix.codeItem(m); ok {
		if m.Code, err = f.Code(at, m.Index); err != nil && m.Problem == "" {
			m.Problem = err.Error()
		}
	}
}

// codeItem returns where a method's code item lies: an offset in the data of
// the dex file until Android 11, then an address whose lowest bit says that the
// item is compact (ArtMethod::GetCodeItem).
func (ix *Index) codeItem(m *Method) (core.Addr, bool) {
	l := &ix.Layout.ArtMethod
	if m.Native() || m.Abstract() || m.Proxy {
		return 0, false
	}
	if l.DexCodeItemOffset != layout.Unknown {
		off, ok := ix.U32(m.Addr.Add(int64(l.DexCodeItemOffset)))
		return m.Dex.File.Data + core.Addr(off), ok && off != 0
	}
	w, ok := ix.Word(m.Addr.Add(int64(l.Data)))
	return core.Addr(w &^ 1), ok && w > 1
}

// Line returns the source line of a dex pc; 0 if it is not known.
func (m *Method) Line(pc uint32) int {
	if m.Code == nil || m.Dex == nil || m.Dex.File == nil {
		return 0
	}
	line, err := m.Dex.File.Line(m.Code, pc)
	if err != nil {
		return 0
	}
	return max(line, 0)
}

// MethodProblem says why an ArtMethod does not decode under a layout; "" if it
// does.
func (ix *Index) MethodProblem(at core.Addr, l *layout.Layout) string {
	if ix.IsRuntimeMethod(at, l) {
		return ""
	}
	class, ok1 := ix.Ref(at.Add(int64(l.ArtMethod.DeclaringClass)))
	index, ok2 := ix.U32(at.Add(int64(l.ArtMethod.DexMethodIndex)))
	if !ok1 || !ok2 || at%4 != 0 {
		return fmt.Sprintf("method %v cannot be read", at)
	}
	if !ix.isClass(class) {
		return fmt.Sprintf("method %v: its class %v is none", at, class)
	}
	d, why := ix.DexFileOf(class, l)
	if why != "" {
		return why
	}
	f := ix.readDexFile(d, l)
	switch {
	case f.File == nil && (f.Location == "" ||
		strings.ContainsFunc(f.Location, func(r rune) bool { return r < ' ' || r == 0xfffd })):
		return fmt.Sprintf("method %v: DexFile %v: %v", at, d, f.Err)
	case f.File == nil:
		return "" // its name is right, at least
	case index >= f.File.MethodIDs.Size:
		return fmt.Sprintf("method %v: index %d of %d", at, index, f.File.MethodIDs.Size)
	}
	if row, ok := ix.U32(class.Add(int64(l.Class.ClassDefIdx))); ok && row != 0xffff && row >= f.File.ClassDefs.Size {
		return fmt.Sprintf("class %v: class_def %d of %d", class, row, f.File.ClassDefs.Size)
	}
	m, err := f.File.Method(index)
	if err != nil || m.Name == "" {
		return fmt.Sprintf("method %v: %v", at, err)
	}
	return ""
}

// isClass reports whether an object is a mirror::Class: its class is
// java.lang.Class, which is its own.
func (ix *Index) isClass(at core.Addr) bool {
	if at == 0 || at%8 != 0 {
		return false
	}
	class, ok1 := ix.Ref(at)
	self, ok2 := ix.Ref(class)
	return ok1 && ok2 && class != 0 && class == self
}

// mirrorClassName reads Class.name_, which is set at the first call of Class.getName, and always for proxies.
func (ix *Index) mirrorClassName(class core.Addr) string {
	at, ok := ix.Ref(class.Add(int64(ix.Layout.Mirror.Class.Name)))
	if !ok || at == 0 {
		return ""
	}
	// A java.lang.String has count_ at 8, whose bit 0 is clear for 8-bit characters, and the characters at 16.
	count, ok := ix.U32(at + 8)
	if !ok || count&1 != 0 || count>>1 > maxLocation {
		return ""
	}
	b, _ := ix.Bytes(at+16, int(count>>1))
	return string(b)
}

// Sound reports whether a method can be one: it is the runtime's own, or has a
// class with a dex file.
func (m *Method) Sound() bool { return m.Runtime || m.Dex != nil }

// ReferenceArgs counts the arguments that are objects, without the receiver.
func (m *Method) ReferenceArgs() int { return strings.Count(m.ArgumentTypes(), "L") }

// ArgumentTypes returns a letter for the type of each argument, without the receiver: L for all objects, the
// letters of JNI's signatures for the others. It is "" if the prototype is not known.
func (m *Method) ArgumentTypes() string {
	var out []byte
	for i := 1; i < len(m.Signature) && m.Signature[i] != ')'; i++ {
		t := m.Signature[i]
		for t == '[' && i+1 < len(m.Signature) && m.Signature[i] == '[' {
			i++
		}
		if m.Signature[i] == 'L' {
			t = 'L'
			for i < len(m.Signature) && m.Signature[i] != ';' {
				i++
			}
		}
		if t == '[' {
			t = 'L'
		}
		out = append(out, t)
	}
	return string(out)
}
