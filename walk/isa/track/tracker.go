package track

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// A tracker follows the instructions of an architecture with fixed rules.
type tracker struct {
	arch *core.Arch
	// step does to f what the instruction that code begins with does, and says where
	// control goes.
	step func(f *tracked, code []byte) isa.Control
	// delay is set if the instruction after a jump or a call is executed before it
	// takes effect.
	delay bool
}

// A reached frame is the frame at an instruction that a jump leads to. It is sure if the instructions
// lead from the function's start to the jump.
type reached struct {
	tracked
	sure bool
}

// prologue follows a function from its start to the instruction at pc in one pass. The code after a
// jump has the frame of the jumps that lead there, or the deepest frame that the function has had.
func (k tracker) prologue(code []byte, pc, budget int) (isa.Shape, bool) {
	f := newTracked(k.arch)
	x := pass{f: f, body: f, sure: true, targets: map[int]reached{}}
	var late isa.Control // a jump whose delay slot is next
	lateAt := 0
	for at := 0; at < pc; budget-- {
		if at >= len(code) || budget <= 0 {
			return isa.Shape{}, false
		}
		c := k.step(&x.f, code[at:])
		if c.Kind == isa.Unknown || c.Size <= 0 {
			return isa.Shape{}, false
		}
		if x.f.deeper(&x.body) {
			x.body = x.f
		}
		here := at
		at += c.Size
		if k.delay && late.Kind == isa.Unknown && c.Kind != isa.Passes {
			late, lateAt = c, here
			continue
		}
		if late.Kind != isa.Unknown {
			c, here, late = late, lateAt, isa.Control{}
		}
		if to := here + int(c.Target); (c.Kind == isa.Branches || c.Kind == isa.Jumps) && to >= at && to <= pc {
			x.jump(to)
		}
		x.goOn(c.Kind, at, pc)
	}
	s, ok := x.f.shape()
	s.Sure = x.sure && ok
	return s, ok
}

// A pass follows a function.
type pass struct {
	f       tracked
	body    tracked         // the deepest frame that the function has had
	sure    bool            // f follows from the code before, not from body
	targets map[int]reached // the frames of the jumps to code that comes
}

// jump keeps the frame for the code at to.
func (x *pass) jump(to int) {
	if seen, ok := x.targets[to]; !ok || x.sure && !seen.sure {
		x.targets[to] = reached{x.f, x.sure}
	}
}

// goOn sets the frame of the code at at, which follows an instruction of the kind.
func (x *pass) goOn(kind isa.Kind, at, pc int) {
	seen, known := x.targets[at]
	switch kind {
	case isa.Calls:
		x.f.called()
		if known && seen.sure && at < pc { // it may not return
			x.f, x.sure = seen.tracked, true
		}
	case isa.Jumps, isa.Returns, isa.Indirect, isa.Stops:
		x.f, x.sure = x.body, false
		if known {
			x.f, x.sure = seen.tracked, seen.sure
		}
	default:
		if known && !x.sure && seen.sure {
			x.f, x.sure = seen.tracked, true
		}
	}
}

// control is where control goes after an instruction, for who follows the code without
// its frame. Where jumps have delay slots they are not followed.
func (k tracker) control(_ *core.Arch, code []byte) isa.Control {
	f := newTracked(k.arch)
	c := k.step(&f, code)
	if k.delay && c.Kind != isa.Passes {
		return isa.Control{}
	}
	return c
}

// setsLink reports whether an instruction changes the link register.
func (k tracker) setsLink(code []byte) bool {
	f := newTracked(k.arch)
	k.step(&f, code)
	return f.regs[k.arch.LR] != trackedValue{kind: trackedOwn, reg: k.arch.LR}
}

// tracks gives an instruction set what follows from a tracker.
func (k tracker) tracks(a *isa.Set) *isa.Set {
	a.Prologue, a.Control, a.SetsLink = k.prologue, k.control, k.setsLink
	a.Begins = func(code []byte) bool { // only padding
		return len(code) >= 4 && code[0]|code[1]|code[2]|code[3] == 0
	}
	a.Slot = func(*core.Process, core.Addr, []byte, int) core.Addr { return 0 }
	return a
}

// returnsWord makes an isa.Set.Returns of architectures whose only return is one
// instruction by the link register, in one encoding or another.
func returnsWord(words ...uint32) func(*core.Arch, []byte) (isa.Shape, bool) {
	return func(arch *core.Arch, code []byte) (isa.Shape, bool) {
		for _, w := range words {
			switch {
			case w>>16 != 0 && len(code) >= 4 && arch.Order.Uint32(code) == w,
				w>>16 == 0 && len(code) >= 2 && uint32(arch.Order.Uint16(code)) == w:
				return isa.Shape{Sure: true}, true
			}
		}
		return isa.Shape{}, false
	}
}
