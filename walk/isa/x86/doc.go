// Package x86 knows the instructions of x86-64, also with addresses of 4 bytes (x32), and i386.
//
// The length of each instruction is decoded, and the rest that matters if it touches the stack. A
// function is followed from its start along its direct jumps to one instruction; if no jump leads
// there, its frame is the one that most of its calls are made in. On the way out of a function push,
// pop, leave and arithmetic move the stack pointer, and moves, arithmetic and comparisons the numbers
// in registers.
//
// Files:
//
//	set.go       AMD64, X32, I386
//	decode.go    the length of instructions, their operands
//	control.go   jumps, calls, returns, stubs
//	prologue.go  the frame that a function has at an instruction; its first instructions
//	stash.go     frame pointers that are stored with mov
//	way.go       what an instruction does to the stack on the way out
//	values.go    what it does to numbers and flags
//
// Sources: Intel SDM volume 2, appendix A for opcodes; the System V ABIs for the registers that
// functions save.
//
// LIMITATIONS: jumps through tables are not followed. Bytes of registers and their flags,
// vectors, and parity are not known.
package x86
