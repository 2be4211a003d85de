// Package span does the arithmetic of bundles: ranges of a file, spans that tile it, and where a core's file
// has the memory of the process.
//
// Map of the files:
//
//	span.go    ranges; data, zeros and gaps of a file
//	memory.go  memory of a process as ranges of its core; stacks
//	size.go    sizes in words
//
// LIMITATIONS: zeros are found by blocks of 4 KiB.
package span
