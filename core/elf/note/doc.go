// Package note reads the notes of ELF cores: threads with their registers, signals, the process' names,
// the mappings of files. It takes bytes and fills a core.Process. It neither reads the core's memory
// (except for Decoder.PickCrashed) nor knows images.
//
// The object chain: a segment of notes to single notes (reader), whose sizes may lie; NT_PRSTATUS, or
// another system's equivalent, and the notes after it to threads; NT_PRPSINFO, NT_SIGINFO and NT_AUXV
// to the process; NT_FILE to mappings. Two types share the work: a machine decodes a thread's notes and
// knows no process; a Decoder over it puts the process together. Sources: Linux 6.12, fs/binfmt_elf.c,
// include/uapi/linux/elf.h, arch/*/include; core(5); GDB's gcore; QEMU, linux-user/elfload.c; FreeBSD,
// NetBSD, OpenBSD and illumos, as each file names them.
//
// Map of the files, from the lowest up:
//
//	notes.go          reader: notes out of bytes; the names of Linux' types
//	auxv.go           the auxiliary vector
//	machine.go        machine: what decoding the notes of a thread depends on; places of registers
//	signal.go         siginfo_t and the names of signals, by machine and system
//	prstatus.go       general registers, NT_PRSTATUS
//	cputime.go        processor times of threads
//	regset.go         floating-point and vector registers, except on x86
//	scalable.go       scalable vectors and the matrix of arm64
//	xstate.go         the same on x86
//	systems.go        registers of the BSDs and of illumos
//	systemvectors.go  floating-point registers of the BSDs
//	vectors.go        which notes hold such registers
//	decoder.go        Decoder: what is known of a process so far
//	process.go        the notes of a process
//	threads.go        its threads
//	files.go          NT_FILE
//	crashed.go        the thread that the signal hit
//	bsd.go            notes about the process of FreeBSD, NetBSD and OpenBSD
//	illumos.go        the same of illumos and Solaris
//
// LIMITATIONS: registers of x86-64, x32, i386, aarch64, arm, riscv64, ppc, ppc64, s390, s390x, mips
// (o32, n32, n64), sparc64, loongarch64 and m68k. No AMX registers. From cores of illumos, and from BSD
// cores other than x86 and Arm, only general registers are read, no floating-point ones.
package note
