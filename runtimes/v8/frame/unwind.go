package frame

import (
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// unwinder steps out of frames of generated code. V8 keeps a frame pointer in
// all of them but a few leaves; there is no call frame information.
type unwinder struct {
	v      *Decoder
	thread *core.Thread
	arm    bool
	regs   struct{ pc, sp, fp, lr int }
	// exits are the frames that V8's own chain leads to; see Next.
	exits func() []walk.Frame
}

// Begin returns an unwinder for one walk over t's stack.
func (dec *Decoder) Begin(t *core.Thread) walk.Unwinder {
	u := &unwinder{v: dec, thread: t, arm: dec.Process.Arch == core.ARM64}
	a := dec.Process.Arch
	u.regs.pc, u.regs.sp, u.regs.fp, u.regs.lr = a.PC, a.SP, a.FP, a.LR
	u.exits = sync.OnceValue(u.chain)
	return u
}

// CallKind is the Kind of a core.Task that is a call of an async function.
const CallKind = "async call"

// Records implements frame.Recorder of package walk/frame: the frames of a suspended call, and of the calls
// that wait for it.
func (u *unwinder) Records() []walk.Frame {
	t := u.thread.Task
	if t == nil || t.Kind != CallKind {
		return nil
	}
	dec := u.v
	g := layout.Tagged(t.Addr)
	if !dec.objects.IsGenerator(g) {
		return nil
	}
	list := []suspension{{dec.awaiter(g), g}}
	if p, ok := dec.Promises.OfGenerator(g); ok {
		list = append(list, dec.suspendedCallers(p)...)
	}
	frames := make([]walk.Frame, len(list))
	for i := range list {
		frames[i] = walk.Frame{SP: core.Addr(list[i].generator), Point: walk.Virtual, Trust: walk.Runtime,
			Record: &activation{v: dec, suspended: &list[i]}}
	}
	return frames
}

// Step returns the caller of a frame of generated code, and its activation.
func (u *unwinder) Step(f *walk.Frame) (caller walk.Frame, record any, err error) {
	a := u.v.activation(f)
	if a == nil {
		return walk.Frame{}, nil, walk.ErrDecline
	}
	caller, err = u.step(f, a)
	return caller, a, err
}

func (u *unwinder) step(f *walk.Frame, a *activation) (walk.Frame, error) {
	switch {
	case a.left != nil && u.v.objects.Place(a.left.PC-1).Kind == code.Elsewhere:
		// JSEntry has loaded the registers of its C++ caller.
		caller := *a.left
		caller.Trust = walk.Runtime
		return caller, nil
	case a.left != nil:
		return u.caller(a.left.PC, a.left.SP, a.left.FP), nil
	case f.FP == 0:
		return walk.Frame{}, fmt.Errorf("v8: the frame pointer is unknown")
	}
	return u.framed(f)
}

// framed follows the frame pointer: it points at the caller's, and the return address is above that.
func (u *unwinder) framed(f *walk.Frame) (walk.Frame, error) {
	dec := u.v
	fp, ok1 := dec.Word(f.FP)
	ra, ok2 := dec.Word(f.FP + 8)
	if !ok1 || !ok2 {
		return walk.Frame{}, &walk.StopError{Kind: walk.StopUnreadable, At: f.FP}
	}
	if f.FP < f.SP {
		return walk.Frame{}, &walk.StopError{Kind: walk.StopNoProgress, At: f.PC,
			Err: fmt.Errorf("v8: frame pointer %v lies below the stack pointer", f.FP)}
	}
	caller := u.caller(core.Addr(ra), f.FP+16, core.Addr(fp))
	if w, ok := dec.Word(f.FP.Add(int64(dec.Layout.Frame.ContextOrType))); ok && w&1 == 0 {
		switch dec.Markers[int(w>>1)] {
		case "Entry", "ConstructEntry":
			u.restore(&caller, f.FP)
		}
	}
	return caller, nil
}

// caller makes the frame for a return address. Generated code keeps no
// register for its caller but the frame pointer.
func (u *unwinder) caller(pc, sp, fp core.Addr) walk.Frame {
	pc = u.v.CodeAddr(pc)
	c := walk.Frame{PC: pc, SP: sp, FP: fp, Trust: walk.Runtime}
	c.Regs.Set(u.regs.pc, uint64(pc))
	c.Regs.Set(u.regs.sp, uint64(sp))
	c.Regs.Set(u.regs.fp, uint64(fp))
	return c
}

// restore takes the registers of the C++ caller from an entry frame, where
// JSEntry saved them (builtins/x64/builtins-x64.cc, arm64/builtins-arm64.cc:
// Generate_JSEntryVariant).
func (u *unwinder) restore(c *walk.Frame, fp core.Addr) {
	set := func(slot int, at core.Addr) {
		if w, ok := u.v.Word(at); ok {
			c.Regs.Set(slot, w)
		}
	}
	if u.arm {
		// x29 and x30 were pushed last, above them x19 to x28 in pairs, then
		// d8 to d15.
		for i := range 10 {
			set(19+i, fp+16+core.Addr(8*i))
		}
		c.SP = fp + 16 + 18*8
		c.Regs.Set(u.regs.sp, uint64(c.SP))
		return
	}
	a := u.v.Process.Arch
	for i, name := range []string{"r12", "r13", "r14", "r15", "rbx"} {
		set(a.SlotOf(name), fp-24-core.Addr(8*i))
	}
}

// Next returns the innermost frame that left JavaScript for C++ at a stack address
// or further out, from V8's own chain.
func (u *unwinder) Next(from core.Addr) (walk.Frame, bool) {
	for _, f := range u.exits() {
		if f.SP >= from {
			return f, true
		}
	}
	return walk.Frame{}, false
}

// chain returns the frames of the thread's exits, innermost first. A thread that
// helps, as to collect garbage, has entered an isolate whose exits are on another
// thread's stack.
func (u *unwinder) chain() (out []walk.Frame) {
	fps, _ := u.v.Exits.ExitFrames(u.thread)
	for _, fp := range fps {
		// ExitFrameConstants::kSPOffset; the call into C++ pushed the return
		// address below it.
		sp, ok1 := u.v.Word(fp - 16)
		w, ok2 := u.v.Word(core.Addr(sp) - 8)
		ra := u.v.CodeAddr(core.Addr(w))
		if !ok1 || !ok2 || core.Addr(sp) > fp || u.v.objects.Place(ra-1).Kind == code.Elsewhere || !u.owns(fp) {
			continue
		}
		out = append(out, u.caller(ra, core.Addr(sp), fp))
	}
	return out
}

// owns reports whether a is on the thread's own stack, as far as the stack pointers
// of all threads show.
func (u *unwinder) owns(a core.Addr) bool {
	seg, ok := u.v.Space.Find(a)
	holds := func(t *core.Thread) bool {
		sp, known := t.Regs.Get(u.regs.sp)
		return known && seg.Start <= core.Addr(sp) && core.Addr(sp) < seg.End
	}
	return ok && (holds(u.thread) || !slices.ContainsFunc(u.v.Process.Threads, holds))
}
