// Package kernel says what kernels leave for a thread on its stack and in its registers:
// where a signal handler returns to and what lies there, where a ucontext_t keeps
// registers, how a thread looks that was just made, and after which instructions a signal
// leaves the program counter. It is data by architecture, and what recognises it; it
// steps nowhere.
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
// LIMITATIONS: signal frames of other systems are not known, of sparc64 none.
// Where a program has installed a trampoline of its own, only its frame description says
// so.
package kernel
