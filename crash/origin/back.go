package origin

import (
	"context"

	"coredbg/core"
	"coredbg/core/insn"
)

// A tracer follows one value.
type tracer struct {
	ctx    context.Context
	code   *Code
	p      *core.Process
	frames []Frame
	read   map[core.Addr]*Function // keyed by the end of the code that was read
	steps  int                     // that are left
	forks  int
	depth  int
}

// A want is the value that a register is known to have had, if known.
type want struct {
	v     uint64
	known bool
}

func wanted(v uint64) want { return want{v, true} }

// function returns the instructions from the start of the function that holds the code before
// pc up to there.
func (t *tracer) function(pc core.Addr) (*Function, bool) {
	if fn, ok := t.read[pc]; ok {
		return fn, fn != nil
	}
	t.read[pc] = nil
	start, ok := t.code.Start(pc - 1)
	if !ok || start >= pc || pc-start > maxFunction {
		return nil, false
	}
	code, err := t.p.Space.Slice(start, int(pc-start))
	if err != nil {
		return nil, false
	}
	if t.ctx.Err() != nil {
		return nil, false
	}
	fn := NewFunction(t.p.Arch, code, start, max(t.steps, 0))
	t.steps -= len(fn.List)
	if n := len(fn.List); n == 0 || fn.List[n-1].Next() != pc {
		return nil, false
	}
	t.read[pc] = fn
	return fn, true
}

// before returns the value that the register in a slot had before the instruction at pc, and the words
// that it was read from, the last one first. Regs are the registers as they were then; frame is the
// index of the function's own.
func (t *tracer) before(frame int, pc core.Addr, regs core.Regs, slot int,
	w want) (v uint64, words []core.Addr, ok bool) {
	if t.depth++; t.depth > maxDepth {
		t.depth--
		return 0, nil, false
	}
	defer func() { t.depth-- }()
	fn := &Function{}
	if start, known := t.code.Start(pc); !known || start != pc { // not the first instruction
		if fn, ok = t.function(pc); !ok {
			return 0, nil, false
		}
	}
	return t.back(frame, fn, len(fn.List)-1, false, regs, slot, w)
}

// A fork is another way to where the value is followed: a jump, by its index.
type fork struct {
	jump int
	regs core.Regs
	w    want
	sum  uint64 // that was added to the value on the way
}

// back goes from the instruction with index i towards the function's start; jumped says that this one
// is a jump that was taken. Jumps that lead to the way are tried where it shows nothing itself.
func (t *tracer) back(frame int, fn *Function, i int, jumped bool, regs core.Regs, slot int,
	w want) (v uint64, words []core.Addr, ok bool) {
	var forks []fork
	v, words, ok = t.line(frame, fn, i, jumped, regs, slot, w, &forks)
	// A word that has the value is more telling than a constant.
	for k := 0; (!ok || w.known && len(words) == 0) && k < len(forks) && t.forks > 0; k++ {
		t.forks--
		other, from, found := t.back(frame, fn, forks[k].jump, true, forks[k].regs, slot, forks[k].w)
		if found {
			v, words, ok = other+forks[k].sum, from, true
		}
	}
	return v, words, ok
}

// line goes from one instruction to the one before it.
func (t *tracer) line(frame int, fn *Function, i int, jumped bool, regs core.Regs, slot int, w want,
	forks *[]fork) (v uint64, words []core.Addr, ok bool) {
	sum := uint64(0)
	defer func() { v += sum }()
	for ; i >= 0; i-- {
		if t.steps--; t.steps <= 0 {
			return 0, nil, false
		}
		in := &fn.List[i]
		if !jumped {
			for _, k := range fn.jumps[in.Next()] {
				if k != i && len(*forks) < maxForks {
					*forks = append(*forks, fork{k, regs, w, sum})
				}
			}
		}
		if in.Ends && !jumped {
			return 0, nil, false
		}
		jumped = false
		m, known := insn.MoveOf(t.p.Arch, in.Code, in.At)
		if known && (m.Kind == insn.Loads || m.Kind == insn.Computes) && m.Reg == slot {
			return t.made(frame, fn, i, &m, regs, w)
		}
		if !t.undo(in, &m, known, &regs, slot) {
			return 0, nil, false
		}
		if known && !in.Calls && m.Sum == slot {
			sum += uint64(m.By)
			w.v -= uint64(m.By)
		}
	}
	return t.entered(frame, slot, w)
}

// undo restores the registers to their values before an instruction. It returns false if that
// instruction has made the value in a way that is not followed.
func (t *tracer) undo(in *Instruction, m *insn.Move, known bool, regs *core.Regs, slot int) bool {
	arch := t.p.Arch
	if in.Calls {
		for r := range core.MaxRegs {
			if arch.CalleeSaved>>uint(r)&1 == 0 && r != arch.SP {
				regs.Forget(r)
				if r == slot {
					return false
				}
			}
		}
		return true
	}
	if !known {
		return true // vectors
	}
	for _, r := range m.Changes {
		regs.Forget(r)
		if r == slot {
			return false
		}
	}
	if m.Sum >= 0 {
		if v, ok := regs.Get(m.Sum); ok {
			regs.Set(m.Sum, v-uint64(m.By))
		}
	}
	switch m.Kind {
	case insn.Loads:
		regs.Forget(m.Reg)
	case insn.Computes:
		v, ok := regs.Get(m.Reg)
		if regs.Forget(m.Reg); ok && m.At.Index < 0 && m.At.Base >= 0 && !regs.Has(m.At.Base) {
			regs.Set(m.At.Base, v-uint64(m.At.Disp))
		}
	case insn.Stores: // what was stored is what the register had
		if at, ok := m.At.Sum(regs); ok && !regs.Has(m.Reg) {
			c := t.p.Cursor()
			if v := c.Word(core.Addr(at)); c.Err() == nil {
				regs.Set(m.Reg, v)
			}
		}
	}
	return true
}

// made is the value that an instruction has put into the register.
func (t *tracer) made(frame int, fn *Function, i int, m *insn.Move, regs core.Regs,
	w want) (uint64, []core.Addr, bool) {
	regs.Forget(m.Reg)
	sub := want{w.v - uint64(m.At.Disp), w.known && m.At.Index < 0}
	if m.Kind == insn.Loads {
		sub = want{}
	}
	sum := uint64(m.At.Disp)
	var words []core.Addr
	for _, r := range []struct {
		slot  int
		scale uint64
	}{{m.At.Base, 1}, {m.At.Index, m.At.Scale}} {
		if r.slot < 0 {
			continue
		}
		v, known := regs.Get(r.slot)
		need := sub
		if known {
			need = wanted(v)
		}
		if t.depth++; t.depth > maxDepth {
			t.depth--
			return 0, nil, false
		}
		got, from, ok := t.back(frame, fn, i-1, false, regs, r.slot, need)
		t.depth--
		switch {
		case ok && known && got != v, !ok && !known:
			return 0, nil, false
		case ok:
			v = got
			words = append(words, from...)
		}
		sum += v * r.scale
	}
	if m.Kind == insn.Computes {
		return sum, words, !w.known || sum == w.v
	}
	if !t.holds(core.Addr(sum), w) {
		return 0, nil, false
	}
	c := t.p.Cursor()
	v := c.Word(core.Addr(sum))
	if c.Err() == nil {
		words = append(words, t.stored(frame, fn, i-1, regs, sum, v)...)
	}
	return v, append([]core.Addr{core.Addr(sum)}, words...), c.Err() == nil
}

// stored follows a value that was loaded from the place of a local variable to the register that was
// stored there, from the instruction with index i towards the function's start.
func (t *tracer) stored(frame int, fn *Function, i int, regs core.Regs, at, v uint64) []core.Addr {
	if t.depth++; t.depth > maxDepth {
		t.depth--
		return nil
	}
	defer func() { t.depth-- }()
	for ; i >= 0 && t.steps > 0; i-- {
		t.steps--
		in := &fn.List[i]
		m, known := insn.MoveOf(t.p.Arch, in.Code, in.At)
		if known && m.Kind == insn.Stores && (m.At.Base == t.p.Arch.SP || m.At.Base == t.p.Arch.FP) {
			if to, ok := m.At.Sum(&regs); ok && to == at {
				_, words, _ := t.back(frame, fn, i-1, false, regs, m.Reg, wanted(v))
				return words
			}
		}
		t.undo(in, &m, known, &regs, -1)
	}
	return nil
}

// holds reports whether a word can be read, and is what is wanted.
func (t *tracer) holds(at core.Addr, w want) bool {
	c := t.p.Cursor()
	v := c.Word(at)
	return c.Err() == nil && (!w.known || v == w.v)
}

// entered goes on in the caller, which has given the register its value.
func (t *tracer) entered(frame, slot int, w want) (uint64, []core.Addr, bool) {
	if frame++; frame >= len(t.frames) {
		return 0, nil, false
	}
	f := &t.frames[frame]
	fn, ok := t.function(f.PC)
	if t.depth++; !ok || t.depth > maxDepth || !fn.List[len(fn.List)-1].Calls {
		t.depth--
		return 0, nil, false
	}
	defer func() { t.depth-- }()
	return t.back(frame, fn, len(fn.List)-2, false, f.Regs, slot, w)
}
