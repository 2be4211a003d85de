// Package jemalloc reads the records of the allocator jemalloc: its extents, their regions, and the caches of threads.
//
// The chain: the radix tree (extents_rtree, or arena_emap_global) in the data of a library or of a program.
// Its root is an array of pointers in that data. It is found by its shape, as libraries are stripped of its
// name: the leaf of a pointer has elements that refer to extents, each extent has the address that the path
// to it stands for, and the size class in the extent equals the one in the element. From the tree all
// extents, with their arena, size and state. A slab is an extent of regions of one size; a bitmap in its
// record says which are given out. Any other active extent is one large block. Regions in caches of threads
// are free, although the bitmap has them as given out: a cache bin in thread-local memory refers to a stack
// of addresses, which is a block of jemalloc itself.
//
//	layout.go  page sizes, levels of the tree and bits of records by version; size classes
//	tree.go    the root by its shape, and all extents
//	slab.go    regions of chunks, of extents and bitmaps
//	cache.go   caches of threads: tcache
//	own.go     the allocator's own memory: base blocks
//	malloc.go  Malloc: what is known, read once; the version
//
// Sources: jemalloc 5.1 to 5.3.1, include/jemalloc/internal/rtree.h, edata.h (extent_structs.h before 5.3),
// slab_data.h, bitmap.h, cache_bin.h, sc.h and base.h, src/base.c.
//
// LIMITATIONS: the default quantum of 16 bytes, or 8 on ARM of 32 bits. Version 5.0 and older ones have other
// records, as have versions before 5.3 on processors of 32 bits. Caches of threads are looked for near the
// thread pointer; if a cache's stack is known and the cache is not, a note says so. Pages of the huge page
// allocator (opt.hpa) that no extent has are not shown.
package jemalloc
