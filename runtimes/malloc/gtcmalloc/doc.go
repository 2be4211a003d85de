// Package gtcmalloc reads the records of github.com/google/tcmalloc: spans, and the caches that hold free objects.
//
// The chain: the page map (Static::pagemap_) in the data of a program. Its root is an array of pointers, in that
// data. They refer to leaves or, with three levels, to nodes, which are arrays of pointers to leaves. A leaf has
// the size class of each page, and then the page's span. The root is found by its shape: an element of a leaf
// refers to a span whose first page is the one that the path stands for. A span of a size class has objects of
// one size, which a table of the program (SizeMap::class_to_size_) gives; any other span is one large object.
// Free objects are in their span, which has a bit for each or lists them by numbers, in transfer caches, and in
// caches of threads or of processors. Most spans count as many free objects as they have: this settles which
// layout they have. If they do not by any layout, the release is not known, and nothing is read.
//
//	map.go     the page map and all spans
//	search.go  the search for the page map by its shape
//	layout.go  the fields of a span, by release
//	tables.go  the table of sizes and the array of transfer caches, by their shapes
//	span.go    regions of spans, chunks of objects, free objects of a span
//	cache.go   transfer caches and caches of threads
//	slab.go    caches of processors
//	malloc.go  Malloc: what is known, read once
//
// Sources: tcmalloc/pagemap.h, span.h, sizemap.h, transfer_cache_internals.h, central_freelist.h, thread_cache.h and
// internal/percpu_tcmalloc.h at ca824711 (January 2023), 1e2dca59 (March 2024), 0bdea50d (August 2024), 63c98ed2
// (June 2025), cfdc091e (July 3, 2026: spans with 192 bits), 48d93331 (July 28, 2026) and 77fbeb5b (August 12, 2026:
// three levels). Since a release between August 21 and November 2026 the first page's word has the number of
// pages, too; the layout is known from a core of workerd 1.20261117.1.
//
// LIMITATIONS: x86-64 and pages of 8 KiB only. Pages that the page heap has free are in no span, and are not
// shown. A sampled object has the size of its span. Objects of the guarded pages are not known. Caches of
// processors are read as of January 2023, by the sources alone. The layouts of July and August 2026 are read by
// the sources alone, and so is the size of large and sampled objects since July 28, 2026. Builds with
// TCMALLOC_INTERNAL_LEGACY_LOCKING since July 2026 are not known. A process of several NUMA nodes has further
// caches that are not read.
package gtcmalloc
