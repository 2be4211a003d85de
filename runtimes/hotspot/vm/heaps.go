package vm

import (
	"coredbg/core"
	"coredbg/runtimes"
)

// collectors are the flags that choose a garbage collector, and what it is called.
var collectors = []struct{ flag, name string }{
	{"UseSerialGC", "Serial"}, {"UseParallelGC", "Parallel"}, {"UseG1GC", "G1"}, {"UseZGC", "Z"},
	{"UseShenandoahGC", "Shenandoah"},
	{"UseEpsilonGC", "Epsilon"}, {"UseConcMarkSweepGC", "Concurrent Mark Sweep"}, {"UseParNewGC", "ParNew"},
}

// collector names the collector; "" if no flag says which.
func (d *describer) collector() string {
	for _, c := range collectors {
		if on, ok := d.Flag(c.flag); ok && on {
			if generational, _ := d.Flag("ZGenerational"); c.name == "Z" && generational {
				return "Z, generational"
			}
			return c.name
		}
	}
	return ""
}

// member reads a member of an object, the first of some names that the release has; 0 if it has none.
func (d *describer) member(at core.Addr, names ...string) core.Addr {
	if at == 0 {
		return 0
	}
	return d.PointerAt(at, names...)
}

// inside returns where a member of an object begins; 0 if the release has none.
func (d *describer) inside(at core.Addr, names ...string) core.Addr {
	f, ok := d.Lookup(names...)
	if !ok || f.Static || at == 0 {
		return 0
	}
	return at.Add(f.Offset)
}

// heaps returns the parts of the heap.
func (d *describer) heaps(collector string) []runtimes.JavaSpace {
	heap := d.PointerAt(0, "Universe._collectedHeap")
	if heap == 0 {
		d.problem("the heap was not found")
		return nil
	}
	whole := runtimes.JavaSpace{Name: "in all"}
	if at := d.inside(heap, "CollectedHeap._reserved"); at != 0 {
		whole.Reserved = 8 * uint64(d.member(at, "MemRegion._word_size"))
	}
	var parts []runtimes.JavaSpace
	switch collector {
	case "Serial", "ParNew", "Concurrent Mark Sweep":
		parts = d.generations(heap)
	case "Parallel":
		parts = d.parallel(heap)
	case "G1":
		parts = d.g1(heap)
	case "Epsilon":
		parts = append(parts, d.space("space", d.member(heap, "EpsilonHeap._space")))
	case "Shenandoah":
		whole.Used, whole.Committed = uint64(d.member(heap, "ShenandoahHeap._used")),
			uint64(d.member(heap, "ShenandoahHeap._committed"))
		if g := d.member(heap, "ShenandoahHeap._global_generation"); g != 0 {
			whole.Used = uint64(d.member(g, "ShenandoahGeneration._used"))
		}
	case "Z", "Z, generational":
		d.z(heap, &whole)
	}
	for _, p := range parts {
		whole.Used += p.Used
		whole.Committed += p.Committed
	}
	if whole.Committed == 0 {
		d.problem("how much the collector %s uses is not read", collector)
	}
	return append([]runtimes.JavaSpace{whole}, parts...)
}

// space describes a space that is filled from its bottom.
func (d *describer) space(name string, at core.Addr) runtimes.JavaSpace {
	s := runtimes.JavaSpace{Name: name}
	bottom := d.member(at, "ContiguousSpace._bottom", "Space._bottom")
	end, top := d.member(at, "ContiguousSpace._end", "Space._end"), d.member(at, "ContiguousSpace._top")
	if bottom != 0 && top >= bottom && end >= top {
		s.Used, s.Committed = uint64(top-bottom), uint64(end-bottom)
	}
	return s
}

// generations are those of Serial.
func (d *describer) generations(heap core.Addr) []runtimes.JavaSpace {
	young, old := d.member(heap, "SerialHeap._young_gen", "GenCollectedHeap._young_gen"),
		d.member(heap, "SerialHeap._old_gen", "GenCollectedHeap._old_gen")
	if at := d.inside(heap, "GenCollectedHeap._gens"); at != 0 { // JDK 8: an array
		c := d.Process.Cursor()
		young, old = c.Pointer(at), c.Pointer(at+8)
	}
	return []runtimes.JavaSpace{
		d.space("eden", d.member(young, "DefNewGeneration._eden_space")),
		d.space("from", d.member(young, "DefNewGeneration._from_space")),
		d.space("to", d.member(young, "DefNewGeneration._to_space")),
		d.space("old", d.member(old, "TenuredGeneration._the_space", "OneContigSpaceCardGeneration._the_space")),
	}
}

// parallel are the spaces of Parallel.
func (d *describer) parallel(heap core.Addr) []runtimes.JavaSpace {
	young, old := d.member(heap, "ParallelScavengeHeap._young_gen"), d.member(heap, "ParallelScavengeHeap._old_gen")
	space := func(name string, at core.Addr) runtimes.JavaSpace {
		s := runtimes.JavaSpace{Name: name}
		bottom := d.member(at, "MutableSpace._bottom", "ImmutableSpace._bottom")
		end, top := d.member(at, "MutableSpace._end", "ImmutableSpace._end"), d.member(at, "MutableSpace._top")
		if bottom != 0 && top >= bottom && end >= top {
			s.Used, s.Committed = uint64(top-bottom), uint64(end-bottom)
		}
		return s
	}
	return []runtimes.JavaSpace{space("eden", d.member(young, "PSYoungGen._eden_space")),
		space("from", d.member(young, "PSYoungGen._from_space")),
		space("to", d.member(young, "PSYoungGen._to_space")), space("old", d.member(old, "PSOldGen._object_space"))}
}

// g1 are the spaces of G1, as it has counted them last.
func (d *describer) g1(heap core.Addr) (out []runtimes.JavaSpace) {
	at := d.member(heap, "G1CollectedHeap._monitoring_support", "G1CollectedHeap._g1mm")
	for _, s := range []struct{ name, used, committed string }{{"eden", "eden_space", "eden"},
		{"survivor", "survivor_space", "survivor"}, {"old", "old_gen", "old"}} {
		out = append(out, runtimes.JavaSpace{Name: s.name,
			Used: uint64(d.member(at, "G1MonitoringSupport._"+s.used+"_used",
				"G1MonitoringSupport._"+s.committed+"_used")),
			Committed: uint64(d.member(at, "G1MonitoringSupport._"+s.used+"_committed", "G1MonitoringSupport._"+
				s.committed+"_committed"))})
	}
	return out
}

// z fills in what ZGC uses. In JDK 21 to 23 the types of the collector without generations begin with an X.
func (d *describer) z(heap core.Addr, whole *runtimes.JavaSpace) {
	x := "Z"
	if generational, _ := d.Flag("ZGenerational"); !generational && d.Has("XCollectedHeap._heap") {
		x = "X"
	}
	field := x + "Heap._page_allocator"
	at := d.inside(d.inside(heap, x+"CollectedHeap._heap"), field)
	if d.isPointer(field) {
		at = d.member(d.inside(heap, x+"CollectedHeap._heap"), field)
	}
	whole.Reserved = uint64(d.member(at, x+"PageAllocator._max_capacity"))
	whole.Committed, whole.Used = uint64(d.member(at, x+"PageAllocator._capacity")),
		uint64(d.member(at, x+"PageAllocator._used"))
	first := d.member(d.inside(at, "ZPageAllocator._partitions"), "ZPerNUMAZPartition._addr")
	if first == 0 {
		return
	}
	nodes, _ := d.Value("ZNUMA._count")
	for i := range min(max(nodes, 1), maxNodes) {
		p := first.Add(i * nodeStride)
		whole.Committed += uint64(d.member(p, "ZPartition._capacity"))
		whole.Used += uint64(d.member(p, "ZPartition._used"))
	}
}

// A ZPerNUMA has the value of each node of memory 4 KB behind the one before (share/gc/z/zValue.inline.hpp,
// JDK 21 to 27).
const (
	nodeStride = 4 << 10
	maxNodes   = 1 << 10
)

func (d *describer) isPointer(field string) bool {
	f, _ := d.Lookup(field)
	return len(f.Type) > 0 && f.Type[len(f.Type)-1] == '*'
}
