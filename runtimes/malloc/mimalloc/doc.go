// Package mimalloc reads the records of the allocator mimalloc, of versions 2 and 3: segments, their pages,
// and the free lists of pages.
//
// The chain of version 2: a segment begins at a multiple of 32 MiB in anonymous memory, with a record of its
// slices of 64 KiB; on processors of 32 bits these are 4 MiB and 32 KiB. It is known by its shape, as
// libraries are stripped of names: slices have counts that lead from the first slice to the last, and the
// segment's cookie is its address mixed with a number that is the same for all segments of a process. A slice
// that begins a page has the size of its blocks, how many there are, and three lists of free ones: blocks to
// give out next, blocks that the owning thread gave back, and blocks that other threads gave back. A block
// that another thread gave back to a full page is in a list of the owner's heap.
//
// The chain of version 3: the page map, whose address the library's data has. It is known by its shape: an
// element of a part of it refers to a page whose record or blocks begin in the slice that the path stands
// for. A page has the same lists.
//
//	segment.go  segments by their shape
//	map.go      the page map by its shape, and its pages
//	page.go     regions of pages, chunks of blocks
//	free.go     lists of free blocks; heaps
//	malloc.go   Malloc: what is known, read once
//
// Sources: mimalloc 2.0.9 to 2.4.1 and 3.0.1 to 3.4.3, include/mimalloc/types.h, src/segment.c, src/page.c,
// src/page-map.c, src/alloc.c, src/alloc-aligned.c and src/free.c; CPython 3.13 and 3.14,
// Include/internal/mimalloc/mimalloc/types.h.
//
// LIMITATIONS: on processors of 32 bits only versions to 2.1.2. Builds with encoded free lists (MI_SECURE,
// MI_DEBUG) are not known, nor are versions 1 and 3.6. A block that was asked for with an alignment may begin
// before the address that the program has; its chunk is the whole block. Blocks with an alignment above 16
// MiB are not found.
package mimalloc
