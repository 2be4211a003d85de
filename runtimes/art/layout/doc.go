// Package layout holds the offsets and sizes that decoding ART needs, for each
// version, pointer size and C++ library. It reads the memory of a process with
// them.
//
// The object chain: a Runtime is recognized by its java_vm_, which leads back. Its ThreadList holds a std::list
// of art::Threads, and each leads by its JNIEnvExt and JavaVMExt to the Runtime again.
//
// Files:
//
//	layout.go      Layout: the members of the runtime's own objects; rows of the tables
//	tables.go      the tables of the runtime's objects by version
//	mirror.go      objects of the Java heap, its spaces, monitors, JNI's tables
//	dex.go         the way to the dex files
//	memory.go      Memory: words, references and bytes of the process
//	containers.go  std::string, std::vector and std::map of both C++ libraries
//	threadlist.go  the addresses of the threads, and words that may be some
//
// Upstream files are named in the tables, by row: runtime/runtime.h,
// runtime/thread.h, runtime/art_method.h, runtime/mirror/*.h, runtime/gc/space/*.h
// and others of AOSP's art repository; offsets of Android builds are figures of
// OpenCoreAnalysisKit.
//
// Versions known: Android 8.0 to 16 QPR (SDK 26 to 37), 64 and 32 bit, built with
// libc++ as Android is, or with libstdc++ as Debian's packages are.
//
// LIMITATIONS: for SDK 29, 30 and 34 with libstdc++ the numbers were checked against compiled headers, or
// against real processes. For other versions they were checked against OpenCoreAnalysisKit's figures and the
// declarations of classes. testdata has these witnesses.
package layout
