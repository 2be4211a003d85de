package malloc

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
)

// Offsets in a malloc_state from its member top, in bytes: the ten fastbins come before
// it, and last_remainder after it, then, the bins in pairs, the map of bins, the ring and the sizes.
const (
	binsAt      = 16
	nextAt      = binsAt + 254*8 + 16
	systemMemAt = nextAt + 24
)

// topsAt are where a malloc_state has top: from glibc 2.27 on, and before.
var topsAt = []core.Addr{96, 88}

// Bounds of what is believed of arenas.
const (
	heapMax     = 64 << 20 // HEAP_MAX_SIZE on 64-bit: what heaps are aligned to
	maxArenas   = 4096
	maxRings    = 1024     // places in a mapping that look like bins and may have a ring
	maxHeaps    = 4096     // of an arena
	maxRegions  = 1 << 16  // heaps of all arenas
	maxDataSize = 16 << 20 // bytes of data in which main_arena is looked for
	emptyBins   = 40       // of 127: at least so many make a malloc_state
)

// ErrNone says that the process has no such allocator, or that it was not found.
var ErrNone = errors.New("no arena of the GNU C library's malloc was found")

// A Heap is what is known of the allocator's memory. It serves one goroutine.
type Heap struct {
	p       *core.Process
	regions []*region            // in the order of addresses
	chunks  int                  // of all regions
	lists   map[core.Addr]string // small free chunks, by the list that has them
	links   int                  // of lists that were followed
	strays  []Stray
	read    bool
}

// A region is a range of memory that holds one chunk after the other.
type region struct {
	start, end core.Addr
	arena      core.Addr // the address of its member top
	top        core.Addr
	chunks     []chunk
	broken     *Break
}

// Open finds the arenas. The error is ErrNone, or one that wraps it.
func Open(ctx context.Context, p *core.Process) (*Heap, error) {
	if order, ptr := p.Words(); ptr != 8 || order != binary.LittleEndian {
		return nil, fmt.Errorf("%w: the process is not a 64-bit little-endian one", ErrNone)
	}
	main, ok := mainArena(ctx, p)
	if !ok {
		return nil, ErrNone
	}
	h := &Heap{p: p, lists: map[core.Addr]string{}}
	h.mainRegion(main)
	h.ring(main)
	slices.SortStableFunc(h.regions, func(a, b *region) int { return cmp.Compare(a.start, b.start) })
	return h, nil
}

// mainArena returns the address of main_arena's member top.
func mainArena(ctx context.Context, p *core.Process) (core.Addr, bool) {
	for _, m := range p.Modules {
		name := m.Name()
		if !m.Exe && !strings.HasPrefix(name, "libc.so") && !strings.HasPrefix(name, "libc-2") {
			continue
		}
		for _, g := range p.Mappings {
			// The zeros after a module's data are a mapping without a name.
			near := g.Path == m.Path || g.Path == "" && g.Start >= m.Start && g.Start <= m.End
			if !near || g.Prot&core.Write == 0 || ctx.Err() != nil {
				continue
			}
			if at, ok := searchArena(ctx, p, g); ok {
				return at, true
			}
		}
	}
	return 0, false
}

// searchArena looks for a malloc_state in a mapping: two words that refer to the place 16
// bytes before them are an empty bin, and the first bin's place is that of top.
func searchArena(ctx context.Context, p *core.Process, g core.Mapping) (core.Addr, bool) {
	data, _ := core.ReadBytes(p.Space, g.Start, min(uint64(g.End-g.Start), maxDataSize))
	word := func(i int) uint64 {
		if i < 0 || i+8 > len(data) {
			return 0
		}
		return binary.LittleEndian.Uint64(data[i:])
	}
	empty := func(i, bin int) bool {
		at := uint64(g.Start) + uint64(i+16*bin)
		return word(i+binsAt+16*bin) == at && word(i+binsAt+16*bin+8) == at
	}
	rings := 0
	for i := 0; i+nextAt+40 <= len(data) && rings < maxRings && ctx.Err() == nil; i += 8 {
		if !empty(i, 100) && !empty(i, 60) && !empty(i, 125) {
			continue
		}
		n := 0
		for bin := range 127 {
			if empty(i, bin) {
				n++
			}
		}
		// The same words look like bins from every 16 bytes on: the ring shows which is first.
		if n < emptyBins || !arenaTop(word(i)) {
			continue
		}
		rings++
		if at := g.Start + core.Addr(i); len(ringOf(p, at)) > 0 {
			return at, true
		}
	}
	return 0, false
}

// arenaTop reports whether a word can be the address of a top chunk.
// Programs have addresses of 47 bits on x86-64, or 56, and of 48 on arm64, or 52.
func arenaTop(v uint64) bool { return v != 0 && v%16 == 0 && v>>56 == 0 }

// mainRegion adds the memory that brk has given to main_arena.
func (h *Heap) mainRegion(arena core.Addr) {
	c := h.p.Cursor()
	top, system := c.Pointer(arena), c.U64(arena+systemMemAt)
	size := c.U64(top+8) &^ 7
	if c.Err() != nil {
		return
	}
	end := top + core.Addr(size)
	if size == 0 || system < size || system > 1<<46 || uint64(top)+size < system || end%pageSize != 0 {
		// The size of the top chunk was overwritten: the mapping shows where it ends.
		m, ok := h.p.Mapping(top)
		if !ok || uint64(m.End-m.Start) < system || uint64(m.End-top) > system {
			return
		}
		end = m.End
	}
	start := (end - core.Addr(system) + 15) &^ 15
	// Where others have called brk or the heap has gone on elsewhere, the beginning is not
	// known by its size.
	if from, ok := h.p.Mapping(start); !ok || top < from.Start || top >= from.End {
		return
	}
	h.regions = append(h.regions, &region{start: start, end: end, arena: arena, top: top})
}

// ringOf returns the beginnings of all arenas, main_arena's last, if what its top is said
// to be is in a ring.
func ringOf(p *core.Process, main core.Addr) []core.Addr {
	c := p.Cursor()
	for _, top := range topsAt {
		var out []core.Addr
		at := main - top
		for len(out) < maxArenas && c.Reset() == nil {
			if at = c.Pointer(at + top + nextAt); at == 0 || at%8 != 0 {
				break
			}
			if out = append(out, at); at == main-top {
				return out
			}
		}
	}
	return nil
}

// ring adds the heaps of the other arenas.
func (h *Heap) ring(main core.Addr) {
	for _, begin := range ringOf(h.p, main) {
		for _, top := range topsAt {
			if begin != main-top && h.heaps(begin, begin+top) {
				break
			}
		}
	}
}

// heaps adds those of an arena, which begins in the first of them after its heap_info:
// the arena, the heap before, and how much of it is in use.
func (h *Heap) heaps(begin, arena core.Addr) bool {
	c := h.p.Cursor()
	top := c.Pointer(arena)
	first := begin &^ (heapMax - 1)
	info := begin - first
	if c.Err() != nil || !arenaTop(uint64(top)) || info != 0x20 && info != 0x30 && info != 0x40 || c.Pointer(first) != begin {
		return false
	}
	seen := map[core.Addr]bool{}
	for at := top &^ (heapMax - 1); at != 0 && at%heapMax == 0 && !seen[at] && len(seen) < maxHeaps && len(h.regions) < maxRegions; at = c.Pointer(at + 8) {
		seen[at] = true
		size := c.U64(at + 16)
		if c.Err() != nil || c.Pointer(at) != begin || size > heapMax {
			break
		}
		start := at + info
		if at == first {
			start = (arena + systemMemAt + 16 + 15) &^ 15
		}
		h.regions = append(h.regions, &region{start: start, end: at + core.Addr(size), arena: arena, top: top})
	}
	return true
}
