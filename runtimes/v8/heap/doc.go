// Package heap has V8's heaps: all objects of their pages, references, and the reason why an object is kept.
//
// The chain: package page finds the pages and walks them. A Walker walks all heaps of a process, and a Snapshot is what
// it found (heap.go). A builder (builder.go) makes it of its pages (build.go): it settles the remains
// of a collection (settle.go, collecting.go, collecting_copies.go, freedpages.go), and objects that threads were
// making (making.go). From a Snapshot are made groups by shape (groups.go), sums by type (types.go), functions and
// scripts (functions.go), isolates (isolates.go), references (refs.go), roots (root.go, rootfinder.go, roots.go,
// roots_tables.go, roots_stacks.go, roots_traced.go) and the graph of all objects (graph.go, edges.go,
// dispatch.go), which is written in the format of V8's own snapshots (snapshot*.go), and the input of queries
// over all objects (query.go); locate.go finds the object at an address, places.go the declarations of objects.
// stats.go has V8's own figures. Package reference names references as a program knows them.
//
// Upstream: heap/spaces.h, heap/scavenger.cc, heap/mark-compact.cc.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: a word on the stack of a thread that runs JavaScript counts as a root unless its meaning is
// known; one on another thread's stack does not, though a V8 that scans stacks conservatively counts it. C++
// objects with traced handles are not read, so the handles of a dead one count. V8's own figures are computed by
// running its code on a copy of the memory, so they need that code, on x86-64: a bundle of stacks alone lacks
// it. The limits of the generations are guesses, marked as such.
package heap
