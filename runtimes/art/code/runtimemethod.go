package code

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// IsRuntimeMethod reports whether an ArtMethod is one of the runtime's own: it
// has no class, and no place in a dex file.
func (ix *Index) IsRuntimeMethod(m core.Addr, l *layout.Layout) bool {
	const dexNoIndex = 0xffffffff
	if m == 0 || m%4 != 0 {
		return false
	}
	class, ok1 := ix.U32(m.Add(int64(l.ArtMethod.DeclaringClass)))
	index, ok2 := ix.U32(m.Add(int64(l.ArtMethod.DexMethodIndex)))
	return ok1 && ok2 && class == 0 && index == dexNoIndex
}

// saveTypes names art::CalleeSaveType (runtime/base/callee_save_type.h); the
// last two, since Android 9, save everything, too.
var saveTypes = [...]string{"kSaveAllCalleeSaves", "kSaveRefsOnly", "kSaveRefsAndArgs", "kSaveEverything",
	"kSaveEverythingForClinit", "kSaveEverythingForSuspendCheck"}

// SaveType returns the index of a method in Runtime.callee_save_methods_, or -1.
func (ix *Index) SaveType(method core.Addr) int {
	l := &ix.Layout.Runtime
	for i := range l.CalleeSaveCount {
		if m, ok := ix.U64(ix.Runtime.Add(int64(l.CalleeSaveMethods + 8*i))); ok && core.Addr(m) == method {
			return i
		}
	}
	return -1
}

// runtimeMethodName names one of the runtime's own methods by the member of
// Runtime that holds it.
func (ix *Index) runtimeMethodName(method core.Addr) string {
	if i := ix.SaveType(method); i >= 0 {
		return saveTypes[i]
	}
	l := &ix.Layout.Runtime
	for name, at := range map[string]int{"resolution_method_": l.ResolutionMethod,
		"imt_conflict_method_":      l.IMTConflictMethod,
		"imt_unimplemented_method_": l.IMTUnimplemented} {
		if m, ok := ix.Pointer(ix.Runtime.Add(int64(at))); ok && m == method {
			return name
		}
	}
	return "runtime method"
}
