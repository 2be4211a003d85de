// Package leave finds the caller of an interrupted frame by the function's instructions and the values
// of its registers. It is for code without a table that moves its stack pointer by the contents of a
// register, as code of managed runtimes does.
//
// It needs a process and a frame, and no state of a walk.
//
// LIMITATIONS: only processors with isa.Set.Apply are followed: x86-64, i386, aarch64 and m68k.
package leave
