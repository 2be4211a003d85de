// Package arm64 knows the instructions of aarch64.
//
// A function is followed from its start to one instruction in one pass over its code:
// forward jumps bring the frame that they had to where they lead. On the way out of a
// function loads and stores of pairs and arithmetic move the stack pointer, and all
// integer instructions the numbers in registers.
//
// Files:
//
//	set.go       Set
//	control.go   branches, calls, returns, stubs, instructions that set the link register
//	prologue.go  the frame that a function has at an instruction
//	way.go       what an instruction does to the stack on the way out
//	values.go    what it does to numbers and flags
//
// Sources: Arm ARM DDI 0487, chapters C4 and C6; AAPCS64; AAELF64 for linkage tables.
//
// LIMITATIONS: jumps backwards bring no frame. Values that atomic instructions load are not known, and
// numbers in vectors are not followed.
package arm64
