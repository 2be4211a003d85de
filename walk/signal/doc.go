// Package signal steps out of signal handlers, to what the signal interrupted.
//
// On Linux the handler returns to a trampoline: a code sequence that is known
// (kernel.Trampolines), or a function whose frame description has augmentation S and says
// itself where the registers are. They lie above it on the stack. On macOS the kernel
// calls a function that calls the handler; what it has put on the stack is recognised by
// what it says of itself.
//
// Files:
//
//	signal.go   Unwinder; MarkTrap
//	macos.go    MacOS
//	context.go  Context: a ucontext_t, of a handler or of a coroutine
//
// Sources: those of package kernel; libplatform-349, src/setjmp (_sigtramp).
//
// LIMITATIONS: handlers of other systems than Linux and macOS are passed where their
// trampoline has a frame description only.
package signal
