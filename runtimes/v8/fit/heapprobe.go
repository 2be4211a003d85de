package fit

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// A heapProbe looks for objects of V8 without knowing anything of it.
type heapProbe struct {
	space *core.Space
	order binary.ByteOrder
	// traced is set while what was found is read again, so that the reads are traced.
	traced bool
	buf    [heapHead]byte
}

// read reads the bytes at a and returns how many there are.
func (x *heapProbe) read(p []byte, a core.Addr) int {
	if x.traced {
		n, _ := x.space.ReadAt(p, a)
		return n
	}
	n, _ := embedded.Peek(x.space, p, a)
	return n
}

const (
	// heapHead is how far from the start of a page its first objects are looked for, in bytes:
	// in V8 8.7 and 10.2 its marking bits come before them, 8 KiB where pointers are compressed
	// (heap/memory-chunk-layout.h). fewestMaps is how many must begin with a map.
	heapHead   = 0x2800
	fewestMaps = 6
	// mapHops bounds the way from an object to the map of maps: its map, that one's
	// map, which may be a realm's own, and the map of that.
	mapHops = 3
	// cagePage is less than the first object of a cage is after its start.
	cagePage = 16
)

// startsObjects returns the map of maps of the objects near the start of the chunk at a, if their tagged words
// are width bytes wide.
func (x *heapProbe) startsObjects(a core.Addr, width int) (meta core.Addr, ok bool) {
	data := x.buf[:x.read(x.buf[:], a)]
	found := 0
	for i := 0; i+width <= len(data); i += width {
		at, ok := x.metaMap(a, x.word(data[i:], width), width)
		switch {
		case !ok:
			continue
		case at != meta:
			meta, found = at, 0
		}
		if found++; found == fewestMaps {
			return meta, true
		}
	}
	return 0, false
}

func (x *heapProbe) word(b []byte, width int) uint64 {
	if width == 4 {
		return uint64(x.order.Uint32(b))
	}
	return x.order.Uint64(b)
}

// isMetaMap reports whether the map at a, which is its own map, may be the map of maps. Its type must be one of
// V8's own, after the string types. Words of other memory may refer to themselves too: the upper halves of
// addresses in a low cage equal offsets in it. The word at the type's offset must then be one too.
func (x *heapProbe) isMetaMap(a core.Addr, width int) bool {
	at := 8 // objects/map.h: after the map and four bytes of sizes
	if width == 8 {
		at = 12
	}
	var b [4]byte
	if x.read(b[:], a+core.Addr(at)) < len(b) {
		return false
	}
	typ, w := x.order.Uint16(b[:]), x.order.Uint32(b[:])
	return typ >= leastMapType && typ < mostMapType && (width == 8 || w != uint32(a)|1)
}

// MAP_TYPE is 68 in V8 7.4 and 202 in 15.6. The types of JavaScript objects begin after 1,000.
const leastMapType, mostMapType = 64, 1000

// metaMap follows a word of the chunk at a, which may refer to a map, to the map of maps, which is its own map.
func (x *heapProbe) metaMap(a core.Addr, w uint64, width int) (core.Addr, bool) {
	for range mapHops {
		if w&3 != 1 || w>>48 != 0 || w < cagePage {
			return 0, false
		}
		at := core.Addr(w &^ 1)
		if width == 4 {
			at |= a &^ (1<<32 - 1)
		}
		var b [8]byte
		if x.read(b[:width], at) < width {
			return 0, false
		}
		next := x.word(b[:], width)
		if next == w {
			return at, x.isMetaMap(at, width)
		}
		w = next
	}
	return 0, false
}

// Limits of the search for heaps: chunks to look at, and chunks whose objects count as evidence.
const (
	maxHeapChunks  = 1 << 14
	wantHeapChunks = 4
)

// A heapLook is what the pages of V8 heaps look like; zero if there are none.
type heapLook struct {
	width int       // bytes of a tagged word
	meta  core.Addr // the map of maps
}

// heapTagging finds the pages of V8 heaps. Near the start of a page an object begins with its map. This map's
// map, or the next one after it, is the map of maps, which is its own map (objects/map.h). Compressed pointers
// are offsets from the start of their 4 GiB (common/ptr-compr.h).
func heapTagging(ctx context.Context, t runtimes.Target) heapLook {
	x := &heapProbe{space: t.Process.Space, order: t.Process.Arch.Order}
	count := map[heapLook]int{}
	looked := 0
	for _, s := range t.Process.Space.Segments() {
		if s.Kind != core.SegCore || ctx.Err() != nil {
			continue
		}
		var found heapLook
		layout.EachChunk(s, func(a core.Addr) bool {
			looked++
			// The low halves of whole pointers may look like compressed ones.
			for _, width := range []int{8, 4} {
				if meta, ok := x.startsObjects(a, width); ok {
					x.traced = true // a copy of the process is to have it
					x.startsObjects(a, width)
					x.traced = false
					k := heapLook{width, meta}
					if count[k]++; count[k] == wantHeapChunks {
						found = k
					}
					break
				}
			}
			return found.width == 0 && looked < maxHeapChunks
		})
		if found.width != 0 {
			return found
		}
	}
	return heapLook{}
}
