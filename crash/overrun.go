package crash

import (
	"fmt"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/faults"
)

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
	_, w := p.Words()
	after := b.At + core.Addr(w)
	switch faults.SideOf(p, b) {
	case faults.After:
		return s + fmt.Sprintf(", but the write came from the other side: the block at %v was written to before its start", after)
	case faults.Before:
		return s + ", which was overrun"
	}
	return s + fmt.Sprintf(", after it the block at %v: the one was overrun, or the other was written to before its start", after)
}
