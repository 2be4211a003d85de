// Package m68k knows the instructions of the Motorola 68000 family, 68020 and later, and the ColdFire
// instructions that compilers use, as far as they show the frame of a function and how it is taken
// down.
//
// A call pushes its return address, and compilers push arguments that they take off the
// stack calls later or not at all before unlk: which frame a function has at one of its
// instructions is what the instructions on the way there have made, along jumps.
//
// Files:
//
//	set.go       Set
//	decode.go    insn: lengths, operands, which registers change
//	float.go     instructions of the floating-point unit, whose lengths count
//	control.go   where control goes, calls, returns, tables of jumps
//	way.go       what an instruction does to the stack
//	prologue.go  the frame of a function at an instruction of it
//
// Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), 2 (effective
// addresses), 4 and 5; ColdFire Family Programmer's Reference Manual, 4.
//
// LIMITATIONS: a caller does not know the number of bytes that a callee ending in rtd takes off the
// stack. Privileged instructions of memory management end a way.
package m68k
