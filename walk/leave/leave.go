package leave

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
)

// Caller returns the caller of an interrupted frame, if its function's instructions show how the
// processor gets there: f must be Exact and have its registers. Instructions that lead from f's PC to a
// return without a call count first. They are followed with f's registers, so that they may move the
// stack pointer by a register's contents, and keep the return address in another register. If they
// branch and the registers do not say which way, all ways must lead to the same caller. Without such a
// way the instructions from start, the function's first, to f's PC count: a way without a call first,
// then all instructions between the two in order. Start is 0 if it is not known.
//
// In the caller the program counter, the stack pointer and, if known, the frame pointer and the
// registers that survive calls have their values after the return. Arguments that the function removes
// on some ways only, or whose number is not known, are still there. Caller checks only that the caller
// is executable and, if the way is not followed, that a call precedes it. If no call does although the
// function has no frame, the function has moved its return address: the caller is then the first on the
// stack, up to the frame pointer, that a call precedes, or the only one in a register.
func Caller(p *core.Process, f *frame.Frame, start core.Addr) (caller frame.Frame, ok bool) {
	l := leaving{p: p, set: sets.For(p.Arch), forks: map[core.Addr]isa.Place{}}
	if !f.Exact() || l.set.Apply == nil {
		return frame.Frame{}, false
	}
	if caller, ok = l.ahead(f); !ok {
		caller, ok = l.through(f, start)
	}
	if !ok {
		caller, ok = l.behind(f, start)
	}
	if seg, mapped := p.Space.Find(caller.PC); !ok || !mapped || seg.Prot != 0 && seg.Prot&core.Exec == 0 {
		return frame.Frame{}, false
	}
	return caller, true
}

// A leaving follows the instructions of a function that was interrupted.
type leaving struct {
	p   *core.Process
	set *isa.Set
	// forks are the jumps whose ways were both followed, with the stack pointer there.
	forks  map[core.Addr]isa.Place
	caller *frame.Frame // where the ways lead that have come to a return
	differ bool         // not all of them
}

// ahead follows the way from f on.
func (l *leaving) ahead(f *frame.Frame) (frame.Frame, bool) {
	o, ok := isa.NewWayAt(l.p, f)
	if !ok {
		return frame.Frame{}, false
	}
	pending := []isa.Point{{At: f.PC, Way: o}}
	for n := 0; len(pending) > 0 && !l.differ; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o, goes := p.At, p.Way, true; goes && n < isa.MaxWay; n++ {
			o.Values.PC = at
			code, _ := l.p.Space.Slice(at, isa.LongestInsn)
			c, left := l.set.Step(&o, code)
			goes = c.Kind == isa.Passes || c.Kind == isa.Branches || c.Kind == isa.Jumps
			taken, sure := c.Kind == isa.Jumps, true
			if c.Kind == isa.Branches {
				if taken, sure = l.set.Decide(&o, code); !sure && l.forked(at, &o) {
					break
				}
			}
			target := at.Add(c.Target) & l.p.Arch.AddrMask()
			switch {
			case left:
				l.returned(&o, c.Pop)
			case !sure:
				pending = append(pending, isa.Point{At: target, Way: o.Clone()})
			case taken:
				at = target
				continue
			}
			at += core.Addr(c.Size)
		}
	}
	if l.caller == nil || l.differ {
		return frame.Frame{}, false
	}
	return *l.caller, true
}

// forked reports whether both ways of a jump are followed already. If the stack was another one then,
// the effect of a loop on it is not known.
func (l *leaving) forked(at core.Addr, o *isa.Way) bool {
	sp, seen := l.forks[at]
	l.differ = l.differ || seen && sp != o.SP
	l.forks[at] = o.SP
	return seen
}

// returned notes where a return leads.
func (l *leaving) returned(o *isa.Way, pop int64) {
	arch := o.Arch
	sp := o.Number(arch.SP)
	ra := o.Values.Get(sp, arch.RegSize())
	if arch.LR >= 0 {
		ra = o.Number(arch.LR)
	}
	fp := o.Number(arch.FP)
	if !ra.Known || !fp.Known {
		l.differ = true
		return
	}
	caller := frame.Frame{SP: core.Addr(sp.N).Add(pop)}
	caller.Regs = o.Values.Regs
	caller.Regs.Known &= arch.CalleeSaved
	l.finish(&caller, core.Addr(ra.N), core.Addr(fp.N))
	switch {
	case l.caller == nil:
		l.caller = &caller
	case l.caller.PC != caller.PC || l.caller.FP != caller.FP:
		l.differ = true
	case l.caller.SP > caller.SP:
		l.caller = &caller
	}
}

// finish sets the registers of a caller that all have.
func (l *leaving) finish(caller *frame.Frame, pc, fp core.Addr) {
	arch := l.p.Arch
	if arch.LR >= 0 {
		pc = l.p.StripCode(pc) & (1<<arch.AddrBits - 1)
	}
	caller.PC, caller.FP = pc, fp
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	caller.Regs.Set(arch.FP, uint64(fp))
}

// maxThrough bounds the instructions along which a way to an interrupted one is looked for.
const maxThrough = 1 << 13

// through takes down what a way from start to f's PC without a call has built. Whatever way
// the processor came, it is the same there: the function could not return otherwise.
func (l *leaving) through(f *frame.Frame, start core.Addr) (frame.Frame, bool) {
	if start == 0 || f.PC < start || f.PC-start >= isa.MaxCode {
		return frame.Frame{}, false
	}
	seen := map[core.Addr]bool{}
	for pending := []isa.Point{{At: start, Way: isa.NewWay(l.p.Arch)}}; len(pending) > 0; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o, goes := p.At, p.Way, true; goes && !seen[at] && len(seen) < maxThrough; {
			if at == f.PC {
				return l.undone(f, &o)
			}
			seen[at] = true
			code, _ := l.p.Space.Slice(at, isa.LongestInsn)
			c, left := l.set.Step(&o, code)
			if left {
				break
			}
			switch c.Kind {
			case isa.Branches:
				pending = append(pending, isa.Point{At: at.Add(c.Target) & l.p.Arch.AddrMask(), Way: o.Clone()})
			case isa.Jumps:
				at = at.Add(c.Target) & l.p.Arch.AddrMask()
				continue
			default:
				goes = c.Kind == isa.Passes
			}
			at += core.Addr(c.Size)
		}
	}
	return frame.Frame{}, false
}

// undone returns the caller of f. The way from the function's start to f is o.
func (l *leaving) undone(f *frame.Frame, o *isa.Way) (frame.Frame, bool) {
	arch := l.p.Arch
	if o.SP.FromFP {
		return frame.Frame{}, false
	}
	entry := f.SP.Add(-o.SP.Off)
	stack := l.p.Cursor()
	// A register has its own value still, or was put on the stack.
	own := func(slot int, now uint64, kept bool) uint64 {
		if kept {
			return now
		}
		for _, s := range o.Stored {
			if s.Slot == slot && s.Value.Kind == isa.Own && !s.At.FromFP {
				return stack.Register(entry.Add(s.At.Off))
			}
		}
		stack.Register(0) // nowhere
		return 0
	}
	caller := frame.Frame{SP: entry}
	fp := own(arch.FP, uint64(f.FP), o.FPKnown && o.FP == isa.Place{FromFP: true})
	var ra uint64
	if arch.LR >= 0 {
		lr, has := f.Regs.Get(arch.LR)
		ra = own(arch.LR, lr, has && o.Regs[arch.LR].Kind == isa.Own)
	} else {
		ra = stack.Register(entry)
		caller.SP += core.Addr(arch.RegSize())
	}
	l.finish(&caller, core.Addr(ra), core.Addr(fp))
	return caller, stack.Reset() == nil && l.called(caller.PC)
}

// behind takes down what the instructions from start to f's PC have built.
func (l *leaving) behind(f *frame.Frame, start core.Addr) (frame.Frame, bool) {
	if start == 0 || f.PC < start || f.PC-start >= isa.MaxCode {
		return frame.Frame{}, false
	}
	code, _ := l.p.Space.Slice(start, int(f.PC-start)+isa.LongestInsn)
	if len(code) < int(f.PC-start) {
		return frame.Frame{}, false
	}
	arch := l.p.Arch
	s, ok := l.set.Prologue(code, int(f.PC-start), isa.MaxInsns)
	base, fp := uint64(f.SP), uint64(f.FP)
	if s.FromFP {
		base = fp
	}
	switch {
	case !s.Sure || base == 0:
		return frame.Frame{}, false
	case !ok: // the stack is aligned
		return l.search(f)
	}
	stack := l.p.Cursor()
	cfa := core.Addr(base).Add(s.CFAOff)
	saved := func(slot int, own uint64) uint64 {
		if s.Saved[slot] == 0 {
			return own
		}
		return stack.Register(cfa - core.Addr(s.Saved[slot]))
	}
	ra := saved(arch.PC, 0)
	if arch.LR >= 0 {
		lr, _ := f.Regs.Get(arch.LR)
		ra = saved(arch.LR, lr)
	}
	caller := frame.Frame{SP: cfa}
	l.finish(&caller, core.Addr(ra), core.Addr(saved(arch.FP, fp)))
	if stack.Reset() == nil && l.called(caller.PC) {
		return caller, true
	}
	if s.FromFP {
		return frame.Frame{}, false
	}
	return l.search(f)
}

// called reports whether a call precedes an address.
func (l *leaving) called(a core.Addr) bool {
	before, err := l.p.Space.Slice(a-isa.CallBytes, isa.CallBytes)
	if err != nil || a < isa.CallBytes {
		return false
	}
	_, _, called := l.set.Call(before)
	return called
}

// maxMoved is how far up the stack a return address that was moved is looked for, in
// bytes.
const maxMoved = 512

// search returns the caller of a function without a frame that has moved its return
// address: up the stack, or to a register.
func (l *leaving) search(f *frame.Frame) (frame.Frame, bool) {
	arch := l.p.Arch
	word := core.Addr(arch.RegSize())
	stack := l.p.Cursor()
	for at := f.SP; at < f.FP && at < f.SP+maxMoved; at += word {
		ra := core.Addr(stack.Register(at))
		if stack.Reset() != nil {
			break
		}
		if l.called(ra) {
			caller := frame.Frame{SP: at + word}
			l.finish(&caller, ra, f.FP)
			return caller, true
		}
	}
	caller := frame.Frame{SP: f.SP}
	for slot := range arch.RegNames {
		v, ok := f.Regs.Get(slot)
		if !ok || slot == arch.PC || slot == arch.SP || !l.called(core.Addr(v)) {
			continue
		}
		if caller.PC != 0 && caller.PC != core.Addr(v) {
			return frame.Frame{}, false
		}
		l.finish(&caller, core.Addr(v), f.FP)
	}
	return caller, caller.PC != 0
}
