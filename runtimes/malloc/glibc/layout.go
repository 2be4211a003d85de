package glibc

import (
	"encoding/binary"

	"coredbg/core"
)

// Offsets in a malloc_state from its member top, in words: last_remainder comes after it, then the bins in
// pairs, the map of bins (four ints), next and next_free, attached_threads since 2.23, and the sizes.
const (
	binsWords  = 2
	bins       = 127
	mapBytes   = 16
	afterRing  = 2 // next, next_free
	emptyBins  = 40
	pageSize   = 4096
	attachable = 1 << 12 // more threads are not attached to an arena: it is a size
)

// The bits of a chunk's size that are none of it.
const (
	prevInUse = 1
	isMmapped = 2
	nonMain   = 4
	sizeBits  = 7
)

// A layout is what differs between builds.
type layout struct {
	order  binary.ByteOrder
	w      core.Addr // bytes of a word
	align  core.Addr // of what malloc returns
	top    core.Addr // offset of top in a malloc_state
	sizes  core.Addr // from top to system_mem
	fast   int       // fastbins before top; 0 since 2.43
	ignore core.Addr // bits of an address that the processor does not look at
}

// topsAt are where a malloc_state may have top: after mutex and flags and ten or eleven
// fastbins, since 2.27 with have_fastchunks before them; since 2.43 without fastbins.
func (l *layout) topsAt() []core.Addr {
	if l.w == 8 {
		return []core.Addr{96, 88, 8}
	}
	return []core.Addr{56, 52, 48, 8}
}

func (l *layout) nextAt() core.Addr   { return binsWords*l.w + 2*bins*l.w + mapBytes }
func (l *layout) header() core.Addr   { return 2 * l.w }
func (l *layout) minChunk() core.Addr { return 4 * l.w }

// fastbins returns how many there are for an offset of top.
func (l *layout) fastbins() int {
	switch l.top {
	case 8:
		return 0
	case 56:
		return 11
	}
	return 10
}

// chunkAt returns where a chunk may begin, from an address on: what malloc returns is aligned.
func (l *layout) chunkAt(a core.Addr) core.Addr {
	return (a + l.header()).Align(uint64(l.align)) - l.header()
}

// request returns the size of the chunk for n bytes.
func (l *layout) request(n core.Addr) core.Addr { return (n + l.w).Align(uint64(l.align)) }

// plausible reports whether a word can be an address that malloc keeps. Programs have addresses of 47 bits on
// x86-64, or 56, and of 48 on arm64, or 52.
func (l *layout) plausible(a core.Addr) bool { return a != 0 && a%l.w == 0 && a>>56 == 0 }

// word reads a word of bytes, 0 outside of them.
func (l *layout) word(b []byte, i int) core.Addr {
	if i < 0 || i+int(l.w) > len(b) {
		return 0
	}
	if l.w == 4 {
		return core.Addr(l.order.Uint32(b[i:]))
	}
	return core.Addr(l.order.Uint64(b[i:]))
}

// A cacheShape is a shape of tcache_perthread_struct: the number of bins, the bytes of a count, and whether a count is
// of the chunks in the bin or of the room left. A chunk holds a cache if all its counts and pointers agree.
type cacheShape struct {
	bins  core.Addr
	count core.Addr
	slots bool
}

var cacheShapes = []cacheShape{
	{64, 2, false}, // from glibc 2.30 on
	{64, 1, false}, // 2.26 to 2.29
	{76, 2, true},  // from 2.42 on
}

// fits reports whether a chunk with that many usable bytes may hold a cache: malloc may have had a slightly larger
// chunk at hand, and 2.43 asks for a size that includes the header.
func (s *cacheShape) fits(l *layout, usable core.Addr) bool {
	least := l.request(s.bins * (s.count + l.w))
	most := least + l.align
	if s.slots {
		most = l.request(least) + l.align
	}
	return usable+l.w >= least && usable+l.w <= most
}

// A found cache is a tcache_perthread_struct that a thread refers to.
type foundCache struct {
	at    core.Addr
	shape *cacheShape
}
