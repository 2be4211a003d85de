// Package moving knows what collectors of HotSpot that move objects while the program runs leave in the heap:
// how ZGC colours references, and where ZGC and Shenandoah have moved objects to.
//
//	reference of ZGC → its colour, and an offset in the heap
//	ZHeap._forwarding_table → ZForwarding of the page: the object's new offset
//	ShenandoahHeap._regions → ShenandoahHeapRegion: is it in the collection set?
//	  mark word of an object in the set → its copy
//
// Files:
//
//	coloured.go    Colouring: references of ZGC
//	forwarding.go  Forwarding: where ZGC has moved objects to
//	evacuation.go  Evacuation: where Shenandoah has moved objects to; its regions
//
// Sources: share/gc/z/{zAddress,zForwarding,zForwardingEntry,zGeneration,zGranuleMap}.hpp of JDK 17, 21 and
// 25; share/gc/shenandoah/shenandoahForwarding.inline.hpp of 17 and 25, shenandoahHeap.hpp and
// shenandoahHeapRegion.hpp of 11.
package moving
