package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/dex"
)

// MethodByIndex makes the Method of an index in the dex file of the method that
// it was inlined into; one in another dex file is not resolved.
func (ix *Index) MethodByIndex(outer *Method, in *codeinfo.Inlined) *Method {
	m := &Method{Index: in.Method, Name: fmt.Sprintf("Method@%d", in.Method), Dex: outer.Dex}
	if in.DexFile != codeinfo.NoValue {
		m.Dex = nil
		m.Problem = "it is in another dex file than the method that it was inlined into"
		return m
	}
	if at, ok := ix.methodOfClass(outer, in.Method); ok {
		return ix.Method(at)
	}
	if f := outer.Dex.File; f != nil {
		ix.nameByIndex(m, f)
	}
	return m
}

// methodOfClass finds the ArtMethod of an index in method_ids among the methods of a method's own class.
func (ix *Index) methodOfClass(m *Method, index uint32) (core.Addr, bool) {
	l := ix.Layout
	array, ok := ix.U64(m.DeclaringClass.Add(int64(l.Class.Methods)))
	if !ok || array == 0 {
		return 0, false
	}
	// LengthPrefixedArray<ArtMethod>: a 32-bit count, then the methods at the
	// next multiple of their alignment.
	n, _ := ix.U32(core.Addr(array))
	at := core.Addr(array) + core.Addr(ix.PtrSize)
	for range min(n, 1<<16) {
		i, ok := ix.U32(at.Add(int64(l.ArtMethod.DexMethodIndex)))
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

// nameByIndex names a method known only by its index.
func (ix *Index) nameByIndex(m *Method, f *dex.File) {
	id, err := f.Method(m.Index)
	if err != nil {
		m.Problem = err.Error()
	}
	if id.Name != "" && id.Class != "" {
		m.Class, m.Name, m.Signature = dex.TypeName(id.Class), id.Name, id.Proto.Signature()
	}
}
