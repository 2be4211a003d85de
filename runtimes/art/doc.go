// Package art decodes the Android Runtime (ART) in a dead process: its version
// and layout, its threads, and its frames of every kind.
//
// The object chain of a frame: a Runtime holds a ThreadList, whose list holds
// the Threads; a Thread's ManagedStack is a chain of fragments, each a list of
// ShadowFrames or a run of quick frames that begins at a stack address and ends
// at a null ArtMethod. An ArtMethod's declaring_class is a mirror::Class, whose
// dex_cache leads to the DexFile; there the method's index gives its name, and
// the dex pc the line.
//
// The object chain of the heap: a Runtime's gc::Heap lists Spaces, whose objects
// follow one another, or are marked in a bitmap, or listed; see Heap. An object
// begins with its mirror::Class and its lock word. A class has its size, its
// super class, its ArtFields, and by its dex_cache the DexFile with their names.
// The lock word holds its owner, or leads to an art::Monitor.
//
// Facts come in this order: exported symbols of libart, probes on known objects
// of the core, the table of versions in this package, or "unknown".
//
// Versions known: Android 8.0 to 16 QPR (SDK 26 to 37), 64 and 32 bit, built with
// libc++ as Android is, or with libstdc++ as Debian's packages are. Checked
// against real processes: SDK 29, 30 and 34 built with libstdc++.
//
// LIMITATIONS: heap poisoning is not undone. Values in floating-point registers
// are not recovered. Where compiled code was interrupted away from a safepoint its
// line is the nearest that is known. The numbers of versions other than those that
// were checked rest on their tables alone.
// Real heaps were walked with region and bump-pointer spaces, dlmalloc, and both
// kinds of large objects, after collections too; rosalloc, zygote and image
// spaces only as laid by hand.
//
// Sources: AOSP's art repository, by file, in the comments; offsets of Android
// builds are figures of OpenCoreAnalysisKit.
package art
