package walk

import "coredbg/core"

// Leave returns the caller of a frame that was interrupted, where its function's
// instructions show where the processor gets to it: f must be Exact and have its
// registers. First count those that lead from f's PC to a return without a call,
// followed with f's registers, so that they may move the stack pointer by what one of
// them holds, and keep the return address in another; where they branch and the
// registers do not say which way, all ways must lead to the same caller. Without such
// a way those count that lead to f's PC from start, the function's first; 0 if that is
// not known: a way without a call first, then all instructions between the two in order.
//
// In the caller the program counter, the stack pointer, the frame pointer if it is known,
// and of the registers that survive calls those that are known have the values that they
// have after the return. Arguments that the function removes on some ways only, or whose
// number is not known, are still there. No more is checked than that the caller is
// executable, and, where the way is not followed, that a call precedes it. If none does
// although the function has no frame, it has moved its return address: the caller is then
// the first on the stack, up to the frame pointer, that a call precedes, or the only one
// in a register.
func Leave(p *core.Process, f *Frame, start core.Addr) (caller Frame, ok bool) {
	l := leaving{p: p, abi: abiOf(p.Arch), forks: map[core.Addr]stackPlace{}}
	if !f.Exact() || l.abi.apply == nil {
		return Frame{}, false
	}
	if caller, ok = l.ahead(f); !ok {
		caller, ok = l.through(f, start)
	}
	if !ok {
		caller, ok = l.behind(f, start)
	}
	if seg, mapped := p.Space.Find(caller.PC); !ok || !mapped || seg.Prot != 0 && seg.Prot&core.Exec == 0 {
		return Frame{}, false
	}
	return caller, true
}

// A leaving follows the instructions of a function that was interrupted.
type leaving struct {
	p   *core.Process
	abi *abi
	// forks are the jumps of which both ways were followed, with the stack pointer
	// there.
	forks  map[core.Addr]stackPlace
	caller *Frame // where the ways lead that have come to a return
	differ bool   // not all of them
}

// ahead follows the way from f on.
func (l *leaving) ahead(f *Frame) (Frame, bool) {
	o, ok := newWayOutAt(l.p, f)
	if !ok {
		return Frame{}, false
	}
	pending := []aheadPoint{{f.PC, o}}
	for n := 0; len(pending) > 0 && !l.differ; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o, goes := p.at, p.way, true; goes && n < maxWayOut; n++ {
			o.values.pc = at
			code, _ := l.p.Space.Slice(at, longestInsn)
			c, left := l.abi.step(&o, code)
			goes = c.kind == passes || c.kind == branches || c.kind == jumps
			taken, sure := c.kind == jumps, true
			if c.kind == branches {
				if taken, sure = l.abi.decide(&o, code); !sure && l.forked(at, &o) {
					break
				}
			}
			target := at.Add(c.target) & l.p.Arch.AddrMask()
			switch {
			case left:
				l.returned(&o, c.pop)
			case !sure:
				pending = append(pending, aheadPoint{target, o.clone()})
			case taken:
				at = target
				continue
			}
			at += core.Addr(c.size)
		}
	}
	if l.caller == nil || l.differ {
		return Frame{}, false
	}
	return *l.caller, true
}

// forked reports whether both ways of a jump are followed already. If the stack was
// another one then, what a loop does to it is not known.
func (l *leaving) forked(at core.Addr, o *wayOut) bool {
	sp, seen := l.forks[at]
	l.differ = l.differ || seen && sp != o.sp
	l.forks[at] = o.sp
	return seen
}

// returned notes where a return leads.
func (l *leaving) returned(o *wayOut, pop int64) {
	arch := o.arch
	sp := o.number(arch.SP)
	ra := o.values.get(sp, arch.PtrSize)
	if arch.LR >= 0 {
		ra = o.number(arch.LR)
	}
	fp := o.number(arch.FP)
	if !ra.known || !fp.known {
		l.differ = true
		return
	}
	caller := Frame{SP: core.Addr(sp.n).Add(pop)}
	caller.Regs = o.values.regs
	caller.Regs.Known &= arch.CalleeSaved
	l.finish(&caller, core.Addr(ra.n), core.Addr(fp.n))
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
func (l *leaving) finish(caller *Frame, pc, fp core.Addr) {
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
func (l *leaving) through(f *Frame, start core.Addr) (Frame, bool) {
	if start == 0 || f.PC < start || f.PC-start >= maxCode {
		return Frame{}, false
	}
	seen := map[core.Addr]bool{}
	for pending := []aheadPoint{{start, newWayOut(l.p.Arch)}}; len(pending) > 0; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o, goes := p.at, p.way, true; goes && !seen[at] && len(seen) < maxThrough; {
			if at == f.PC {
				return l.undone(f, &o)
			}
			seen[at] = true
			code, _ := l.p.Space.Slice(at, longestInsn)
			c, left := l.abi.step(&o, code)
			if left {
				break
			}
			switch c.kind {
			case branches:
				pending = append(pending, aheadPoint{at.Add(c.target) & l.p.Arch.AddrMask(), o.clone()})
			case jumps:
				at = at.Add(c.target) & l.p.Arch.AddrMask()
				continue
			default:
				goes = c.kind == passes
			}
			at += core.Addr(c.size)
		}
	}
	return Frame{}, false
}

// undone returns the caller of f, to which o is the way from the function's start.
func (l *leaving) undone(f *Frame, o *wayOut) (Frame, bool) {
	arch := l.p.Arch
	if o.sp.fromFP {
		return Frame{}, false
	}
	entry := f.SP.Add(-o.sp.off)
	stack := l.p.Cursor()
	// A register has its own value still, or was put on the stack.
	own := func(slot int, now uint64, kept bool) uint64 {
		if kept {
			return now
		}
		for _, s := range o.stored {
			if s.slot == slot && s.value.kind == wayOwn && !s.at.fromFP {
				return stack.Word(entry.Add(s.at.off))
			}
		}
		stack.Word(0) // nowhere
		return 0
	}
	caller := Frame{SP: entry}
	fp := own(arch.FP, uint64(f.FP), o.fpKnown && o.fp == stackPlace{fromFP: true})
	var ra uint64
	if arch.LR >= 0 {
		lr, has := f.Regs.Get(arch.LR)
		ra = own(arch.LR, lr, has && o.regs[arch.LR].kind == wayOwn)
	} else {
		ra = stack.Word(entry)
		caller.SP += core.Addr(arch.PtrSize)
	}
	l.finish(&caller, core.Addr(ra), core.Addr(fp))
	return caller, stack.Reset() == nil && l.called(caller.PC)
}

// behind takes down what the instructions from start to f's PC have built.
func (l *leaving) behind(f *Frame, start core.Addr) (Frame, bool) {
	if start == 0 || f.PC < start || f.PC-start >= maxCode {
		return Frame{}, false
	}
	code, _ := l.p.Space.Slice(start, int(f.PC-start)+longestInsn)
	if len(code) < int(f.PC-start) {
		return Frame{}, false
	}
	arch := l.p.Arch
	s, ok := l.abi.prologue(code, int(f.PC-start), maxInsns)
	base, fp := uint64(f.SP), uint64(f.FP)
	if s.fromFP {
		base = fp
	}
	switch {
	case !s.sure || base == 0:
		return Frame{}, false
	case !ok: // the stack is aligned
		return l.search(f)
	}
	stack := l.p.Cursor()
	cfa := core.Addr(base).Add(s.cfaOff)
	saved := func(slot int, own uint64) uint64 {
		if s.saved[slot] == 0 {
			return own
		}
		return stack.Word(cfa - core.Addr(s.saved[slot]))
	}
	ra := saved(arch.PC, 0)
	if arch.LR >= 0 {
		lr, _ := f.Regs.Get(arch.LR)
		ra = saved(arch.LR, lr)
	}
	caller := Frame{SP: cfa}
	l.finish(&caller, core.Addr(ra), core.Addr(saved(arch.FP, fp)))
	if stack.Reset() == nil && l.called(caller.PC) {
		return caller, true
	}
	if s.fromFP {
		return Frame{}, false
	}
	return l.search(f)
}

// called reports whether a call precedes an address.
func (l *leaving) called(a core.Addr) bool {
	before, err := l.p.Space.Slice(a-callBytes, callBytes)
	if err != nil || a < callBytes {
		return false
	}
	_, _, called := l.abi.call(before)
	return called
}

// maxMoved is how far up the stack a return address that was moved is looked for, in
// bytes.
const maxMoved = 512

// search returns the caller of a function without a frame that has moved its return
// address: up the stack, or to a register.
func (l *leaving) search(f *Frame) (Frame, bool) {
	arch := l.p.Arch
	word := core.Addr(arch.PtrSize)
	stack := l.p.Cursor()
	for at := f.SP; at < f.FP && at < f.SP+maxMoved; at += word {
		ra := stack.Pointer(at)
		if stack.Reset() != nil {
			break
		}
		if l.called(ra) {
			caller := Frame{SP: at + word}
			l.finish(&caller, ra, f.FP)
			return caller, true
		}
	}
	caller := Frame{SP: f.SP}
	for slot := range arch.RegNames {
		v, ok := f.Regs.Get(slot)
		if !ok || slot == arch.PC || slot == arch.SP || !l.called(core.Addr(v)) {
			continue
		}
		if caller.PC != 0 && caller.PC != core.Addr(v) {
			return Frame{}, false
		}
		l.finish(&caller, core.Addr(v), f.FP)
	}
	return caller, caller.PC != 0
}
