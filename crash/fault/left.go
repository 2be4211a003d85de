package fault

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/walk"
)

// A handler that raises a signal while that is blocked, as its own is, does not end by it: the
// signal comes when the handler returns, to the instruction that the first one has interrupted.
// The handler's frame is still where it was then, and says which registers it gave back: that
// these are the thread's, both the stack pointer and the program counter, is what it is known by.

// The frame is below the stack pointer, and below the red zone; it is as long as the processor's
// registers are (8 KB with AMX).
const (
	redZone   = 128
	leftReach = 24 << 10
)

// A handler's stack of its own (sigaltstack(2)) may be anywhere in writable memory. At most
// maxAlternate bytes of it are searched, the smallest segments first.
const (
	maxAlternate = 256 << 20
	searchStep   = 1 << 20
)

// returned is a thread where a handler may have returned to.
type returned struct {
	h      *handlerFrame
	p      *core.Process
	t      *core.Thread
	sp, pc uint64
}

// returnedTo returns a thread as such; nil if its registers or the frames of its architecture
// are not known.
func returnedTo(p *core.Process, t *core.Thread) *returned {
	sp, ok := t.Regs.Get(p.Arch.SP)
	pc, ok1 := t.Regs.Get(p.Arch.PC)
	h := handlerFrames[p.Arch]
	if h == nil || !ok || !ok1 || p.Siginfo == nil || p.Signal == nil {
		return nil
	}
	return &returned{h, p, t, sp, pc}
}

// left returns what the handler was called for that has returned to where a thread is, by its
// frame below the stack; nil if there is none.
func left(p *core.Process, t *core.Thread) *core.Signal {
	x := returnedTo(p, t)
	if x == nil || x.sp < redZone+leftReach {
		return nil
	}
	stack, ok := p.Space.Find(core.Addr(x.sp) - 1)
	if !ok {
		return nil
	}
	low := max(core.Addr(x.sp-redZone-leftReach)&^7, stack.Start)
	d, err := core.ReadBytes(p.Space, low, x.sp-uint64(low))
	if err != nil {
		return nil
	}
	word := func(at core.Addr) uint64 {
		if p.Arch.PtrSize == 4 {
			return uint64(p.Arch.Order.Uint32(d[at:]))
		}
		return p.Arch.Order.Uint64(d[at:])
	}
	last := core.Addr(len(d)) - max(x.h.pc+8, x.h.siginfo+siginfoBytes)
	for at := last &^ 7; int64(at) >= 0; at -= 8 {
		if word(at+x.h.sp) == x.sp && word(at+x.h.pc) == x.pc {
			if g := x.signal(low + at); g != nil {
				return g
			}
		}
	}
	return nil
}

// signal returns what the handler was called for whose trampoline had a stack pointer, nil if
// not for the signal that the process has sent to itself.
func (x *returned) signal(sp core.Addr) *core.Signal {
	g := x.h.signal(x.p, sp, &walk.Frame{PC: core.Addr(x.pc), Regs: x.t.Regs})
	if g == nil || g.Number != 0 && g.Number != x.p.Signal.Number {
		return nil
	}
	return g
}

// leftElsewhere returns what left does of a handler that ran on a stack of its own. The stack
// pointer and the program counter are next to one another in frames of 64 bits alone.
func leftElsewhere(ctx context.Context, p *core.Process, t *core.Thread) *core.Signal {
	x := returnedTo(p, t)
	if x == nil || x.h.pc != x.h.sp+8 || sends(p, t) {
		return nil
	}
	var list []core.Segment
	for _, s := range p.Space.Segments() {
		if s.Kind == core.SegCore && (s.ProtUnknown || s.Prot&core.Write != 0) {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b core.Segment) int { return cmp.Compare(a.Size(), b.Size()) })
	budget := uint64(maxAlternate)
	for _, s := range list {
		if s.Size() > budget || ctx.Err() != nil {
			return nil
		}
		budget -= s.Size()
		if g := x.search(s); g != nil {
			return g
		}
	}
	return nil
}

// search looks for the frame in a segment.
func (x *returned) search(s core.Segment) *core.Signal {
	pair := make([]byte, 16)
	x.p.Arch.Order.PutUint64(pair, x.sp)
	x.p.Arch.Order.PutUint64(pair[8:], x.pc)
	for at := s.Start; at < s.End; at += searchStep {
		d, _ := core.ReadBytes(x.p.Space, at, min(searchStep+uint64(len(pair))-1, uint64(s.End-at)))
		for from := 0; ; from++ {
			i := bytes.Index(d[from:], pair)
			if i < 0 {
				break
			}
			from += i
			if frame := at + core.Addr(from) - x.h.sp; frame%8 == 0 {
				if g := x.signal(frame); g != nil {
					return g
				}
			}
		}
	}
	return nil
}

// sends reports whether a thread is in a call that sends a signal: it has raised its own there.
func sends(p *core.Process, t *core.Thread) bool {
	n, _, ok := kernel.CallOf(p, t)
	name := kernel.CallName(p.Arch, n)
	return ok && (strings.HasSuffix(name, "kill") || strings.HasSuffix(name, "sigqueueinfo"))
}

// killing reports whether a thread is sending a signal to the process.
func killing(p *core.Process, t *core.Thread, g *core.Signal) bool {
	n, args, ok := kernel.CallOf(p, t)
	return ok && kernel.CallName(p.Arch, n) == "kill" && int(int32(args[0])) == g.PID && int(args[1]) == g.Number
}
