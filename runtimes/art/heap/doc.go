// Package heap goes through the Java heap: its spaces and objects, what refers to
// what, JNI's references, the classes that are loaded and their loaders.
//
// The object chain: a Runtime's gc::Heap lists Spaces, whose objects follow one
// another, or are marked in a bitmap, or listed; see Heap. JavaVMExt and each
// thread's JNIEnvExt have the tables of JNI's references.
//
// Files:
//
//	heap.go      Walker, Heap: walking all or some spaces, finding the object around an address; Histogram
//	spaces.go    Space: kinds of spaces, bitmaps, allocation stacks
//	parts.go     the parts of spaces that can be walked without the rest: regions, blocks
//	walk.go      objects one after another, by bitmap
//	blocks.go    sizes of blocks of bump-pointer spaces; large objects
//	refs.go      the references in an object, and those to some
//	jniref.go    JNIRef: global, weak and local references
//	classes.go   all classes, by name or as a super class
//	dexfiles.go  dex files, where the ClassLinker does not list those of all classes
//	backlog.go   references that wait for somebody; class loaders
//
// Upstream: runtime/gc/heap.h, heap-visit-objects-inl.h, runtime/gc/space/*.h,
// runtime/gc/accounting/space_bitmap.h, atomic_stack.h,
// runtime/jni/indirect_reference_table.h, local_reference_table.h of AOSP's art repository;
// libcore's java.lang.ref.
//
// Versions: those of package layout.
//
// LIMITATIONS: real heaps were walked with region and bump-pointer spaces,
// dlmalloc, and both kinds of large objects, after collections too; rosalloc,
// zygote and image spaces only as laid by hand.
package heap
