package tcmalloc

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Shapes of the library's tables.
const (
	maxData    = 64 << 20
	maxSize    = 256 << 10 // of an object of a size class
	minClasses = 20
	maxClasses = 128
	minStride  = 128 // between transfer caches
	maxStride  = 4096
	slots      = 64 // of a transfer cache
)

// sizesIn returns the table of the sizes of classes: it begins with 0, 8 and 16, grows, and ends with the largest.
func sizesIn(p *core.Process, g core.Mapping) []uint64 {
	c := p.Cursor()
	var out []uint64
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
		// A word is two numbers: 0 and 8, or 8 and 16, as the table is aligned. On processors of 32 bits it is one.
		switch v {
		case 8:
			if c.PtrSize() == 8 {
				return true
			}
			at -= 4
		case 8 << 32:
		case 16<<32 | 8:
			at -= 4
		default:
			return true
		}
		if out = sizesAt(c, at); out != nil {
			return false
		}
		return true
	})
	return out
}

func sizesAt(c *core.Cursor, at core.Addr) []uint64 {
	var out []uint64
	for i := range core.Addr(maxClasses) {
		v := uint64(c.U32(at + 4*i))
		if c.Reset() != nil || i > 0 && (v <= out[i-1] || v%8 != 0) || i == 0 && v != 0 || v > maxSize {
			break
		}
		if out = append(out, v); v == maxSize {
			if len(out) < minClasses {
				break
			}
			return out
		}
	}
	return nil
}

// A central is the array of transfer caches (CentralFreeList).
type central struct {
	at     core.Addr // of the first one
	stride core.Addr
	slots  core.Addr // offset of the slots
	used   core.Addr // offset of how many are used
}

// slotsAt returns the place of the slots in a transfer cache: after a lock, the class, two spans and two counts.
func (m machine) slotsAt() core.Addr { return 4*m.pointer() + 2*m.spanSize() }

// centralIn returns the transfer caches in a mapping: each has the number of its class.
func centralIn(p *core.Process, g core.Mapping, classes int) *central {
	c, m := p.Cursor(), machineOf(p)
	w := m.pointer()
	var out *central
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
		if v != 1 {
			return true
		}
		for stride := core.Addr(minStride); stride <= maxStride && out == nil; stride += w {
			if c.Pointer(at+stride) != 2 || c.Pointer(at+2*stride) != 3 || c.Pointer(at-stride) != 0 {
				c.Reset()
				continue
			}
			x := &central{at: at - stride - w, stride: stride, slots: m.slotsAt(), used: m.slotsAt() + 2*w*slots}
			if c.Reset() == nil && x.holds(c, classes) {
				out = x
			}
		}
		return out == nil
	})
	return out
}

// holds reports whether all classes have their numbers and plausible counts of slots.
func (x *central) holds(c *core.Cursor, classes int) bool {
	for i := range core.Addr(classes) {
		at := x.at + i*x.stride
		used, size, most := c.U32(at+x.used), c.U32(at+x.used+4), c.U32(at+x.used+8)
		if c.Pointer(at+core.Addr(c.PtrSize())) != i || used > size || size > most || most > slots || c.Err() != nil {
			c.Reset()
			return false
		}
	}
	return true
}
