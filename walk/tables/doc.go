// Package tables has the information of each module of a process about its functions: the row of call
// frame information that holds at an address, and the starts of functions.
//
// A module's image has .eh_frame or .debug_frame (package cfi), its separate debug file
// more of the latter, an image of Mach-O compact unwind information (package compact), one
// of 32-bit Arm exception tables (package ehabi), a program of Go how deep its functions' frames
// are at each instruction (package pcln). Each is parsed on first use. An image
// without section headers has its .eh_frame where that was mapped.
//
// Files:
//
//	tables.go   Tables of a process, Module of one of its modules
//	golang.go   rows of programs of Go
//	compact.go  the order of compact entries, __eh_frame and stubs
//
// LIMITATIONS: without its image a module gives no information, even if parts of its tables are in the
// core.
package tables
