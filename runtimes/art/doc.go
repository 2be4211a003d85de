// Package art decodes the Android Runtime (ART) in a dead process: its version
// and layout, its threads, and its frames of every kind, the Java heap, and who
// holds which lock.
//
// It is a facade over rooms, packages that import only the earlier ones:
//
//	dex, codeinfo, oat  files and tables that the compiler and dex2oat wrote
//	property            Android's system properties
//	layout              the numbers of each version, and the memory read by them
//	code                methods, their dex files, their compiled code
//	object              objects of the Java heap
//	frame               threads, their frames, unwinding
//	heap                spaces, walking, references, all classes
//	hprof               the heap as a file that other tools open
//	sync                locks, who holds them and who waits
//	inspect             values with their contents, as text and as JSON
//
// An ART embeds the struct of each. The facade itself finds the runtime, chooses the layout that suits the
// process best, and says how sure that is.
//
// Files:
//
//	art.go      ART
//	probe.go    Probe: finding the Runtime, and trying all layouts on it
//	version.go  the version; SelfTest
//	graph.go    the graph of the Java heap; writing it as a file
//	memory.go   which memory the Java heap has
//	leaks.go    what is known to leak on Android
//	whatis.go   the object at an address
//	objects.go  objects and classes, for the commands over Java
//	cause.go    the exception that the process ended with
//	waits.go    deadlocks; the main thread's wait
//	jniabort.go ART's message before it aborts for a call through JNI
//
// Facts come in this order: exported symbols of libart, probes on known objects
// of the core, the tables of package layout, or "unknown".
//
// Versions known: Android 8.0 to 16 QPR (SDK 26 to 37), 64 and 32 bit, built with
// libc++ as Android is, or with libstdc++ as Debian's packages are. Checked
// against real processes: SDK 29, 30 and 34 built with libstdc++.
//
// LIMITATIONS: see the rooms. The numbers of unchecked versions rest on their tables alone.
//
// Sources: AOSP's art repository, by file, in the comments; offsets of Android
// builds are figures of OpenCoreAnalysisKit.
package art
