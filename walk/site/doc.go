// Package site knows the code of a process: what is at a place in it, which function that
// is of and which frame it has there, and which calls lead where. All of it is what stays
// the same in all walks, and is kept.
//
// A place is a Site: a program counter that was interrupted or is a return address. The
// module gives its row (package tables); the instructions before it, back to the
// function's start, give a frame, and those after it another one (package isa), which are
// asked for when they are needed. Whether a call can have led to a function is told by
// following what it calls along its direct jumps, to tail calls and through stubs.
//
// Files:
//
//	text.go   Text: the code of a process; what is executable, what is not part of a code address
//	site.go   Site, At; the call before a return address
//	start.go  where functions begin: as images list them, as symbols and descriptions have it
//	shape.go  the frame at a place by the instructions before it
//	way.go    by those from an interrupted instruction on, without a call
//	ahead.go  by those from a return address on, over calls
//	reach.go  what instructions lead to
//	leads.go  whether a call leads to a function, whether one place leads to another
//	target.go where a call leads, through stubs
//
// LIMITATIONS: a jump by a register or through a table leads anywhere; a function of
// which no image and no symbol says where it begins has no frame by the instructions
// before a place, but for the program's entry point.
package site
