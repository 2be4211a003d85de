package moving

import (
	"fmt"

	"coredbg/core"
)

// A Forwarding says where the objects of a page of ZGC have been moved to. It stays when the page has gone,
// until all references to it were mended.
type Forwarding struct {
	Start, size uint64 // offsets in the heap
	// Held is set while the page itself is still there: objects without an entry have not been moved.
	Held  bool
	shift uint
	// The entries are a hash table: at an address, or in a map, for tests.
	space   *core.Process
	entries core.Addr
	n       uint64
	to      map[uint64]uint64
}

// Moved returns where the object at an offset in the heap has been moved to; ok is false if it has not been.
func (f *Forwarding) Moved(off uint64) (to uint64, ok bool) {
	if f == nil || off < f.Start || off-f.Start >= f.size {
		return 0, false
	}
	index := (off - f.Start) >> f.shift
	if f.space == nil {
		to, ok = f.to[index]
		return to, ok
	}
	c := f.space.Cursor()
	for i, probes := uint64(hash(uint32(index))), 0; probes < maxProbes; i, probes = i+1, probes+1 {
		// An entry has a flag, 45 bits of the new offset and 18 of the number of the old place.
		e := c.U64(f.entries + core.Addr(8*(i&(f.n-1))))
		switch {
		case c.Err() != nil || e&1 == 0:
			return 0, false
		case e>>46 == index&(1<<18-1):
			return e >> 1 & (1<<45 - 1), true
		}
	}
	return 0, false
}

// hash is ZHash::uint32_to_uint32 (share/gc/z/zHash.inline.hpp).
func hash(key uint32) uint32 {
	key = ^key + key<<15
	key ^= key >> 12
	key += key << 2
	key ^= key >> 4
	key *= 2057
	return key ^ key>>16
}

// Bounds of ZGC's tables.
const (
	maxGranules = 1 << 24
	maxEntries  = 1 << 20
	maxProbes   = 1 << 10 // of a hash table that is at most half full
	maxHeapSize = 1 << 20 // bytes of a ZHeap
)

// moved returns the offset where the object that was at an offset is.
func (z *Colouring) moved(generation int, off uint64) uint64 {
	if to, ok := z.in(generation, off).Moved(off); ok {
		return to & z.mask
	}
	return off
}

// in returns the forwarding of the page that has an offset; nil if there is none.
func (z *Colouring) in(generation int, off uint64) *Forwarding {
	z.once.Do(z.readForwarding)
	return z.forwarding[generation][off>>z.granule]
}

// From returns the forwarding of a page that begins at an offset and that is still there; nil if its objects
// are not being moved.
func (z *Colouring) From(start uint64) *Forwarding {
	for g := range z.forwarding {
		if f := z.in(g, start); f != nil && f.Held && f.Start == start {
			return f
		}
	}
	return nil
}

// Forwardings returns how many pages have objects that are being moved.
func (z *Colouring) Forwardings() (held int) {
	z.once.Do(z.readForwarding)
	for _, table := range z.forwarding {
		for granule, f := range table {
			if f.Held && f.Start>>z.granule == granule {
				held++
			}
		}
	}
	return held
}

// Problem says why forwardings could not be read; "" if they were.
func (z *Colouring) Problem() string {
	z.once.Do(z.readForwarding)
	return z.problem
}

// HeapAt returns the address of the ZHeap; 0 if it was not found.
func (z *Colouring) HeapAt() core.Addr {
	at, ok1 := z.t.StaticAt("Universe._collectedHeap")
	off, ok2 := z.t.Optional(z.Prefix + "CollectedHeap._heap")
	c := z.t.Process.Cursor()
	heap := c.Pointer(at)
	if !ok1 || !ok2 || c.Err() != nil || heap == 0 {
		return 0
	}
	return heap.Add(off)
}

// Granules visits the pointers of a ZGranuleMap that are not null, by their granules. ok is false if it cannot be read.
func (z *Colouring) Granules(at core.Addr, mapOf string, visit func(granule uint64, p core.Addr)) (ok bool) {
	list, ok := z.t.Optional(mapOf + "._map")
	c := z.t.Process.Cursor()
	n, p := c.U64(at.Add(list-8)), c.Pointer(at.Add(list)) // _size is before _map
	if !ok || c.Err() != nil || n > maxGranules {
		return false
	}
	for i := uint64(0); i < n; {
		b, err := z.t.Process.Space.Window(p + core.Addr(8*i))
		if err != nil || len(b) < 8 {
			i += (core.TracePage - (8*i+uint64(p))%core.TracePage) / 8
			continue
		}
		for ; len(b) >= 8 && i < n; b, i = b[8:], i+1 {
			if v := z.t.Process.Arch.Order.Uint64(b); v != 0 {
				visit(i, core.Addr(v))
			}
		}
	}
	return true
}

// readForwarding reads the tables. With two generations libjvm's tables do not say where these are: a
// ZGeneration, which is in the ZHeap, has its number, pointers to the heap's page allocator and page table,
// and its forwarding table after them (share/gc/z/zGeneration.hpp, JDK 21 to 27).
func (z *Colouring) readForwarding() {
	heap := z.HeapAt()
	if off, ok := z.t.Optional(z.Prefix + "Heap._forwarding_table"); ok && heap != 0 {
		if !z.readTable(0, heap.Add(off)) {
			z.problem = "ZGC's forwarding table cannot be read"
		}
		return
	}
	z.problem = "ZGC's forwarding tables were not found"
	allocator, ok1 := z.t.Optional("ZHeap._page_allocator")
	pages, ok2 := z.t.Optional("ZHeap._page_table")
	size := z.t.Width("ZHeap")
	if !ok1 || !ok2 || heap == 0 || size <= 0 || size > maxHeapSize {
		return
	}
	c := z.t.Process.Cursor()
	want := [2]core.Addr{heap.Add(allocator), heap.Add(pages)}
	if f, _ := z.t.Lookup("ZHeap._page_allocator"); f.Type == "ZPageAllocator*" {
		want[0] = c.Pointer(want[0])
	}
	found := 0
	for off := int64(8); off+32 <= size; off += 8 {
		at := heap.Add(off)
		if c.Pointer(at) != want[0] || c.Pointer(at+8) != want[1] {
			continue
		}
		if id := c.U8(at - 8); c.Err() == nil && id < 2 && z.readTable(int(id), at+16) {
			found |= 1 << id
		}
	}
	if c.Err() == nil && found == 3 {
		z.problem = ""
	}
}

func (z *Colouring) readTable(generation int, at core.Addr) bool {
	z.forwarding[generation] = map[uint64]*Forwarding{}
	off, _ := z.t.Optional(z.Prefix + "ForwardingTable._map")
	known := map[core.Addr]*Forwarding{}
	return z.Granules(at.Add(off), z.Prefix+"GranuleMapForForwarding", func(granule uint64, p core.Addr) {
		f := known[p]
		if f == nil {
			if f = z.readPage(p); f == nil {
				z.problem = fmt.Sprintf("the forwarding at %v cannot be read", p)
				return
			}
			known[p] = f
		}
		z.forwarding[generation][granule] = f
	})
}

// readPage reads a ZForwarding (share/gc/z/zForwarding.hpp and zForwardingEntry.hpp, JDK 15 to 27).
func (z *Colouring) readPage(at core.Addr) *Forwarding {
	x := z.Prefix
	shift, ok1 := z.t.Optional(x + "Forwarding._object_alignment_shift")
	entries, ok2 := z.t.Optional(x + "Forwarding._entries")
	count, ok3 := z.t.Optional(x + "Forwarding._ref_count")
	length, ok4 := z.t.Optional(x + "AttachedArrayForForwarding._length")
	size := z.t.Width(x + "Forwarding")
	start, bytes, ok5 := z.Virtual(at, x+"Forwarding._virtual")
	c := z.t.Process.Cursor()
	f := &Forwarding{Start: start, size: bytes, shift: uint(c.U64(at.Add(shift))), Held: c.U32(at.Add(count)) != 0,
		space: z.t.Process}
	f.n = c.U64(at.Add(entries + length))
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || c.Err() != nil || f.n == 0 || f.n&(f.n-1) != 0 ||
		f.n > maxEntries || f.shift > 40 {
		return nil
	}
	// The entries follow the ZForwarding (share/gc/z/zAttachedArray.hpp).
	f.entries = at.Add((size + 7) &^ 7)
	return f
}

// Virtual reads the ZVirtualMemory that is a member of an object: an offset and a size in the heap.
func (z *Colouring) Virtual(at core.Addr, member string) (start, size uint64, ok bool) {
	off, ok1 := z.t.Optional(member)
	first, ok2 := z.t.Optional(z.Prefix + "VirtualMemory._start")
	end, ok3 := z.t.Optional(z.Prefix + "VirtualMemory._end")
	bytes, ok4 := z.t.Optional(z.Prefix + "VirtualMemory._size")
	c := z.t.Process.Cursor()
	at = at.Add(off)
	start = c.U64(at.Add(first))
	if ok3 {
		size = c.U64(at.Add(end)) - start
	} else {
		size = c.U64(at.Add(bytes))
	}
	return start, size, ok1 && ok2 && (ok3 || ok4) && c.Err() == nil && start <= z.mask && size <= z.mask+1-start
}
