// Package malloc reads the allocators of a process: the chunk at an address, its state, sums, and
// overwritten headers.
//
// Each allocator is a room, which says the same of its memory (block.Heap); what is here puts them together.
//
//	malloc.go  Heap: all allocators of a process, asked as one
package malloc
