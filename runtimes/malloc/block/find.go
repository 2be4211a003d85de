package block

import (
	"sort"

	"coredbg/core"
)

// A Ref is a place in a Heap.
type Ref struct{ Region, Index int }

// Region returns the number of the region that holds a; -1 for none.
func (h *Heap) Region(a core.Addr) int {
	i := sort.Search(len(h.Regions), func(i int) bool { return h.Regions[i].Start > a }) - 1
	if i < 0 || a >= h.Regions[i].End {
		return -1
	}
	return i
}

// Around returns the chunk whose usable bytes hold a.
func (h *Heap) Around(a core.Addr) (Ref, bool) {
	r := h.Region(a)
	if r < 0 {
		return Ref{}, false
	}
	i := h.Regions[r].Before(a)
	if i < 0 || a >= h.Regions[r].Chunks[i].limit() {
		return Ref{}, false
	}
	return Ref{r, i}, true
}

// A Near is a chunk with the part of the allocator that has it.
type Near struct {
	Chunk
	Arena core.Addr // the address of its arena's record; 0 if it is in none
	// ArenaName is the allocator's own name for its arena, if there is one.
	ArenaName string
	Mapped    bool // the system gave its memory for it alone
}

// Near returns a chunk with its arena.
func (h *Heap) Near(x Ref) Near {
	n, r := Near{Chunk: h.Chunk(x)}, &h.Regions[x.Region]
	n.Mapped = r.Mapped
	if r.Arena >= 0 && r.Arena < len(h.Arenas) {
		n.Arena, n.ArenaName = h.Arenas[r.Arena].Addr, h.Arenas[r.Arena].Name
	}
	return n
}

// Before returns the last chunk of a region that begins at a or before; -1 for none.
func (r *Region) Before(a core.Addr) int {
	return sort.Search(len(r.Chunks), func(i int) bool { return r.Chunks[i].At > a }) - 1
}

// Packed returns a chunk as it is kept.
func (h *Heap) Packed(x Ref) *Packed { return &h.Regions[x.Region].Chunks[x.Index] }

// Chunk returns a chunk.
func (h *Heap) Chunk(x Ref) Chunk { return h.open(h.Packed(x)) }

func (h *Heap) open(p *Packed) Chunk {
	c := Chunk{Addr: p.At, Size: p.Size(), State: p.State()}
	if n := p.List(); n < len(h.Lists) {
		c.List = h.Lists[n]
	}
	return c
}

// ID returns the number of a chunk: they are dense, in order of address.
func (h *Heap) ID(x Ref) int { return h.Regions[x.Region].first + x.Index }

// Ref is the reverse of ID.
func (h *Heap) Ref(id int) Ref {
	r := sort.Search(len(h.Regions), func(i int) bool { return h.Regions[i].first > id }) - 1
	return Ref{r, id - h.Regions[r].first}
}

// Each calls visit for all chunks, in order of address, until it returns false.
func (h *Heap) Each(visit func(Ref, *Packed) bool) {
	for r := range h.Regions {
		for i := range h.Regions[r].Chunks {
			if !visit(Ref{r, i}, &h.Regions[r].Chunks[i]) {
				return
			}
		}
	}
}
