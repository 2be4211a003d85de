// Package faults finds overwritten parts of a heap and the block that overran: headers that do not
// fit, free-list links that lead to no chunk.
//
//	faults.go  Find: all that contradicts itself
//	side.go    from which side a header was overwritten
//	run.go     bytes that look like one write over the boundary of two blocks
package faults
