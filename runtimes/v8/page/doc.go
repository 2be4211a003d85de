// Package page finds the pages of V8's heaps, and walks the objects on them. It knows no heap: package heap makes
// heaps of the pages.
//
// The chain: every aligned chunk of the core is tried as a page, by the layout that fits most of them. Pages are
// walked from object to object, by sizes that maps have or that rules compute, which the instances of a type may
// choose. Areas for allocation are passed over.
//
// Files, from the lowest up:
//
//	reader.go      the process
//	offset.go      V8's own code, run over the process: where a Heap is in its Isolate
//	pages.go, spaces.go  the pages and their spaces
//	size.go, size_parts.go  rules for the sizes of objects
//	maptable.go    the maps that were met
//	walk.go, rules.go  walking, and rules learned from it
//	objects.go     questions about objects of a page
//	gaps.go, gaps_local.go, gaps_young.go  areas for allocation
//
// Upstream: heap/memory-chunk-layout.h and its kin, heap/spaces.h, the SizeFor functions of objects/*.h.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: the size of a type without a rule is learned from the objects after its instances.
package page
