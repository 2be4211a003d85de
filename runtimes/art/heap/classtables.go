package heap

import (
	"coredbg/core"
)

// A classTable is an art::ClassTable (runtime/class_table.h): {lock, vector of sets of
// classes, vector of further objects that live as long as its class loader}.
type classTable struct {
	classes, strong core.Addr // of the vectors
}

// lockSizes are the bytes that a ReaderWriterMutex may take.
func (w *Walker) lockSizes() []core.Addr {
	if w.PtrSize == 4 {
		return []core.Addr{24, 28, 32}
	}
	return []core.Addr{32, 40}
}

// hashBits of a slot of a class table hold part of the class's hash.
const hashBits = 7

// classTableAt returns the class table at an address; it reports false if none with a
// class in it is there.
func (w *Walker) classTableAt(at core.Addr) (classTable, bool) {
	for _, lock := range w.lockSizes() {
		n := 0
		vector := at + lock
		err := w.eachInSets(vector, func(slot core.Addr) bool { n++; return w.IsClass(slot &^ hashBits) }, nil)
		if err == nil && n > 0 {
			return classTable{vector, vector + core.Addr(3*w.PtrSize)}, true
		}
	}
	return classTable{}, false
}

// tableClasses returns the classes of a class table.
func (w *Walker) tableClasses(t classTable) []core.Addr {
	var out []core.Addr
	_ = w.eachInSets(t.classes, func(slot core.Addr) bool { return w.IsClass(slot &^ hashBits) },
		func(_, at core.Addr) {
			out = append(out, at&^hashBits)
		})
	return out
}

// strongRoots returns the further objects of a class table: dex caches, and references from code compiled ahead
// of time.
func (w *Walker) strongRoots(t classTable) []core.Addr {
	begin, ok1 := w.Pointer(t.strong)
	end, ok2 := w.Pointer(t.strong + core.Addr(w.PtrSize))
	if !ok1 || !ok2 || end < begin || end-begin > 4*maxStrongRoots {
		return nil
	}
	var out []core.Addr
	for ; begin < end; begin += 4 {
		if to, ok := w.Ref(begin); ok && to != 0 {
			out = append(out, to)
		}
	}
	return out
}

// maxStrongRoots bounds the further objects of a class table.
const maxStrongRoots = 1 << 22

// bootClassTable looks for the class table of the boot class path among the first
// words of the ClassLinker, whose containers differ by version and C++ library.
func (w *Walker) bootClassTable() (classTable, bool) {
	linker, ok := w.Pointer(w.Runtime.Add(int64(w.Layout.Runtime.ClassLinker)))
	if !ok || linker == 0 {
		return classTable{}, false
	}
	for off := core.Addr(0); off < classLinkerProbe; off += core.Addr(w.PtrSize) {
		at, ok := w.Pointer(linker + off)
		if !ok {
			break
		}
		if at == 0 || at%core.Addr(w.PtrSize) != 0 {
			continue
		}
		if t, ok := w.classTableAt(at); ok {
			return t, true
		}
	}
	return classTable{}, false
}

// classTableOf returns the class table of a java.lang.ClassLoader.
func (w *Walker) classTableOf(loader core.Addr) (classTable, bool) {
	o, err := w.Object(loader)
	if err != nil {
		return classTable{}, false
	}
	f, ok := w.FindField(o.Class, "classTable")
	if !ok || f.Static() {
		return classTable{}, false
	}
	at, ok := w.U64(loader + core.Addr(f.Offset))
	if !ok || at == 0 {
		return classTable{}, false
	}
	return w.classTableAt(core.Addr(at))
}
