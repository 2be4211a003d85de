// Package chain steps along the records that link frames: the frame pointer's records, and the back
// chain of ABIs that link stack pointers. See step.Links for how an ABI places them.
//
// Both check that a record leads further out on the same stack and returns to code that a call
// precedes, or that the records beyond corroborate it. If a function keeps no record, the innermost
// record belongs to a function further out, and package scan may find the caller first.
//
// Files:
//
//	fp.go    FP
//	back.go  Back
//
// Sources: see package step.
//
// LIMITATIONS: the record that a register points to may belong to a function further out. If an
// interrupted function keeps no record, its caller is lost unless its code is there or the top of the
// stack shows it.
package chain
