// Package leaks finds the blocks of allocators that nothing in the process leads to.
//
// What leads to blocks: the registers of all threads, and all memory that the core has and that is no
// allocator's: data of modules, thread-local blocks, stacks from the red zone below each stack pointer on,
// heaps of runtimes, memory that was mapped. A word that is an address in a block in use leads to it,
// wherever in it that is; a block that is led to leads on. Free chunks do not, nor does what is left on a
// stack of returned functions, nor do the allocator's own lists.
//
//	scan.go     Scanner: the words of memory that lead to blocks
//	roots.go    what leads to blocks from outside
//	ended.go    stacks of threads that have ended
//	mark.go     Find: what is led to, and what is not
//	cluster.go  lost blocks that hold others
//
// LIMITATIONS: Pointers are not told from numbers, so that a block may be kept by a number. Pointers that a
// program hides (mixed with a key, or compressed) are not seen, unless Options.Held has them. The stack of a
// thread that has ended, which the C library keeps for the next one, counts as memory in use, except with
// glibc on x86. A pointer at an address that is not a multiple of a word, as in a packed struct, is not seen.
// Stale words of blocks in use count, such as what a new block has from the one before it at its place, except
// where Options.Unused has them.
package leaks
