// Package malloc knows the allocators of a process: which piece of memory an address lies in,
// whether that is free, what the whole comes to, and where headers were overwritten.
//
// Each allocator is a room, which says the same of its memory (block.Heap); what is here puts them together.
//
//	malloc.go  Heap: all allocators of a process, asked as one
package malloc
