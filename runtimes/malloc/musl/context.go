package musl

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Units of mallocng.
const (
	unit     = 16
	inBand   = 4 // IB: bytes of a slot that the next one's header has
	areaSize = 4096
	pageSize = 4096
	ownClass = 63 // a block with a mapping of its own
)

// Limits, which damaged records may exceed.
const (
	maxData   = 64 << 20
	maxAreas  = 1 << 20
	maxMapped = 1 << 47
	maxDepth  = 16 // groups in slots of groups
)

// sizeClasses are the sizes of slots, in units.
var sizeClasses = [48]core.Addr{
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 31, 36, 42, 50, 63, 72, 84, 102, 127,
	146, 170, 204, 255, 292, 340, 409, 511, 584, 682, 818, 1023, 1169, 1364, 1637, 2047, 2340, 2730, 3276, 4095, 4680,
	5460, 6552, 8191,
}

// A meta is the record of a group.
type meta struct {
	at      core.Addr
	mem     core.Addr
	avail   uint32 // slots that can be given out
	freed   uint32 // slots that were given back, or not yet looked at
	slots   core.Addr
	class   uint64
	mapped  core.Addr // bytes of its own mapping; 0 if it is in a slot
	stride  core.Addr // bytes of a slot
	storage core.Addr
}

func (m *meta) end() core.Addr {
	if m.mapped != 0 {
		return m.mem + m.mapped
	}
	return m.storage + m.slots*m.stride
}

// contextIn returns the context in a mapping.
func contextIn(ctx context.Context, p *core.Process, g core.Mapping) (at, first core.Addr, ok bool) {
	c := p.Cursor()
	w := core.Addr(c.PtrSize())
	big := p.Arch.Order == binary.BigEndian
	n := 0
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(a, v core.Addr) bool {
		if n++; n&4095 == 0 && ctx.Err() != nil {
			return false
		}
		if big && w == 8 {
			v >>= 32
		}
		// After the secret: whether it is set up, which few words are, a count, and five words; where pages differ in
		// size theirs comes before.
		if uint32(v) != 1 {
			return true
		}
		for _, before := range []core.Addr{8, 8 + w} {
			start := a - before
			if a < g.Start+before || start%8 != 0 {
				continue
			}
			head := c.Pointer(a + 8 + 5*w)
			if c.Reset() != nil || head == 0 || head%areaSize != 0 {
				continue
			}
			secret, check := c.U64(start), c.U64(head)
			if c.Reset() == nil && secret == check && secret != 0 {
				at, first, ok = start, head, true
				return false
			}
		}
		return true
	})
	return at, first, ok
}

// areas reads the records of all groups. Whole is false if the list of areas leads astray.
func (h *Malloc) areas(ctx context.Context) (whole bool) {
	c := h.p.Cursor()
	w := core.Addr(c.PtrSize())
	secret := c.U64(h.at)
	seen := map[core.Addr]bool{}
	for a := h.first; a != 0; a = c.Pointer(a + 8) {
		if seen[a] || len(seen) > maxAreas || a%areaSize != 0 || c.U64(a) != secret || c.Reset() != nil ||
			ctx.Err() != nil {
			return false
		}
		seen[a] = true
		h.spans = append(h.spans, block.Span{Start: a, End: a + areaSize})
		slots := a + (8 + w + 4).Align(uint64(w))
		size := (4*w + 8).Align(uint64(w))
		n := min(core.Addr(c.U32(a+8+w)), (areaSize-(slots-a))/size)
		for i := range n {
			h.meta(c, slots+i*size, w)
		}
	}
	return c.Reset() == nil
}

// meta reads the record of a group, if it is in use.
func (h *Malloc) meta(c *core.Cursor, at, w core.Addr) {
	m := meta{at: at, mem: c.Pointer(at + 2*w), avail: c.U32(at + 3*w), freed: c.U32(at + 3*w + 4)}
	bits := uint64(c.Pointer(at + 3*w + 8))
	if c.Reset() != nil || m.mem == 0 {
		return
	}
	m.slots, m.class, m.mapped = core.Addr(bits&31)+1, bits>>6&63, core.Addr(bits>>12)*pageSize
	m.storage = m.mem + unit
	switch {
	case m.slots == 1 && m.mapped != 0:
		m.stride = m.mapped - unit
	case m.class < uint64(len(sizeClasses)):
		m.stride = unit * sizeClasses[m.class]
	default:
		h.breaks(at, "its size class is none")
		return
	}
	if m.mapped > maxMapped || m.mem+m.mapped < m.mem || m.mapped != 0 && m.storage+m.slots*m.stride > m.mem+m.mapped ||
		m.mem%unit != 0 {
		h.breaks(at, "its slots do not fit into its memory")
		return
	}
	if owner := c.Pointer(m.mem); c.Reset() != nil || owner != at || !block.Mapped(h.p, m.mem, m.end()) {
		h.breaks(at, "its group does not refer to it")
		return
	}
	h.groups = append(h.groups, m)
}
