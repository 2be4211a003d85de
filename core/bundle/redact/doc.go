// Package redact leaves secrets out of a core that goes into a bundle: it makes gaps and zeros of them in a
// bundle.Planned, and searches once more what was written. What a secret is, and how pieces of it are found
// in bytes, is core/bundle/secret's.
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
