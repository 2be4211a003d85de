// Package gtcmalloc reads the records of github.com/google/tcmalloc: spans, and the caches that hold free objects.
//
// The chain: the page map (Static::pagemap_) in the data of a program. Its root is an array of pointers to
// leaves, in that data. A leaf has the size class of each page, and then the page's span. The root is found
// by its shape: an element of a leaf refers to a span whose first page is the one that the path stands for. A
// span of a size class has objects of one size, which a table of the program (SizeMap::class_to_size_) gives;
// any other span is one large object. Free objects are in their span, which has a bit for each or lists them
// by numbers, in transfer caches, and in caches of threads or of processors.
//
//	map.go     the page map by its shape, and all spans
//	layout.go  the fields of a span, by release
//	tables.go  the table of sizes and the array of transfer caches, by their shapes
//	span.go    regions of spans, chunks of objects, free objects of a span
//	cache.go   transfer caches and caches of threads
//	slab.go    caches of processors
//	malloc.go  Malloc: what is known, read once
//
// Sources: tcmalloc/pagemap.h, span.h, sizemap.h, transfer_cache_internals.h, central_freelist.h, thread_cache.h and
// internal/percpu_tcmalloc.h at ca824711 (January 2023), 1e2dca59 (March 2024), 0bdea50d (August 2024) and
// 63c98ed2 (June 2025).
//
// LIMITATIONS: x86-64 and pages of 8 KiB only. Pages that the page heap has free are in no span, and are not
// shown. A sampled object has the size of its span. Objects of the guarded pages are not known. Caches of
// processors are read as of January 2023, by the sources alone. A process of several NUMA nodes has further
// caches that are not read. Releases from July 2026 on, whose spans have 192 bits and whose page map has three
// levels, are not found.
package gtcmalloc
