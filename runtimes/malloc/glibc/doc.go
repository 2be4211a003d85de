// Package glibc reads the allocator of the GNU C library, ptmalloc: the arenas of threads, their
// heaps, all chunks, and the lists of free chunks.
//
// The chain: main_arena in the data of libc, or of a static program, which is known by its own
// shape, as libraries are stripped of its name: most of its bins are empty, and an empty bin
// refers to itself. From it the ring of arenas, from each the top chunk and the heaps before
// it; in a heap one chunk after the other by their sizes. Free chunks are known by the next
// one's PREV_INUSE bit, those that look used by the lists of small ones: fastbins in the
// arena, and tcaches, which are chunks themselves. Chunks that were mapped for themselves are in no list:
// the parameters (mp_), which are known by their shape too, say how many there are, and they are looked for at the
// beginnings of pages. After a header that was overwritten the walk goes on at the next place from which on many
// chunks follow each other.
//
//	arena.go   main_arena by its shape, the ring of arenas
//	layout.go  offsets by the size of words, shapes of caches, and what tells the releases apart
//	params.go  mp_: where the main heap begins, how many chunks were mapped
//	heaps.go   the stretches of memory of each arena
//	walk.go    the chunks of a stretch, which are free, and where the chain of them breaks
//	resync.go  where the chain goes on
//	tcache.go  the caches of threads
//	fast.go    fastbins; links that are mixed with their places
//	mapped.go  chunks that were mapped for themselves
//	locate.go  one chunk, by the chains that go by an address
//	threads.go the caches of threads, by their thread-local variables
//	stray.go   links of bins that were overwritten
//	version.go the release, as the library says it
//	malloc.go  Malloc: what is known
//	load.go    reading it, once
//
// Sources: glibc 2.19 to 2.42 and what is to be 2.43, malloc/malloc.c (malloc_state, malloc_par,
// malloc_chunk, tcache_perthread_struct, PROTECT_PTR, sysmalloc) and malloc/arena.c
// (heap_info, sysmalloc's fence posts).
//
// LIMITATIONS: where brk failed and the main arena has memory of mmap, what lies between the first stretch
// and the last is not found. Large bins of the tcache of 2.42 and later hold chunks of more than one size,
// which is not compared. A single chunk is told by the chunks around it (Locate): one in a block that holds a
// copy of more than two megabytes of another heap is taken for the copy's.
package glibc
