// Package malloc reads what the allocator of the GNU C library knows of its memory: which
// piece of it an address lies in, whether that is free, and where the headers of the
// pieces were overwritten.
//
// The chain: main_arena in the data of libc, which is known by its own shape, as libraries
// are stripped of its name: most of its bins are empty, and an empty bin refers to itself.
// From it the ring of arenas, from each the top chunk and the heaps before it; in a heap
// one chunk after the other by their sizes. Free chunks are known by the next one's
// PREV_INUSE bit, those that look used by the lists of small ones: fastbins in the arena,
// and tcaches, which are chunks themselves.
//
//	arena.go   main_arena, the ring of arenas, their heaps
//	chunk.go   the chunks of a heap, which are free, and where the chain of them breaks
//	tcache.go  the lists of small free chunks
//	stray.go   links of lists that were overwritten
//
// Sources: glibc 2.26 to 2.41, malloc/malloc.c (malloc_state, malloc_chunk,
// tcache_perthread_struct, PROTECT_PTR) and malloc/arena.c (heap_info).
//
// LIMITATIONS: 64-bit little-endian processes alone; no other allocators; chunks that were
// mapped on their own are known by their headers alone; a heap is read up to maxChunks chunks. The tcache of
// glibc 2.42 has another shape: its chunks count as used.
package malloc
