// Package tls finds the thread-local blocks of modules: what __thread and thread_local variables,
// errno among them, have for each thread.
//
// The chain: the thread pointer of a thread; for the executable, the block lies where the ABI
// puts it. For a library, a word of its global offset table says where: the distance of its
// block from the thread pointer, or the number of the module, which the thread's dynamic thread
// vector (DTV) leads from to the block.
//
// Files:
//
//	tls.go     Address: the place of a variable; the executable's block
//	library.go the blocks of libraries, by words of their global offset tables
//	dtv.go     the dynamic thread vector of glibc and of musl
//	errno.go   errno of musl, which is no variable, and by the code of glibc's __errno_location
//
// Sources: U. Drepper, "ELF Handling For Thread-Local Storage"; glibc 2.36, sysdeps/*/nptl/tls.h,
// sysdeps/generic/dl-dtv.h; musl 1.2.5, src/internal/pthread_impl.h, ldso/dynlink.c.
//
// LIMITATIONS: dynamic thread vectors of Linux only, not of Android. A library without a word for its
// own block, or whose words are not in the core, has no answer.
package tls
