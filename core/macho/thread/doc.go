// Package thread reads the threads of Mach-O cores: their registers, and why the processor stopped one of
// them. It is given the bytes of an LC_THREAD, and knows neither memory nor images. Sources: xnu-11417,
// osfmk/mach/i386/thread_status.h, osfmk/mach/arm/thread_status.h, osfmk/mach/exception_types.h,
// bsd/uxkern/ux_exception.c; Intel SDM volume 3, table 6-1; Arm ARM, ESR_EL1.
//
// Map of the files:
//
//	thread.go  Thread: flavors of registers to a core.Thread
//	fault.go   Fault: exception states to a signal
//	states.go  where in a core's file the registers are
//
// LIMITATIONS: AVX and AVX-512 states are shown without the upper halves of the registers.
package thread
