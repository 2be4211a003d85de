// Package hprof writes the Java heap as Android itself does: JAVA PROFILE 1.0.3, which
// Android Studio, Eclipse MAT, ahat, Shark and VisualVM open.
//
// The object chain: the classes of the heap give the strings and the LOAD_CLASS records
// that come first; then follow segments of the heap dump with roots and with all objects
// in the order of their spaces.
//
// Files:
//
//	tags.go     Android's heaps; the format's numbers are in runtimes/heap/hprof/format
//	write.go    Write: strings, classes, roots, objects
//	class.go    CLASS_DUMP: what classes look like, their static fields
//	object.go   instances and arrays
//
// The format is Android's (runtime/hprof/hprof.cc of AOSP's art repository): identifiers are addresses, of 4
// bytes; a String has a field "value" for its characters, which are an array of their own; the fields of a
// java.lang.Class are static fields of the class with "$class$" in front, and the rest of its bytes an array
// "$classOverhead"; the objects in a class loader's table are an array "runtimeInternalObjects" of the loader;
// each object belongs to the heap "app", "zygote" or "image". Classes that were replaced while they were linked
// are left out.
//
// Versions: as package layout. Files that ART 10, 11 and 14 wrote themselves have the same classes, objects,
// values and roots, except as LIMITATIONS says.
//
// LIMITATIONS: There are no allocation sites, and no stack traces: roots in frames name
// their thread only. Fields of classes whose dex file is missing are named by their
// offsets, and typed by their sizes. The header's time is 0. Bytes that the core does not
// have are zero. Dex caches have no
// "runtimeInternalObjects", as what they resolved is kept by other roots. The verifier's roots,
// which are classes of the boot class path, and the JniIdManager's one Object are no roots;
// handle scopes are frames, not native stacks.
package hprof
