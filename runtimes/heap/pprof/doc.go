// Package pprof writes a heap as a profile that "go tool pprof" reads: what is in it, by what
// retains it.
//
// A sample is the objects of one class that the same classes dominate: its stack is their
// chain in the dominator tree, the class itself as the leaf. Objects of one class that
// dominate each other, as those of a list do, are one frame. Values are objects and bytes,
// those outside the heap included; so the cumulative bytes of a frame are what its objects, one
// by one, retain: what only several of them keep together is not in it.
//
// The format is profile.proto of github.com/google/pprof, compressed by gzip; that library
// writes it.
//
// LIMITATIONS: chains longer than 64 classes, and those after the first million different
// ones, end where they are cut: their objects count there.
package pprof
