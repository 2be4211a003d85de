package scan

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/site"
)

// Across looks for the caller of f, whose code cannot be read, in the words of the stack
// up to end. The first return address counts whose call leads to f's module, if the frames
// beyond it bear it out: they lead to the frame join, which is further out for certain, or
// if that is nil to the thread's start. With a join the target of the call need not be
// known. Frames in code that cannot be read may be missing between the two, and the caller
// says so.
func (u Unwinder) Across(f *frame.Frame, end core.Addr, join *frame.Frame) (frame.Frame, bool) {
	w := u.Walk
	if w.Probing || w.Text.Set.Call == nil || f.SP == 0 || w.Readable(f) {
		return frame.Frame{}, false
	}
	missing := w.Text.Process.Module(f.PC)
	probes := 0
	for s := w.FarWords(f.SP, end); s.Next() && probes < maxProofs; {
		if ok, sure := w.Text.ReturnAddress(s.Code); !ok || !sure {
			continue
		}
		// A call of another function of the module may have led to f as well.
		v := w.Text.CalledBy(f, s.Code)
		to, known := w.Text.Target(s.Code)
		into := v == site.Confirmed || known && missing != nil && w.Text.Process.Module(to) == missing
		if !into && (known || v == site.Refuted) {
			continue
		}
		probes++
		caller := u.found(f, s.At, s.Code)
		u.keepFP(f, &caller)
		if sure, ok := w.Prober.Joins(&caller, into, join); ok {
			caller.Gap = v != site.Confirmed
			w.Sure = max(w.Sure, sure)
			return caller, true
		}
	}
	return frame.Frame{}, false
}

// maxSaved is how many words below a return address a frame pointer that was saved is
// looked for, maxPushes how many the called function itself pushes at most on x86.
const (
	maxSaved  = 512
	maxPushes = 7
)

// keepFP gives the caller of f, which was found by its return address, its frame pointer: f's own if
// no function between has changed it, else one that such a function has saved below the
// return address. It leads to a record whose call is one of the caller's function.
func (u Unwinder) keepFP(f, caller *frame.Frame) {
	w := u.Walk
	arch := w.Text.Process.Arch
	word := core.Addr(arch.RegSize())
	if !w.Links.Record {
		return
	}
	if _, ok := w.FPBySP(caller); ok {
		return // which found has set
	}
	fits := func(fp core.Addr, least site.Verdict, surely bool) bool {
		if fp < caller.SP || fp%w.Links.Align != 0 || !w.InStack(f.SP, fp) {
			return false
		}
		next, err := w.Record(fp)
		if err != nil {
			return false
		}
		ok, sure := w.Text.ReturnAddress(next.PC)
		return ok && (sure || !surely) && w.Text.CalledBy(caller, next.PC) >= least
	}
	set := func(fp core.Addr) {
		caller.FP = fp
		caller.Regs.Set(arch.FP, uint64(fp))
	}
	if fp, ok := f.Regs.Get(arch.FP); ok && fits(core.Addr(fp), site.Possible, false) {
		set(core.Addr(fp))
		return
	}
	slot := caller.SP - word
	for at := slot - word; at >= f.SP && slot-at <= maxSaved*word; at -= word {
		least := site.Confirmed
		if slot-at <= maxPushes*word {
			least = site.Possible
		}
		fp := core.Addr(w.Stack.Register(at))
		if w.Stack.Reset() == nil && fits(fp, least, true) {
			set(fp)
			return
		}
	}
}
