// Package leave finds the caller of an interrupted frame by the function's instructions,
// with the values that its registers have: for code that moves its stack pointer by what
// a register holds, as that of managed runtimes does, and that has no table.
//
// It needs a process and a frame, and nothing that a walk keeps.
//
// LIMITATIONS: processors without isa.Set.Apply are not followed: all but x86-64, i386,
// aarch64 and m68k.
package leave
