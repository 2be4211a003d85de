// Package managed finds the objects of managed heaps that have blocks of the heap of C, or other memory
// outside of their heaps.
//
// Each runtime names such pointers of its objects (runtimes.ExternalHolder). Numbers that may be pointers
// count if a block begins there.
//
//	managed.go  Pointers: the pointers by the memory and by the object
package managed
