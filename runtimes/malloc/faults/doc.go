// Package faults says what of a heap was overwritten, and by which block: headers that do not fit, links of free lists that
// lead to no chunk.
//
//	faults.go  Of: all that contradicts itself
//	side.go    from which side a header was overwritten
//	run.go     bytes that look like one write over the boundary of two blocks
package faults
