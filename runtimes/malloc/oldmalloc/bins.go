package oldmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// The shape of the bins (mal): a map of 64 bits, and for each bin a lock, its first chunk and its last one.
const (
	binCount   = 64
	mapSize    = 8
	lockSize   = 8       // whether it is held, and how many threads wait for it
	maxWaiters = 1 << 20 // of a lock
	maxOff     = 4       // bits of the map that may be wrong, as threads may be about to set them; damaged bins
	maxData    = 64 << 20
	maxTries   = 1 << 22 // bins that are looked at in vain
	pageSize   = 4096
)

// A layout is what depends on the size of words.
type layout struct{ w core.Addr }

func layoutOf(p *core.Process) layout {
	_, w := p.Words()
	return layout{core.Addr(w)}
}

// header returns how many bytes before a block its chunk begins: the size of the chunk before, and its own.
func (l layout) header() core.Addr { return 2 * l.w }

// align returns the unit of chunks' sizes, which is the least one, too.
func (l layout) align() core.Addr { return 4 * l.w }

func (l layout) next() core.Addr { return 2 * l.w } // of a free chunk
func (l layout) prev() core.Addr { return 3 * l.w }

func (l layout) bin() core.Addr  { return lockSize + 2*l.w }
func (l layout) size() core.Addr { return mapSize + binCount*l.bin() }

// binAt returns the address of a bin.
func (l layout) binAt(mal core.Addr, i int) core.Addr { return mal + mapSize + core.Addr(i)*l.bin() }

// self returns the chunk that a bin would be, as its chunks refer to it.
func (l layout) self(bin core.Addr) core.Addr { return bin + lockSize - l.header() }

// binsIn returns the bins in a mapping.
func binsIn(ctx context.Context, p *core.Process, g core.Mapping) (at core.Addr, ok bool) {
	c, l, n, tries := p.Cursor(), layoutOf(p), 0, 0
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(a, v core.Addr) bool {
		if n++; n&4095 == 0 && ctx.Err() != nil {
			return false
		}
		self := a - l.header() // if this is the head of a bin
		if v != self && (v%l.align() != l.header() || c.Pointer(v+l.prev()) != self) {
			c.Reset()
			return true
		}
		if c.Reset() == nil {
			var looked int
			at, looked, ok = l.around(c, g, a-lockSize)
			tries += looked
		}
		return !ok && tries < maxTries
	})
	return at, ok
}

// around returns the bins that have one at an address, and how many it has looked at. Which one it is shows by the map.
func (l layout) around(c *core.Cursor, g core.Mapping, bin core.Addr) (at core.Addr, looked int, ok bool) {
	least := maxOff + 1
	for i := range binCount {
		mal := bin - mapSize - core.Addr(i)*l.bin()
		if mal < g.Start || mal > bin {
			continue // its end may be in the zeros behind the mapping
		}
		off, n, good := l.holds(c, mal)
		if looked += n; good && off < least {
			at, ok, least = mal, true, off
		}
	}
	return at, looked, ok
}

// holds reports whether bins are at an address, how many bits of their map are wrong, and how many it has looked at.
func (l layout) holds(c *core.Cursor, mal core.Addr) (off, looked int, ok bool) {
	bits := c.U64(mal)
	good, full := 0, make([]core.Addr, 0, binCount)
	for i := range binCount {
		bin := l.binAt(mal, i)
		head, tail, self := c.Pointer(bin+lockSize), c.Pointer(bin+lockSize+l.w), l.self(bin)
		if c.U32(bin) > 1 || c.U32(bin+4) > maxWaiters || c.Reset() != nil {
			return 0, i + 1, false
		}
		empty := head == tail && (head == 0 || head == self)
		if empty == (bits>>i&1 != 0) {
			off++
		}
		switch {
		case !empty:
			full = append(full, self)
		case head != 0:
			good++
		}
		if off > maxOff {
			return 0, i + 1, false
		}
	}
	bad := 0
	for _, self := range full {
		if c.Pointer(c.Pointer(self+l.next())+l.prev()) == self ||
			c.Pointer(c.Pointer(self+l.prev())+l.next()) == self {
			good++
		} else {
			bad++
		}
		c.Reset()
	}
	return off, binCount, bad <= maxOff && good > bad && good >= 4*off
}

// links adds the links of bins and of free chunks that lead astray: a bin is linked both ways.
func (h *Malloc) links(ctx context.Context) {
	c := h.p.Cursor()
	for i := range binCount {
		bin := h.l.binAt(h.at, i)
		if c.Pointer(bin+lockSize) != 0 && c.Reset() == nil {
			h.linked(c, h.l.self(bin), i)
		}
	}
	n := 0
	h.heap.Each(func(_ block.Ref, p *block.Packed) bool {
		if n++; n&4095 == 0 && ctx.Err() != nil || len(h.heap.Strays) >= block.MaxStrays {
			return false
		}
		if p.State() == block.Free {
			h.linked(c, p.At-h.l.header(), binOf(p.Size()+uint64(h.l.header()), uint64(h.l.align())))
		}
		return true
	})
}

// linked adds the links of a free chunk that lead astray. Not to blame are a link to a place whose own link
// leads astray, a link to a chunk whose header was overwritten, and one to a free chunk while a thread holds
// the bin.
func (h *Malloc) linked(c *core.Cursor, chunk core.Addr, bin int) {
	held := c.U32(h.l.binAt(h.at, bin)) != 0
	c.Reset()
	for _, way := range [][2]core.Addr{{h.l.next(), h.l.prev()}, {h.l.prev(), h.l.next()}} {
		to := c.Pointer(chunk + way[0])
		if c.Reset() != nil {
			continue
		}
		state, start := h.stateOf(to)
		if state == block.Lost {
			continue
		}
		if state == block.Free && start {
			back := c.Pointer(to + way[1])
			if c.Reset() != nil || back == chunk || held {
				continue
			}
			if other := c.Pointer(back + way[0]); c.Reset() != nil || other != to {
				continue
			}
		}
		h.heap.Stray(block.Stray{At: chunk + way[0], Value: to, List: lists[inBin]})
	}
}

// stateOf returns the state of the chunk around an address, and whether it begins there. Bins are free chunks.
func (h *Malloc) stateOf(chunk core.Addr) (state block.State, start bool) {
	if off := chunk - h.l.self(h.l.binAt(h.at, 0)); off < binCount*h.l.bin() && off%h.l.bin() == 0 {
		return block.Free, true
	}
	at := chunk + h.l.header()
	r, ok := h.heap.Around(at)
	if !ok {
		return block.Used, false
	}
	return h.heap.Packed(r).State(), h.heap.Packed(r).At == at
}

// binOf returns the number of the bin for chunks of a size: there is one for each of the least sizes, and
// then four for each power of two.
func binOf(size, unit uint64) int {
	x := size/unit - 1
	if x <= 32 {
		return int(x)
	}
	bin := 32 // for 33 to 39
	for from, step := uint64(32), uint64(8); bin < binCount-1; from, step = 2*from, 2*step {
		if x < 2*from {
			return bin + int((x-from)/step)
		}
		bin += 4
	}
	return binCount - 1
}
