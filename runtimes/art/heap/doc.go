// Package heap walks the Java heap: its spaces and objects, their references, JNI's references, the
// loaded classes and their loaders.
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
//	refs.go      the references in an object, and the references to given objects
//	jniref.go    JNIRef: global, weak and local references
//	jnitotal.go  JNITotal: these, by class
//	classes.go   all classes, by name or as a super class
//	dexfiles.go  dex files, if the ClassLinker does not list every class's
//	graph.go     Source: the heap as a graph: parts, classes
//	query.go     strings, arrays and fields of objects, for queries over all of them
//	graphreader.go  objects and references of parts, by many goroutines
//	graphroots.go   references to objects from outside the heap
//	graphdescribe.go  objects and references in words
//	interns.go   interned strings, in hash tables
//	classtables.go  objects that class loaders keep
//	backlog.go   references that wait; class loaders
//
// Upstream: runtime/gc/heap.h, heap-visit-objects-inl.h, runtime/gc/space/*.h,
// runtime/gc/accounting/space_bitmap.h, atomic_stack.h,
// runtime/jni/indirect_reference_table.h, local_reference_table.h of AOSP's art repository;
// libcore's java.lang.ref.
//
// Versions: as package layout.
//
// Roots are the roots that Runtime::VisitRoots and Thread::VisitRoots visit (runtime/runtime.cc, thread.cc,
// class_linker.cc, intern_table.cc), and all objects of images, which no collection frees.
//
// LIMITATIONS: Not among the roots are: method types that dex caches resolved, which are
// in native arrays; arguments of native methods where the caller's registers do not have
// them; arguments of calls that are being resolved, except for JNI's local
// references to them; what a debugger, instrumentation, a transaction or a method verifier
// holds; the asynchronous exception of a thread. Words of a thread's stack are roots only
// while it is Runnable, or where what its frames, handle scopes or JNI locals hold could
// not be read. Frames of compiled code of Android 8 and 9 cannot be read, as their stack
// maps are not decoded. Classes count as kept by their loader whether or not they are in
// its table yet. Bytes outside the heap that objects own are not counted. In the programs
// of the live cores every object has a certain root, except for the objects they let go.
//
// Real heaps were walked with region and bump-pointer spaces, dlmalloc, and both kinds
// of large objects, after collections too; rosalloc, zygote and image spaces only as laid
// by hand.
package heap
