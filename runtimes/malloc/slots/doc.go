// Package slots shows the heap of a runtime whose objects are in slots (runtimes.Slotter), such as Go's, as an allocator's: to follow
// pointers between its objects and blocks of the heap of C, and to leave out words that nobody uses.
//
//	slots.go  Heap: an allocator of the slots; Holes: what leads to nothing
//
// LIMITATIONS: objects have the size of their slots.
package slots
