// Package signal steps out of signal handlers, to the interrupted frame.
//
// On Linux the handler returns to a trampoline: a known code sequence (kernel.Trampolines), or a
// function whose frame description has augmentation S and itself gives the places of the registers.
// These are above it on the stack. On macOS the kernel calls a function that calls the handler; a
// structure that points into itself identifies the kernel's data on the stack.
//
// Files:
//
//	signal.go   Unwinder; MarkTrap
//	macos.go    MacOS
//	context.go  Context: a ucontext_t, of a handler or of a coroutine
//
// Sources: see package kernel; libplatform-349, src/setjmp (_sigtramp).
//
// LIMITATIONS: handlers of other systems than Linux and macOS are passed where their
// trampoline has a frame description only.
package signal
