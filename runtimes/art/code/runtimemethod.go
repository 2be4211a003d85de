package code

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// IsRuntimeMethod reports whether an ArtMethod is one of the runtime's own: it
// has no class, and no place in a dex file.
func (a *Index) IsRuntimeMethod(m core.Addr, l *layout.Layout) bool {
	const dexNoIndex = 0xffffffff
	if m == 0 || m%4 != 0 {
		return false
	}
	class, ok1 := a.U32(m.Add(int64(l.ArtMethod.DeclaringClass)))
	index, ok2 := a.U32(m.Add(int64(l.ArtMethod.DexMethodIndex)))
	return ok1 && ok2 && class == 0 && index == dexNoIndex
}

// saveTypes names art::CalleeSaveType (runtime/base/callee_save_type.h); the
// last two, since Android 9, save everything, too.
var saveTypes = [...]string{"kSaveAllCalleeSaves", "kSaveRefsOnly", "kSaveRefsAndArgs", "kSaveEverything",
	"kSaveEverythingForClinit", "kSaveEverythingForSuspendCheck"}

// SaveType returns the index of a method in Runtime.callee_save_methods_, or -1.
func (a *Index) SaveType(method core.Addr) int {
	l := &a.Layout.Runtime
	for i := range l.CalleeSaveCount {
		if m, ok := a.U64(a.Runtime.Add(int64(l.CalleeSaveMethods + 8*i))); ok && core.Addr(m) == method {
			return i
		}
	}
	return -1
}

// runtimeMethodName names one of the runtime's own methods by the member of
// Runtime that holds it.
func (a *Index) runtimeMethodName(method core.Addr) string {
	if i := a.SaveType(method); i >= 0 {
		return saveTypes[i]
	}
	l := &a.Layout.Runtime
	for name, at := range map[string]int{"resolution_method_": l.ResolutionMethod, "imt_conflict_method_": l.IMTConflictMethod,
		"imt_unimplemented_method_": l.IMTUnimplemented} {
		if m, ok := a.Pointer(a.Runtime.Add(int64(at))); ok && m == method {
			return name
		}
	}
	return "runtime method"
}
