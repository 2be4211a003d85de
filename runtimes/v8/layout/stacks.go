package layout

import (
	"iter"
	"slices"

	"coredbg/core"
	"coredbg/walk/kernel"
)

// A thread may run on another stack than its own: a signal handler on the alternate one, a Go function called
// from JavaScript on a goroutine's. V8's frames are then on the thread's own stack. It is found by the thread
// pointer or, for the first thread, by the data that the kernel left for the program. If a handler interrupted
// it, the registers that the kernel saved show how much is in use; otherwise everything counts that is not
// zero.

const (
	atRandom = 25 // AT_RANDOM: 16 bytes on the first thread's stack
	// nearTop is more than what a C library has above a thread's own stack, and maxStack than a stack may have.
	nearTop  = 1 << 20
	maxStack = 64 << 20
	// maxAlternate bounds the bytes of an alternate stack that are searched for saved registers.
	maxAlternate = 128 << 10
	zeroPage     = 4096
)

// Stacks returns the parts of memory that contain the stack of a thread, from its stack pointer on. If it runs
// on another stack, its own stack comes second. It returns nil if the stack pointer is unknown or its memory is
// not in the core.
func Stacks(p *core.Process, t *core.Thread) []Area {
	sp, ok := t.Regs.Get(p.Arch.SP)
	if !ok {
		return nil
	}
	s, ok := p.Space.Find(core.Addr(sp))
	if !ok || s.Kind != core.SegCore {
		return nil
	}
	list := []Area{{core.Addr(sp) &^ 7, p.StackEnd(core.Addr(sp), s.End)}}
	own, ok := ownStack(p, t)
	if !ok || own.Start == s.Start {
		return list
	}
	if at, ok := interrupted(p, list[0], own); ok {
		own.Start = at &^ 7
	} else {
		own.Start = firstUsed(p, own)
	}
	if own.Start < own.End {
		list = append(list, own)
	}
	return list
}

// ownStack returns the memory that the system gave a thread for its stack.
func ownStack(p *core.Process, t *core.Thread) (Area, bool) {
	at, near := t.TLS, uint64(nearTop)
	if t.TID == p.PID {
		random, _ := p.AuxValue(atRandom)
		at, near = core.Addr(random), maxStack // arguments and environment may be large
	}
	s, ok := p.Space.Find(at)
	if at == 0 || !ok || s.Kind != core.SegCore || s.Prot&core.Write == 0 || uint64(s.End-at) > near ||
		s.Size() > maxStack {
		return Area{}, false
	}
	return Area{s.Start, p.StackEnd(at-1, s.End)}, true
}

// interrupted returns the stack pointer in own that the kernel has saved on the alternate stack: in a ucontext_t, which
// also has where that stack is (include/uapi/asm-generic/ucontext.h: uc_stack, after uc_link).
func interrupted(p *core.Process, alternate, own Area) (core.Addr, bool) {
	uc := kernel.UContextOf(p)
	if uc == nil {
		return 0, false
	}
	sp, pc := slices.Index(uc.Slots, p.Arch.SP), slices.Index(uc.Slots, p.Arch.PC)
	if sp < 0 || pc < 0 {
		return 0, false
	}
	c, word := p.Cursor(), core.Addr(p.Arch.PtrSize)
	for u := alternate.Start; u < min(alternate.End, alternate.Start+maxAlternate); u += word {
		stack, regs := u+uc.Link+word, uc.Regs(c, u)
		low, size := c.Pointer(stack), c.Word(stack+2*word)
		saved, next := c.Pointer(regs+core.Addr(sp)*word), c.Pointer(regs+core.Addr(pc)*word)
		if c.Reset() == nil && low <= alternate.Start && uint64(alternate.Start-low) < size &&
			own.Start <= saved && saved < own.End && p.Executable(next) {
			return saved, true
		}
	}
	return 0, false
}

// firstUsed returns where a stack begins to have been used: its end if it was not.
func firstUsed(p *core.Process, own Area) core.Addr {
	var page [zeroPage]byte
	for at := own.Start; at < own.End; at += zeroPage {
		n, _ := p.Space.ReadAt(page[:min(zeroPage, own.End-at)], at)
		for _, b := range page[:n] {
			if b != 0 {
				return at
			}
		}
	}
	return own.End
}

// maxStackWords bounds the words of a thread's stack that are looked at.
const maxStackWords = 64 << 10

// StackReferences goes through the words of threads' stacks that may refer to objects, each value once.
func (mem *Memory) StackReferences() iter.Seq[Tagged] {
	return func(yield func(Tagged) bool) {
		seen := map[Tagged]bool{}
		for _, th := range mem.Process.Threads {
			for _, s := range Stacks(mem.Process, th) {
				for a := s.Start; a < min(s.End, s.Start+8*maxStackWords); a += 8 {
					w, ok := mem.Word(a)
					if !ok {
						break
					}
					o := Tagged(w)
					if o&3 != 1 || seen[o] {
						continue
					}
					seen[o] = true
					if !yield(o) {
						return
					}
				}
			}
		}
	}
}
