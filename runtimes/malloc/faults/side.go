package faults

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// sideReach is how many words on either side of a header are compared with it.
const sideReach = 8

// A Side says which block a write over a header belonged to.
type Side uint8

// The sides.
const (
	Unknown Side = iota // the write may have come from either side
	Before              // the block before was written to beyond its end
	After               // the block after was written to before its start
)

// SideOf returns the side that the write over a header came from, as far as the words around it show.
func SideOf(p *core.Process, b *block.Break) Side {
	before, behind := extent(p, b, -1), extent(p, b, 1)
	_, w := p.Words()
	whole := before > 0 && uint64(w*(before+1)) >= b.Before.Size // the chunk before is like it
	switch {
	case b.Top:
		return Before
	case b.Intact && behind > 0:
		return After
	case b.Intact:
		return Unknown
	case w == 8 && b.Value>>32 != 0 && plausible(b.Value&0xffffffff), behind > before && !whole:
		return After
	case before > behind, before == sideReach, whole:
		return Before
	}
	return Unknown
}

// plausible reports whether half a header can be the size of a chunk, which an overrun would have
// overwritten first.
func plausible(v uint64) bool { return v&^7 >= 32 && v&8 == 0 && v < 16<<20 }

// maxThrough is how many bytes of a block are compared to see whether a write went through it.
const maxThrough = 1 << 16

// through reports whether the write behind a fault went on through the whole block after it, up to a header:
// that block was written over, and has not written itself.
func through(p *core.Process, b *block.Break, f *Fault) bool {
	c := p.Cursor()
	w := c.PtrSize()
	from := b.Before.Addr
	if from <= f.At || from-f.At > core.Addr(4*w) || b.At < from || b.At-from > maxThrough {
		return false
	}
	for at := from; at < b.At; at += core.Addr(w) {
		if v := c.Word(at); c.Reset() != nil || !alike(v, b.Value, w) {
			return false
		}
	}
	return true
}

// extent returns how many words on one side of a header are like it. The word before it is skipped:
// it belongs to the header of a free chunk.
func extent(p *core.Process, b *block.Break, step int64) int {
	c := p.Cursor()
	w := int64(c.PtrSize())
	for n := range int64(sideReach) {
		at := b.At.Add(w * step * (n + 1))
		if step < 0 {
			at = b.At.Add(w * step * (n + 2))
		}
		if v := c.Word(at); c.Reset() != nil || !alike(v, b.Value, int(w)) {
			return int(n)
		}
	}
	return sideReach
}

// alike reports whether two words look as if one write had made them: they are equal and not
// zero, or both are text.
func alike(a, b uint64, w int) bool { return a == b && a != 0 || printable(a, w) && printable(b, w) }

func printable(v uint64, w int) bool {
	for _, c := range binary.LittleEndian.AppendUint64(nil, v)[:w] {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}
