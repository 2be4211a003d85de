// Package track knows the instructions of 32-bit Arm, MIPS, PowerPC, RISC-V, s390 and LoongArch, as far
// as they show the frame of a function.
//
// All have one follower: it tracks the contents of registers and of the words of the stack in terms of
// the function's start (its own value, a place on the stack, a constant) through each instruction from
// there on, in one pass. The effect of an instruction is a step of its processor, in a file by its
// name.
//
// Files:
//
//	set.go      the instruction set of each
//	tracker.go  tracker: follows a function by a processor's steps
//	track.go    tracked: what registers and the stack hold
//	arm.go, thumb.go, mips.go, ppc.go, riscv.go, s390.go, loongarch.go  the steps, and which are calls
//	armcall.go  calls and returns of Arm, in either state
//
// Sources: Arm ARM DDI 0406C; MIPS Architecture for Programmers, volume II-A; Power ISA
// 3.1; The RISC-V Instruction Set Manual, volume I; z/Architecture Principles of
// Operation; LoongArch Reference Manual, volume 1.
//
// LIMITATIONS: the way out of a function is not followed (isa.Way), nor code of MIPS16 and microMIPS.
// If s390 moves the stack pointer by a constant in memory, the frame is not known. Arm's and Thumb's
// code is told apart by its looks.
package track
