// Package heap has the commands over the heap of any runtime as a graph: who holds the memory, the paths that
// keep an object alive, and how much would be freed with it.
package heap

import (
	"slices"

	"coredbg/commands"
)

// Commands returns the table of commands.
func Commands() []commands.Command {
	all := slices.Concat(classCommands, objectCommands, rootCommands, leakCommands, queryCommands, findCommands,
		diffCommands, exportCommands)
	for i := range all {
		if slices.Contains(ofNative, all[i].Name) {
			all[i].Options = append(slices.Clone(all[i].Options), nativeOption)
		}
	}
	return all
}

// ofNative are the commands that know the heap of C, too.
var ofNative = []string{"heapstat", "heapdiff", "heapprof", "heapmap", "leaks", "retained", "dominators", "refs",
	"refby", "gcroot", "roots"}
