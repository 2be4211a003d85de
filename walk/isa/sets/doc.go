// Package sets has the instruction set of each architecture: it knows all processors, and
// itself those of which little is known. Who follows code asks here, and sees nothing of
// a processor but its isa.Set.
//
// Files:
//
//	sets.go   Of
//	sparc.go  calls of SPARC V9
//
// Sources: The SPARC Architecture Manual,
// version 9.
//
// LIMITATIONS: an architecture that is in no case of Of has a Set that says nothing.
package sets
