// Package origin follows the value in a register back to the words of memory that it was read
// from: through the instructions of its function, and of that function's callers.
//
// The chain: the operand at fault names registers; before it one instruction has loaded the
// register, from an address that other registers made, and so on. Registers are taken back
// instruction by instruction, as long as what they held before is known. A load counts if its
// word still holds the value.
//
//	origin.go    Trace: the operands at fault, the frames
//	back.go      a function's instructions, the last one first
//	function.go  the instructions of a function, and the ways between them
//	formula.go   how a function makes a value, without its registers: for all activations
//
// LIMITATIONS: x86-64 and arm64. A value that a function has returned ends there, and so does one
// that was computed. Where several ways lead to a place, the first that bears the value out counts.
package origin

import (
	"context"

	"coredbg/core"
	"coredbg/core/insn"
)

// A Code is a process and the places where its functions begin.
type Code struct {
	Process *core.Process
	// Start returns where the function that holds an address begins.
	Start func(core.Addr) (core.Addr, bool)
}

// A Frame is one activation: the function at fault first, then its callers.
type Frame struct {
	PC   core.Addr // in callers the return address
	Regs core.Regs
}

// Bounds of the search.
const (
	maxFunction = 64 << 10 // bytes of a function before the place
	maxSteps    = 1 << 16  // instructions, of all ways together
	maxDepth    = 16       // words that a value was read through, and callers
	maxForks    = 64       // ways that lead to places
)

// Trace returns the words of memory that the pointer at fault was read from: first the word that held it,
// then the word that held the address of that, and so on. It is nil if they are not known.
func Trace(ctx context.Context, code *Code, frames []Frame) []core.Addr {
	if len(frames) == 0 {
		return nil
	}
	t := newTracer(ctx, code, frames)
	if f := &frames[0]; t.p.Executable(f.PC) {
		return t.access(f)
	}
	return t.called()
}

// first are the registers that have a function's first argument (System V ABI, AAPCS64).
var first = map[*core.Arch]int{core.AMD64: 5, core.ARM64: 0}

// Argument returns the first argument that the function with the index i among frames was called
// with, and the words that it was read from.
func Argument(ctx context.Context, code *Code, frames []Frame, i int) (v uint64, words []core.Addr, ok bool) {
	slot, known := first[code.Process.Arch]
	if !known || i < 0 || i+1 >= len(frames) {
		return 0, nil, false
	}
	t := newTracer(ctx, code, frames)
	return t.entered(i, slot, want{})
}

func newTracer(ctx context.Context, code *Code, frames []Frame) *tracer {
	return &tracer{ctx: ctx, code: code, p: code.Process, frames: frames, read: map[core.Addr]*Function{},
		steps: maxSteps, forks: maxForks}
}

// access follows the registers of an operand that was refused. A register that refers to memory in
// use is not at fault.
func (t *tracer) access(f *Frame) []core.Addr {
	code, _ := t.p.Space.Slice(f.PC, insn.MaxLen)
	places, _ := insn.PlacesOf(t.p.Arch, code, f.PC)
	for _, p := range places {
		for _, slot := range []int{p.Base, p.Index} {
			v, ok := f.Regs.Get(slot)
			if !ok || slot == t.p.Arch.SP {
				continue
			}
			if m, ok := t.p.Mapping(core.Addr(v)); ok && m.Prot&core.Read != 0 {
				continue
			}
			if _, words, ok := t.before(0, f.PC, f.Regs, slot, wanted(v)); ok && len(words) > 0 {
				return words
			}
		}
	}
	return nil
}

// called follows the pointer to code that was called last: by the call before the return address, or
// by a jump in the function that was called there.
func (t *tracer) called() []core.Addr {
	f := t.frames[0]
	arch := t.p.Arch
	var back uint64
	ok := false
	if arch.LR >= 0 {
		back, ok = f.Regs.Get(arch.LR)
	} else if sp, known := f.Regs.Get(arch.SP); known {
		c := t.p.Cursor()
		back = uint64(c.Pointer(core.Addr(sp)))
		ok = c.Err() == nil
		f.Regs.Set(arch.SP, sp+uint64(arch.PtrSize))
	}
	if !ok {
		return nil
	}
	ret := t.p.StripCode(core.Addr(back))
	fn, ok := t.function(ret)
	if !ok || !fn.List[len(fn.List)-1].Calls {
		return nil
	}
	call := &fn.List[len(fn.List)-1]
	outer := t.frames[1:]
	for i := range outer {
		if outer[i].PC == ret {
			outer = outer[i+1:]
			break
		}
	}
	t.frames = append([]Frame{{PC: ret, Regs: f.Regs}}, outer...)
	if words := t.jumped(call, &f); words != nil || !call.Direct {
		return words
	}
	return t.tail(call.To, &f)
}

// jumped follows the pointer that an indirect call or jump went by, if it was the pc.
func (t *tracer) jumped(in *Instruction, f *Frame) []core.Addr {
	places, target := insn.PlacesOf(t.p.Arch, in.Code, in.At)
	if v, ok := f.Regs.Get(target); ok && core.Addr(v) == f.PC {
		if _, words, ok := t.before(0, in.At, f.Regs, target, wanted(v)); ok {
			return words
		}
		return nil
	}
	for _, p := range places {
		at, ok := p.Sum(&f.Regs)
		if !ok || target >= 0 || !t.holds(core.Addr(at), wanted(uint64(f.PC))) {
			continue
		}
		words := []core.Addr{core.Addr(at)}
		if p.Base >= 0 {
			v, _ := f.Regs.Get(p.Base)
			if _, more, ok := t.before(0, in.At, f.Regs, p.Base, wanted(v)); ok {
				words = append(words, more...)
			}
		}
		return words
	}
	return nil
}

// maxTail is how many bytes of a function are looked at for the jump that ended it.
const maxTail = 4 << 10

// tail finds the jump that a function ended with, which left the registers as they are.
func (t *tracer) tail(start core.Addr, f *Frame) []core.Addr {
	code, _ := t.p.Space.Slice(start, maxTail)
	for _, in := range decode(t.p.Arch, code, start, max(t.steps, 0)) {
		if !in.Indirect {
			continue
		}
		saved := t.frames
		t.frames = append([]Frame{{PC: in.At, Regs: f.Regs}}, t.frames...)
		if words := t.jumped(&in, f); words != nil {
			return words
		}
		t.frames = saved
	}
	return nil
}
