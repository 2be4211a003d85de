// Package kernel describes the data that kernels leave on a thread's stack and in its registers: the
// code that a signal handler returns to and the data there, the registers in a ucontext_t, the state of
// a thread that was just made, and the instructions that a signal leaves the program counter after. It
// is data by architecture, with code that recognises it; it steps nowhere.
//
// Files:
//
//	signal.go    Trampolines: the code sequences that return from handlers of Linux
//	ucontext.go  UContext
//	macos.go     the structs of macOS, which calls a function that returns from handlers
//	cloned.go    Cloned: threads that clone has just made
//	trap.go      Trapped: signals after the instruction
//
// Sources: Linux, arch/*/kernel/signal*.c and uapi/asm/sigcontext.h of each architecture,
// uapi/linux/sched.h; xnu-11417, bsd/sys/_types/_ucontext64.h and osfmk/mach/*/_structs.h.
//
// LIMITATIONS: signal frames of other systems are not known, nor any of sparc64. If a program has
// installed its own trampoline, only the trampoline's frame description shows it.
package kernel
