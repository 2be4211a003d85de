// Package redact leaves secrets out of a core that goes into a bundle. It turns them into gaps and
// zeros of a bundle.Planned, and searches the written bytes once more. Package core/bundle/secret
// defines secrets and finds pieces of them.
//
// Sources: Linux, fs/binfmt_elf.c and fs/exec.c, arch/*/include/uapi/asm/sigcontext.h; XNU,
// bsd/kern/kern_exec.c.
//
// Map of the files:
//
//	arguments.go  where arguments and environment are
//	redact.go     Core: memory, notes, registers
//	sigframe.go   registers in signal frames
//	minidump.go   what a minidump has outside of memory
//	check.go      Check: nothing is left
//
// LIMITATIONS: it knows the secrets that a process was started with or put into its environment, no others.
package redact
