package code

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A Cache is the code cache. It is safe for concurrent use.
type Cache struct {
	*object.Reader
	o     offsets
	heaps []heap

	mu    sync.Mutex
	blobs map[core.Addr]*Blob
}

// A heap is a CodeHeap.
type heap struct {
	low, high, segmap core.Addr
	shift             uint32
}

// maxHeaps bounds the heaps: HotSpot has three at most.
const maxHeaps = 16

// NewCache returns the code cache that the tables lead to.
func NewCache(r *object.Reader) *Cache {
	k := &Cache{Reader: r, blobs: map[core.Addr]*Blob{}}
	k.o = newOffsets(r.Tables)
	t, c := r.Tables, r.Process.Cursor()
	var all []core.Addr
	if t.Has("CodeCache._heaps") {
		list := c.Pointer(t.Static("CodeCache._heaps"))
		n := c.U32(list.Add(t.Offset("GrowableArrayBase._len", "GenericGrowableArray._len")))
		data := c.Pointer(list.Add(t.Offset("GrowableArray<int>._data")))
		for i := range min(n, maxHeaps) {
			all = append(all, c.Pointer(data+core.Addr(8*i)))
		}
	} else {
		all = append(all, c.Pointer(t.Static("CodeCache._heap")))
	}
	memory, segmap := t.Offset("CodeHeap._memory"), t.Offset("CodeHeap._segmap")
	low, high, shift := t.Offset("VirtualSpace._low"), t.Offset("VirtualSpace._high"),
		t.Offset("CodeHeap._log2_segment_size")
	for _, at := range all {
		h := heap{c.Pointer(at.Add(memory + low)), c.Pointer(at.Add(memory + high)), c.Pointer(at.Add(segmap + low)),
			c.U32(at.Add(shift))}
		if c.Reset() == nil && h.low < h.high && h.shift >= 3 && h.shift < 20 {
			k.heaps = append(k.heaps, h)
		}
	}
	return k
}

// Has reports whether an address is in the code cache.
func (k *Cache) Has(pc core.Addr) bool {
	_, ok := k.heapOf(pc)
	return ok
}

func (k *Cache) heapOf(pc core.Addr) (heap, bool) {
	for _, h := range k.heaps {
		if pc >= h.low && pc < h.high {
			return h, true
		}
	}
	return heap{}, false
}

// maxHops bounds the hops back to the start of a block, each of which is over a segment at least and 254 mostly.
const maxHops = 1 << 16

// start returns where the block that has pc starts; ok is false if none is in use there.
func (k *Cache) start(pc core.Addr) (core.Addr, bool) {
	h, ok := k.heapOf(pc)
	if !ok {
		return 0, false
	}
	c := k.Process.Cursor()
	segment := (pc - h.low) >> h.shift
	for range maxHops {
		b := core.Addr(c.U8(h.segmap + segment))
		switch {
		case c.Err() != nil, b == 0xff, b > segment:
			return 0, false
		case b == 0:
			return h.low + segment<<h.shift, true
		}
		segment -= b
	}
	return 0, false
}

// Find returns the blob that has an address, nil if none has.
func (k *Cache) Find(pc core.Addr) *Blob {
	at, ok := k.start(pc)
	if !ok {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	b, ok := k.blobs[at]
	if !ok {
		b = k.read(at)
		k.blobs[at] = b
	}
	if b == nil || pc < b.Begin || pc >= b.End {
		return nil
	}
	return b
}
