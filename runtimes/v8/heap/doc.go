// Package heap finds and walks V8's heaps: pages, the size of every object, references, and the
// reason why an object is kept.
//
// The chain: every aligned chunk of the core is tried as a page (pages.go, spaces.go), by the
// layout that fits most of them; pages are walked from object to object, by sizes
// that maps have or that rules compute (walk.go, maptable.go, size.go, size_parts.go), which the
// instances of a type may choose (rules.go); areas for allocation are passed over
// (gaps.go, gaps_local.go, gaps_young.go), and what a collection left behind is settled (settle.go,
// collecting.go, collecting_copies.go, freedpages.go), as is what threads were making
// (making.go). All heaps of a process are its Heaps' (heap.go). Of that are made groups by shape (groups.go), sums by type (types.go), functions and scripts (functions.go),
// isolates (isolates.go, offset.go), references (refs.go, between.go) and
// the graph of all objects (graph.go, edges.go, dispatch.go, roots.go, roots_tables.go, roots_traced.go), which is
// written as V8's own snapshots have it (snapshot*.go), and what queries over all of them
// read (query.go); locate.go says what an address is part of, places.go where objects are declared. stats.go has the figures that V8 keeps itself.
//
// What reads pages and objects is a Reader's and knows no Heap (reader.go, pages.go,
// walk.go, maptable.go, size*.go, rules.go, gaps*.go, stats.go, offset.go); the rest is Heap's.
//
// Upstream: heap/memory-chunk-layout.h and its kin, heap/spaces.h,
// heap/scavenger.cc, heap/mark-compact.cc, the SizeFor functions of objects/*.h.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: sizes of types that no rule is known for are learned from what
// follows their instances; a word on a stack is taken for a root where nothing says
// what it is; objects of C++ that have traced handles are not read, so that what a dead one
// has counts. V8's own figures are computed by running its code on a copy of the
// memory, so they need that code, on x86-64: a bundle of stacks alone lacks it. The
// limits of the generations among them are guesses, marked as such.
package heap
