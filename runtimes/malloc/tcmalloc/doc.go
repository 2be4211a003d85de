// Package tcmalloc reads the records of the allocator of gperftools: spans, and the caches that hold free objects.
//
// The chain: the page map (PageHeap::pagemap_) in the data of a library or of a program. Its root is an array
// of pointers to leaves, in that data. It is found by its shape, as libraries are stripped of its name: an
// element of a leaf refers to a span whose first page is the one that the path stands for. A span of a size
// class has objects of one size, which a table of the library (SizeMap::class_to_size_) gives; any other span
// in use is one large object. Free objects are in the list of their span, in transfer caches, which are an
// array in the data that is known by the numbers of its classes, and in caches of threads, which are known by
// the sizes of their lists.
//
//	tables.go  the table of sizes and the array of transfer caches, by their shapes
//	map.go     the page map by its shape, and all spans
//	span.go    regions of spans, chunks of objects
//	cache.go   transfer caches and caches of threads
//	malloc.go  Malloc: what is known, read once; the version
//
// Sources: gperftools 2.8 to 2.18, src/pagemap.h, span.h, common.h, central_freelist.h and thread_cache.h.
//
// LIMITATIONS: x86-64, aarch64, and processors of 32 bits only, where the page map has two levels. The other
// tcmalloc, github.com/google/tcmalloc, has other records: see gtcmalloc. The debugging build puts its own
// headers into objects, which count as a part of them.
package tcmalloc
