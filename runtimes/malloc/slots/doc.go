// Package slots shows the heap of a runtime whose objects are in slots (runtimes.Slotter), such as Go's, as
// an allocator's. Pointers between its objects and blocks of the C heap can be followed then, and words in
// unused slots are left out.
//
//	slots.go  Heap: an allocator of the slots; Holes: what leads to nothing
//
// LIMITATIONS: objects have the size of their slots.
package slots
