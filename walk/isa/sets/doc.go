// Package sets has the instruction set of each architecture. It imports all processors, and itself has
// the sets of processors that little is known about. Other packages ask here, and see only a
// processor's isa.Set.
//
// Files:
//
//	sets.go   For
//	sparc.go  calls of SPARC V9
//
// Sources: The SPARC Architecture Manual,
// version 9.
//
// LIMITATIONS: the Set of an architecture that is in no case of For is empty.
package sets
