// Package fault explains the signal of a process from the side of the processor: the address, the
// instruction, the mapping.
//
//	signal.go        a signal, and how a process ended, in words
//	fault.go         the explanation: accesses, instructions
//	handled.go       the signal that a handler was called for before it raised its own
//	left.go          the same of a handler that has returned, by the frame that it left
//	handlerframe.go  where the kernel puts what a handler is called for
//	refused.go       faults whose address is not recorded, by the instruction's operands
//	jump.go          jumps to where there is no code
//	trap.go          instructions that trap: divisions, system calls, code outside all files
//	traps.go         the traps of compilers and sanitizers, by their operands
//	windows.go       exceptions of Windows whose code says enough
//	tags.go          tags of memory (MTE) that an access did not have
//	lies.go          the memory at an address
//	explainer.go     clauses about one signal
//
// LIMITATIONS: on 32-bit Arm, MIPS, PowerPC, s390x and RISC-V the operands of instructions are not
// known, so that a fault without an address stays unexplained. The signal of a handler is known on x86
// and Arm; for a handler that has returned from a stack of its own it is known only on their 64-bit
// variants.
package fault
