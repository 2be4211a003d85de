// Package heap knows the Java heap of HotSpot: the spaces of each collector, their objects and the roots.
//
//	Universe::_collectedHeap → the heap, of the class that the flags name (UseSerialGC, UseParallelGC, UseG1GC …)
//	SerialHeap or GenCollectedHeap: _young_gen → DefNewGeneration: _eden_space, _from_space, _to_space; _old_gen →
//	  TenuredGeneration: _the_space. A ContiguousSpace has objects from _bottom to _top. JDK 8: GenCollectedHeap._gens
//	ParallelScavengeHeap: _young_gen → PSYoungGen, _old_gen → PSOldGen: MutableSpaces, alike
//	G1CollectedHeap._hrm._regions: a table of regions, alike; an object that is larger than half of one has its own, and
//	  reaches into the next ones
//	ShenandoahHeap._regions, EpsilonHeap._space
//
// Objects follow one another. The only gaps are the unused ends of allocation buffers: from ThreadLocalAllocBuffer._top to its
// _end and a reserve. Where an object has no class that is known, as between what a
// collector under way has moved, the walk goes on at the next address that one has, and counts the bytes.
//
// Files:
//
//	spaces.go    Spaces: where objects are
//	walk.go      the objects of a space
//	source.go    the heap as a graph
//	roots.go     what refers to objects from outside
//	storage.go   references of JNI and of the virtual machine itself
//	virtual.go   virtual threads
//	describe.go  what objects and references are called
//
// Sources: share/gc/{serial,parallel,g1,shenandoah,epsilon,shared} and share/runtime/jniHandles.hpp of JDK 17 and 25;
// share/gc/shared/oopStorage.hpp for the layout of JNI's global references, which the tables do not have: it is checked.
//
// LIMITATIONS. ZGC's heap is not read, and the old generation of CMS is not. G1 before JDK 20 knows by its bitmaps which objects
// of a region are dead, which the tables do not have: these count as garbage here, and not at all in the JVM's own counts.
// JDK 8 has no lists of classes in its tables: they are found by their java.lang.Class in the heap. The walk of
// JDK 27's heap has gaps, whose cause is not known: they are counted.
// Constants of compiled code are not roots; words of stacks stand for the references of frames.
package heap
