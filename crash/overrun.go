package crash

import (
	"fmt"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/faults"
)

// breakWords describes a header that was overwritten, and names the block that the write belonged to
// if that shows.
func breakWords(p *core.Process, b *malloc.Break) string {
	s := fmt.Sprintf("the header at %v is %#x", b.At, b.Value)
	if b.Past {
		s = fmt.Sprintf("the word at %v is %#x", b.At, b.Value)
	}
	if text := where.Text(p, b.Value); text != "" {
		s += fmt.Sprintf(" (%s)", text)
	}
	if b.Past {
		return s + fmt.Sprintf(": %s; the block of %d bytes at %v was overrun", b.Why, b.Before.Size, b.Before.Addr)
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

// across adds the run of bytes around the pointer at fault that lies over the boundary of two blocks. It
// shows no more than that.
func (x heapExam) across(f *finding, heap *malloc.Heap, at core.Addr) {
	if f.cause != bugs.WildPointer {
		return
	}
	r, ok := heap.Find(x.ctx, at)
	if !ok {
		return
	}
	run, ok := faults.Across(x.p, r.Heap, r.Ref, at)
	if !ok {
		return
	}
	what := "one word again and again"
	if run.Text {
		what = "text"
	}
	f.evidence = append(f.evidence, fmt.Sprintf("the pointer was read from %v: from %v to %v is %s, over the end of the block of %d bytes at %v and the start of the one at %v: "+
		"the one was overrun, or the other was written to before its start", at, run.Start, run.End, what,
		run.Before.Size, run.Before.Addr, run.After.Addr))
}
