package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Shapes of the program's tables.
const (
	maxSize    = 256 << 10 // of an object of a size class
	minClasses = 20
	maxClasses = 1024
	minStride  = 128 // between transfer caches
	maxStride  = 2048
)

// sizesIn returns the table of the sizes of classes: it begins with 0, 8 and 16, grows, and ends with the
// largest. Further tables follow it, for other uses of memory.
func sizesIn(p *core.Process, g core.Mapping) (at core.Addr, base int) {
	c := p.Cursor()
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(a, v core.Addr) bool {
		// A word is two numbers: 0 and 8, or 8 and 16, as the table is aligned to four bytes.
		switch v {
		case 8 << 32:
		case 16<<32 | 8:
			a -= 4
		default:
			return true
		}
		if n := sizesAt(c, a); n > 0 {
			at, base = a, n
		}
		return base == 0
	})
	return at, base
}

func sizesAt(c *core.Cursor, at core.Addr) int {
	before := uint32(0)
	for i := range maxClasses {
		v := c.U32(at + core.Addr(4*i))
		if c.Reset() != nil || i == 0 && v != 0 || i > 0 && (v <= before || v%8 != 0) || v > maxSize {
			return 0
		}
		if v == maxSize {
			if i < minClasses {
				return 0
			}
			return i + 1
		}
		before = v
	}
	return 0
}

// A central is the array of transfer caches and lists of spans, one for each class.
type central struct {
	at     core.Addr // the number of class 0
	stride core.Addr
}

const (
	slotsBefore = 16 // the number of a class: a pointer to the slots of its transfer cache
	maxUsed     = 1 << 16
	maxTries    = 1 << 12 // places that are looked at for the array
)

// centralIn returns the transfer caches in a mapping: each has the number of its class and the size of its objects.
func (h *Malloc) centralIn(ctx context.Context, g core.Mapping) *central {
	c, tries := h.m.c, 0
	var out *central
	block.Words(h.m.p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
		if v != 1 || c.U64(at+8) != h.size(1) {
			c.Reset()
			return true
		}
		for stride := core.Addr(minStride); stride <= maxStride && out == nil; stride += 8 {
			good := true
			for k := 2; k < h.base && good; k++ {
				good = c.U64(at+stride*core.Addr(k-1)) == uint64(k) && c.U64(at+stride*core.Addr(k-1)+8) == h.size(k)
			}
			if c.Reset() == nil && good {
				out = &central{at: at - stride, stride: stride}
			}
		}
		tries++
		return out == nil && tries < maxTries && ctx.Err() == nil
	})
	return out
}
