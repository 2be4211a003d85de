// Package heap knows the Java heap of HotSpot: the spaces of each collector, their objects and the roots.
//
//	Universe::_collectedHeap → the heap, of the class that the flags name (UseSerialGC, UseParallelGC, UseG1GC …)
//	SerialHeap or GenCollectedHeap: _young_gen → DefNewGeneration: _eden_space, _from_space, _to_space; _old_gen →
//	  TenuredGeneration: _the_space. A ContiguousSpace has objects from _bottom to _top. JDK 8: GenCollectedHeap._gens
//	ConcurrentMarkSweepGeneration: _cmsSpace → CompactibleFreeListSpace, which has FreeChunks between the objects
//	ParallelScavengeHeap: _young_gen → PSYoungGen, _old_gen → PSOldGen: MutableSpaces, alike
//	G1CollectedHeap._hrm._regions: a table of regions, alike; an object that is larger than half of one has its own, and
//	  reaches into the next ones
//	ShenandoahHeap._regions, alike; the state of a region says whether it has objects, and whether they are being moved out of it
//	ZHeap._page_table → ZPage: the offset in the heap, the type, _top; ZHeap._forwarding_table → ZForwarding: where the objects
//	  of a page have been moved to
//	EpsilonHeap._space
//
// G1CollectedHeap → G1ConcurrentMark → two bitmaps, before JDK 20: objects below a region's top at the last
// marking that have no bit are dead, and are passed over, as the JVM's own counts do.
//
// Objects follow one another. The only gaps are the unused ends of allocation buffers: from
// ThreadLocalAllocBuffer._top to its _end and a reserve. Where an object has no class that is known, as
// between what a collector under way has moved, the walk goes on at the next address that has an object, by its
// mark word and the next object, and counts the bytes.
//
// Files:
//
//	spaces.go    Spaces: where objects are
//	zgc.go       the pages of ZGC
//	walk.go      the objects of a space
//	resume.go    where objects go on after what is none
//	histogram.go counts by class
//	source.go    the heap as a graph
//	classes.go   the classes, and which loader has them
//	roots.go     what refers to objects from outside
//	words.go     words of stacks and of the frames of virtual threads
//	query.go     fields of objects
//	g1marks.go   objects that G1 found dead, before JDK 20
//	cms.go       the old generation of CMS
//	storage.go   references of JNI and of the virtual machine itself
//	virtual.go   virtual threads
//	final.go     objects that wait to be finalized
//	direct.go    memory of direct buffers, outside of the heap
//	describe.go  what objects and references are called
//
// Sources: share/gc/{serial,parallel,g1,cms,shenandoah,epsilon,z,x,shared} and share/runtime/jniHandles.hpp
// of JDK 8, 11, 17, 21 and 25; share/gc/shared/oopStorage.hpp for the layout of JNI's global references,
// which the tables do not have: it is checked.
//
// LIMITATIONS. ZGC and Shenandoah count objects by following references (jmap -histo); here objects that
// nothing refers to are walked, too, and told apart as not reachable. While Shenandoah moves objects, the
// ends of the buffers of its workers are not known: a walk counts the bytes that it passes over there. Pages
// of ZGC that are compacted in place are walked as they are. The tables do not have the bitmaps of G1 before
// JDK 20: they are found by their contents, as are the tops of regions when the marking began. Where they are
// not found, dead objects count as garbage. JDK 8 has no lists of classes in its tables: they are found by
// their java.lang.Class in the heap. Before JDK 15 words of libjvm's data stand for static members that the
// tables do not have. Constants of compiled code are not roots; words of stacks stand for the references of
// frames.
package heap
