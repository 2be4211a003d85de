// Package pprof writes a heap as a profile that "go tool pprof" reads: its objects, by their retainers.
//
// A sample is the objects of one class that the same classes dominate: its stack is their chain in the
// dominator tree, the class itself as the leaf. Objects of one class that dominate each other, as in a
// list, are one frame. Values are objects and bytes, including bytes outside the heap. So the
// cumulative bytes of a frame are the bytes that its objects retain one by one, without memory that
// only several of them keep together.
//
// The format is profile.proto of github.com/google/pprof, compressed by gzip; that library
// writes it.
//
// LIMITATIONS: chains longer than 64 classes, and chains after the first million different ones, are
// cut: their objects count where the cut is.
package pprof
