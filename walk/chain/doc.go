// Package chain steps along the records by which frames are linked: that of the frame
// pointer, and the back chain of ABIs that link stack pointers. How an ABI has them is
// step.Links.
//
// Both check that a record leads further out on the same stack and returns to code that
// a call precedes, or that the records beyond bear it out. A function that keeps no record
// is below the one that does: of it package scan may find the caller first.
//
// Files:
//
//	fp.go    FP
//	back.go  Back
//
// Sources: those of package step.
//
// LIMITATIONS: the record that a register points to may be that of a function further
// out: of an interrupted function without one the caller is lost if its code is
// not there and the top of the stack does not show it.
package chain
