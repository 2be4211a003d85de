package crash

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
)

// sideReach is how many words on either side of a header are compared with it.
const sideReach = 8

// breakWords describes a header that was overwritten, and names the block that the write belonged to
// if that shows.
func breakWords(p *core.Process, b *malloc.Break) string {
	s := fmt.Sprintf("the header at %v is %#x", b.At, b.Value)
	if text := where.Text(p, b.Value); text != "" {
		s += fmt.Sprintf(" (%s)", text)
	}
	s += fmt.Sprintf(": %s; before it is a chunk of %d bytes at %v", b.Why, b.Before.Size, b.Before.Addr)
	if b.Top {
		return s
	}
	after := b.At + 8
	before, behind := extent(p, b, -8), extent(p, b, 8)
	whole := before > 0 && uint64(8*(before+1)) >= b.Before.Size // the chunk before is like it
	switch {
	case b.Value>>32 != 0 && plausible(b.Value&0xffffffff), behind > before && !whole:
		return s + fmt.Sprintf(", but the write came from the other side: the block at %v was written to before its start", after)
	case before > behind, before == sideReach, whole:
		return s + ", which was overrun"
	}
	return s + fmt.Sprintf(", after it the block at %v: the one was overrun, or the other was written to before its start", after)
}

// plausible reports whether half a header can be the size of a chunk, which an overrun would have
// overwritten first.
func plausible(v uint64) bool { return v&^7 >= 32 && v&8 == 0 && v < 16<<20 }

// extent returns how many words on one side of a header are like it. The word before it is skipped:
// it belongs to the header of a free chunk.
func extent(p *core.Process, b *malloc.Break, step int64) int {
	c := p.Cursor()
	for n := range int64(sideReach) {
		at := b.At.Add(step * (n + 1))
		if step < 0 {
			at = b.At.Add(step * (n + 2))
		}
		if v := c.U64(at); c.Reset() != nil || !alike(v, b.Value) {
			return int(n)
		}
	}
	return sideReach
}

// alike reports whether two words look as if one write had made them: they are equal and not
// zero, or both are text.
func alike(a, b uint64) bool { return a == b && a != 0 || printable(a) && printable(b) }

func printable(v uint64) bool {
	for _, c := range binary.LittleEndian.AppendUint64(nil, v) {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}
