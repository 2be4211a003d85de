// Package malloc has the commands over the allocators of C: chunks by address, sums, lost blocks and damage.
//
//	heap.go     the allocators of a session
//	chunk.go    ::chunk, ::walk chunk
//	sums.go     ::malloc
//	sizes.go    its histogram by size
//	objects.go  ::cxxobjects
//	leaks.go    ::findleaks
//	makers.go   the code that makes lost objects
//	check.go    ::heapcheck
//	memory.go   ::memory
//	keeper.go   the class of blocks that keeps most memory
//	owners.go   the owners of memory that no heap has
//	malloc.go   the table of commands and walkers
package malloc

import (
	"slices"

	"coredbg/commands"
)

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(chunkCommands, sumCommands, objectCommands, leakCommands, checkCommands, memoryCommands)
}

// Walkers returns the table of walkers.
func Walkers() []commands.Walker {
	return []commands.Walker{{Name: "chunk", Module: module,
		Summary: "the chunks of the allocators of C that are in use", Walk: walkChunks}}
}
