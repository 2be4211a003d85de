package heap

import (
	"coredbg/core"
)

// cms reads the heap of CMS: a young generation as Serial's, and an old one with free chunks between the objects.
func (w *Walker) cms(h *Heap) {
	_, old := w.generations()
	w.young(h)
	space := w.PointerAt(old, "ConcurrentMarkSweepGeneration._cmsSpace")
	w.add(h, "old", space, contiguousBottom, []string{"CompactibleFreeListSpace._end", "Space._end"}, contiguousEnd)
	if n := len(h.Spaces); n > 0 && h.Spaces[n-1].Name == "old" {
		h.Spaces[n-1].chunks = w.freeChunks()
	}
}

// freeChunks says how a FreeChunk of CMS tells itself from an object (share/gc/cms/freeChunk.hpp, JDK 8 to
// 13). With compressed references its mark word has a bit, and the number of its words. Without them the
// lowest bit of the pointer behind is set.
type freeChunks struct {
	mask  uint64 // of the mark word; 0 without compressed references
	shift uint
	size  core.Addr // where its number of words is
	prev  core.Addr
	least uint64 // bytes that an object takes at least: a chunk
}

// freeChunks returns nil if the tables do not say it.
func (w *Walker) freeChunks() *freeChunks {
	size, ok1 := w.Optional("FreeChunk._size")
	prev, ok2 := w.Optional("FreeChunk._prev")
	next, ok6 := w.Optional("FreeChunk._next")
	bit, ok3 := w.Constant("markOopDesc::cms_shift")
	mask, ok4 := w.Constant("markOopDesc::cms_mask")
	shift, ok5 := w.Constant("markOopDesc::size_shift")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || bit < 0 || bit > 32 || shift < 0 || shift > 32 {
		return nil
	}
	f := &freeChunks{size: core.Addr(size), prev: core.Addr(prev), shift: uint(shift),
		least: uint64(max(size, prev, next) + 8)}
	if w.RefSize() == 4 {
		f.mask = uint64(mask) << bit
	}
	return f
}

// sizeBits is the bits of a free chunk's number of words in its mark word.
const sizeBits = 35

// at returns the bytes of the free chunk at an address; 0 if an object is there.
func (f *freeChunks) at(w *walk, at core.Addr) core.Addr {
	b := w.from(at)
	order := w.h.w.Process.Arch.Order
	if uint64(len(b)) < uint64(max(f.size, f.prev))+8 {
		return 0
	}
	n := order.Uint64(b[f.size:])
	switch {
	case f.mask == 0 && order.Uint64(b[f.prev:])&1 == 0, f.mask != 0 && n&f.mask == 0:
		return 0
	case f.mask != 0:
		n = n >> f.shift & (1<<sizeBits - 1)
	}
	if n == 0 || n > 1<<sizeBits {
		return 0
	}
	return core.Addr(8 * n)
}
