package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/dex"
)

// MethodByIndex makes the Method of an index in the dex file of the method that
// it was inlined into; one in another dex file is not resolved.
func (a *Index) MethodByIndex(outer *Method, in *codeinfo.Inlined) *Method {
	m := &Method{Index: in.Method, Name: fmt.Sprintf("Method@%d", in.Method), Dex: outer.Dex}
	if in.DexFile != codeinfo.NoValue {
		m.Dex = nil
		m.Problem = "it is in another dex file than the method that it was inlined into"
		return m
	}
	if at, ok := a.methodOfClass(outer, in.Method); ok {
		return a.Method(at)
	}
	if f := outer.Dex.File; f != nil {
		a.nameByIndex(m, f)
	}
	return m
}

// methodOfClass finds the ArtMethod of an index in method_ids among those of a
// method's own class.
func (a *Index) methodOfClass(m *Method, index uint32) (core.Addr, bool) {
	l := a.Layout
	array, ok := a.U64(m.DeclaringClass.Add(int64(l.Class.Methods)))
	if !ok || array == 0 {
		return 0, false
	}
	// LengthPrefixedArray<ArtMethod>: a 32-bit count, then the methods at the
	// next multiple of their alignment.
	n, _ := a.U32(core.Addr(array))
	at := core.Addr(array) + core.Addr(a.PtrSize)
	for range min(n, 1<<16) {
		i, ok := a.U32(at.Add(int64(l.ArtMethod.DexMethodIndex)))
		if !ok {
			return 0, false
		}
		if i == index {
			return at, true
		}
		at += core.Addr(l.ArtMethod.Size)
	}
	return 0, false
}

// nameByIndex names a method of which no more than its index is known.
func (a *Index) nameByIndex(m *Method, f *dex.File) {
	id, err := f.Method(m.Index)
	if err != nil {
		m.Problem = err.Error()
	}
	if id.Name != "" && id.Class != "" {
		m.Class, m.Name, m.Signature = dex.TypeName(id.Class), id.Name, id.Proto.Signature()
	}
}
