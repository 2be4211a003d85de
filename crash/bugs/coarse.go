package bugs

import (
	"strings"

	"coredbg/core"
	"coredbg/stack"
)

// A named is a function of a signature's name.
type named struct {
	as, kind string
	module   string
	deleting bool // called by delete, through a table of virtual functions
	// edge reports that frames were left out on the way to the next function: that one did not call this one.
	edge bool
}

// prefix reports whether a function of a kind says less than its caller.
func prefix(kind string) bool { return kind == "prefix" || kind == "allocator" || kind == platform }

// platform is the kind of the functions of a managed language's own library.
const platform = "platform"

// heapCauses are the causes that a damaged heap, or a pointer from elsewhere, has in an allocator. Which one
// comes first is chance.
var heapCauses = map[Cause]bool{
	NullDereference: true, WildPointer: true, UseAfterFree: true, DoubleFree: true, InvalidFree: true,
	HeapCorruption: true, Abort: true,
	AbortMessage: true, IllegalInstruction: true, Misaligned: true, TagMismatch: true,
}

// coarse returns the names in the coarse key.
func coarse(cause Cause, names []named) []string {
	if len(names) > 0 && names[0].kind == "allocator" && heapCauses[cause] {
		cause = HeapCorruption
	}
	return append([]string{string(cause)}, firstOwn(names)...)
}

// firstOwn returns the first name that is not a prefix, or all if all are: what an optimiser inlines of a
// library, or does not, makes no other bug. If a platform's functions are all there is, it returns the first.
func firstOwn(names []named) []string {
	for i := range names {
		if prefix(names[i].kind) || names[i].kind == "destructor" && mayBeInlined(names[i:]) {
			continue
		}
		n, _, _ := strings.Cut(names[i].as, "::{lambda}")
		n, _, _ = strings.Cut(n, "::{closure}")
		return []string{strings.TrimSuffix(n, "()")}
	}
	var all []string
	if len(names) > 0 && names[0].kind == platform {
		names = names[:1]
	}
	for i := range names {
		all = append(all, names[i].as)
	}
	return all
}

// mayBeInlined reports whether the first of some functions, a destructor, could be inlined into the next one
// that is no prefix: an optimised build without debug information shows that one alone.
func mayBeInlined(names []named) bool {
	for i := range names {
		switch n := &names[i]; {
		case i > 0 && !prefix(n.kind):
			return n.module == names[0].module
		case n.deleting || n.edge:
			return false
		}
	}
	return false
}

// nameOf makes the entry of a frame in a name.
func nameOf(f *stack.Frame, as, kind string) named {
	return named{as: as, kind: kind, module: f.Module, deleting: f.Deleting}
}

// texts returns the names alone.
func texts(names []named) []string {
	var list []string
	for i := range names {
		list = append(list, names[i].as)
	}
	return list
}

// imageName returns the name of a frame's image without its version, as libjemalloc.so.
func imageName(f *stack.Frame) string {
	name := core.BaseName(f.Module)
	if i := strings.Index(name, ".so."); i > 0 {
		name = name[:i+3]
	}
	return name
}
