// Package kernel gives the requests of a process' threads to Linux: the system calls that they were in
// when the process ended, with their arguments, and the futexes that they waited for.
//
//	call.go   how each architecture calls the kernel
//	name.go   the names of system calls
//	futex.go  the arguments of a call that waits for a futex
//
// LIMITATIONS: calls of architectures other than x86-64, i386, arm64 and 32-bit Arm are not
// known.
package kernel
