// Package graph makes a graph of the blocks of allocators, as of the objects of a managed heap.
//
// An object is a block in use, a reference a word in it that is an address in another one. Roots are
// variables of modules and threads, which are certain; then words of stacks, registers, and memory that is no
// allocator's, which may be left over.
//
//	graph.go    Heap: the graph, built once
//	source.go   blocks and references
//	roots.go    what leads to blocks from outside
//	describe.go what blocks and references are called
//
// LIMITATIONS: Pointers are not told from numbers: a number that looks like one is a reference, and then the
// block retains less than is shown. Memory below stack pointers counts for nothing, as in package leaks.
package graph
