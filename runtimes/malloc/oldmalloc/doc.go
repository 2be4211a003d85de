// Package oldmalloc reads the records of the older allocator of the C library musl: chunks with their size
// before and behind, and the bins that list the free ones.
//
// The chain: the bins (mal) in the data of libc or of a static program. They are found by their shape, as
// their name is local: 64 of them follow a map with a bit for each that is not empty; an empty one leads to
// itself, and the first and last chunk of any other lead back to it. The memory that chunks have is known by
// its own shape, as no record lists it. A piece comes from the system, by brk or mmap. The first chunk's
// header says that no chunk is before it, and a header of no bytes follows the last chunk. The dynamic linker
// gives the allocator unused parts of modules' data pages, which look alike. A block with a mapping of its
// own has its place in it, and its size.
//
//	bins.go     the bins by their shape; links of free chunks
//	area.go     where pieces of memory begin, and mapped blocks
//	walk.go     the chunks of a piece
//	resync.go   where chunks go on behind a header that was overwritten
//	mapped.go   the header of a mapped block
//	malloc.go   Malloc: what is known, read once
//
// Sources: musl 0.9.0 to 1.2.0, src/malloc/malloc.c, and 1.2.1 to 1.2.5, src/malloc/oldmalloc/malloc.c and
// aligned_alloc.c, which has the same records.
//
// LIMITATIONS: a process that has not yet asked for memory has no bins to be found. A piece whose first header was
// overwritten is not found, unless it is where the memory of brk begins.
package oldmalloc
