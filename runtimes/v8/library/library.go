package library

import (
	"maps"
	"sync"

	"coredbg/runtimes/v8/ecma"
)

// New returns the library. It adds functions and constructors of an interpreter, and the calls of a console.
func New(functions map[string]ecma.Builtin, makers map[string]ecma.Constructor,
	consoles ...ecma.Native) *ecma.Library {
	allFunctions, allMakers := maps.Clone(intrinsics), maps.Clone(constructors)
	maps.Copy(allFunctions, functions)
	maps.Copy(allMakers, makers)
	parts := sync.OnceValue(func() map[string]*globalPart { return partsOf(allFunctions, allMakers) })
	return &ecma.Library{Functions: allFunctions, Constructors: allMakers, Natives: natives, Consoles: consoles,
		Global:  func(m *ecma.Machine, name string) (ecma.Value, bool) { return makeGlobal(m, name, parts) },
		Element: elementOf}
}
