// Package site knows the code of a process: the instruction at a place, its function and that
// function's frame there, and which calls lead where. All of this is the same in all walks, and is
// kept.
//
// A place is a Site: a program counter that was interrupted or is a return address. The module gives
// its row (package tables). The instructions before it, back to the function's start, give a frame, and
// the instructions after it another one (package isa), both on demand. Whether a call can have led to a
// function is decided by following the called code along its direct jumps, to tail calls and through
// stubs.
//
// Files:
//
//	text.go   Text: the code of a process; executable places, the bits of a code address
//	site.go   Site, At; the call before a return address
//	start.go  where functions begin: as images list them, as symbols and descriptions have it
//	shape.go  the frame at a place by the instructions before it
//	way.go    by the instructions from an interrupted one on, without a call
//	ahead.go  by the instructions from a return address on, over calls
//	reach.go  what instructions lead to
//	leads.go  whether a call leads to a function, whether one place leads to another
//	target.go where a call leads, through stubs
//
// LIMITATIONS: a jump by a register or through a table leads anywhere. If neither an image nor a symbol
// gives the start of a function, the instructions before a place give no frame there, except at the
// program's entry point.
package site
