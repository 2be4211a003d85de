package frame

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/layout"
	"coredbg/walk"
)

// unwinder steps out of frames of managed code. It also knows the places on the stack of frames that the walk
// cannot see: ShadowFrames, and the frames in the runtime's ManagedStack.
type unwinder struct {
	a    *Decoder
	arch *core.Arch
	// records are the frames that ManagedStack knows, the innermost first.
	records []*Activation
	// used marks the records that frames of the machine were found for.
	used map[*Activation]bool
	// stack is the thread's own stack; signal handlers may run on another.
	stack layout.Span
}

// Begin returns an unwinder for one walk over t's stack.
func (d *Decoder) Begin(t *core.Thread) walk.Unwinder {
	u := &unwinder{a: d, arch: d.Process.Arch, used: map[*Activation]bool{}}
	if x := d.Thread(t); x != nil {
		u.records, _ = d.Activations(x)
		u.stack = layout.Span{Start: x.StackBegin, End: x.StackBegin + core.Addr(x.StackSize)}
	}
	return u
}

// Activations returns the frames that a thread's ManagedStack leads to, the
// innermost first. Those of a thread that runs managed code are the ones from
// its last entry into the runtime: what it called since is in the registers
// only. An error comes with the frames before it.
func (d *Decoder) Activations(t *Thread) ([]*Activation, error) {
	fragments, err := d.Fragments(t)
	var out []*Activation
	for i, f := range fragments {
		var more []*Activation
		var e error
		switch {
		case f.QuickFrame != 0:
			more, e = d.quickFrames(f)
		case f.ShadowFrame != 0:
			more, e = d.shadowFrames(f)
		}
		for _, q := range more {
			q.Stale = i == 0 && t.Runnable && q.Kind != Interpreted
		}
		if out = append(out, more...); err == nil {
			err = e
		}
	}
	slices.SortStableFunc(out, func(x, y *Activation) int {
		switch {
		case x.At < y.At:
			return -1
		case x.At > y.At:
			return 1
		}
		return 0
	})
	return out, err
}

// shadowFrames follows the ShadowFrames of a fragment.
func (d *Decoder) shadowFrames(f Fragment) ([]*Activation, error) {
	var out []*Activation
	for at := f.ShadowFrame; at != 0; {
		s, err := d.ShadowFrame(at)
		if err != nil {
			return out, fmt.Errorf("art: ShadowFrame at %v: %w", at, err)
		}
		out = append(out, d.interpreted(&s))
		if len(out) == maxShadowFrames || s.Link != 0 && s.Link <= at {
			return out, fmt.Errorf("art: ShadowFrame at %v: link_ %v does not lead outwards", at, s.Link)
		}
		at = s.Link
	}
	return out, nil
}

// interpreted makes the activation of a ShadowFrame.
func (d *Decoder) interpreted(s *ShadowFrame) *Activation {
	return &Activation{Kind: Interpreted, At: s.Addr, Method: d.Method(s.Method), DexPC: s.DexPC,
		HasDexPC: true, PC: s.Insns}
}

// quickFrames follows the quick frames of a fragment, to the null method that
// the stub which enters managed code pushes.
func (d *Decoder) quickFrames(f Fragment) ([]*Activation, error) {
	var out []*Activation
	sp, pc := f.QuickFrame, core.Addr(0)
	for range maxQuickFrames {
		if m, ok := d.Pointer(sp); !ok || m == 0 {
			if !ok {
				return out, fmt.Errorf("art: quick frame at %v cannot be read", sp)
			}
			return out, nil
		}
		q, ok := d.quickOf(sp, pc, f, len(out) == 0)
		if !ok {
			return out, fmt.Errorf("art: quick frame at %v has no method", sp)
		}
		out = append(out, q)
		if q.Size == 0 {
			return out, fmt.Errorf("art: quick frame at %v (%v): %s", sp, q.Method, q.Note)
		}
		sp, pc = sp+core.Addr(q.Size), q.ReturnPC
	}
	return out, fmt.Errorf("art: more than %d quick frames at %v", maxQuickFrames, f.QuickFrame)
}

// quickOf is quickAt for a frame of a fragment, whose tags say which stub made
// the first.
func (d *Decoder) quickOf(sp, pc core.Addr, f Fragment, first bool) (*Activation, bool) {
	if !first || !f.GenericJNI {
		return d.quickAt(sp, pc, nil)
	}
	at, ok := d.Pointer(sp)
	if !ok {
		return nil, false
	}
	m := d.Method(at)
	if !m.Sound() || !m.Native() {
		return d.quickAt(sp, pc, nil)
	}
	q := &Activation{At: sp, Method: m, Generic: true}
	d.jniFrame(q)
	d.returnPC(q)
	return q, true
}

// find returns the first record at or above an address.
func (u *unwinder) find(at core.Addr) int {
	i, _ := slices.BinarySearchFunc(u.records, at, func(q *Activation, at core.Addr) int {
		if q.At < at {
			return -1
		}
		return 1
	})
	return i
}

// mterp takes the dex pc of the method that mterp executes in an interrupted
// frame from the registers: it writes it to the ShadowFrame only before it may
// leave the interpreter.
func (u *unwinder) mterp(f *walk.Frame) {
	fp, ok1 := f.Regs.Get(u.a.isa.mterpFP)
	pc, ok2 := f.Regs.Get(u.a.isa.mterpPC)
	i := u.find(f.SP)
	if !ok1 || !ok2 || i == len(u.records) || u.records[i].Kind != Interpreted {
		return
	}
	q := u.records[i]
	if core.Addr(fp) != q.At.Add(int64(u.a.Layout.ShadowFrame.VRegs)) || q.Method.Code == nil {
		return
	}
	if at, ok := q.Method.Code.DexPC(core.Addr(pc)); ok {
		q.DexPC, q.PC = at, core.Addr(pc)
	}
}

// confirm marks records as current that a thread in managed code may have left behind: a frame of
// libart whose callee is native code, with a saved register that points into the frame of a native
// method, is the generic stub that runs it (art_quick_generic_jni_trampoline, which keeps the stack
// pointer so). The thread came back into the runtime through JNI.
func (u *unwinder) confirm(f *walk.Frame) {
	i := u.find(f.SP)
	if i == len(u.records) {
		return
	}
	q := u.records[i]
	if !q.Stale || !q.Generic || q.At-f.SP >= maxOuts || q.Method == nil || !q.Method.Native() {
		return
	}
	for r := range core.MaxRegs {
		if u.arch.CalleeSaved>>uint(r)&1 == 0 || !f.Regs.Has(r) {
			continue
		}
		if at := core.Addr(f.Regs.Val[r]); at >= q.At && uint64(at-q.At) < q.Size {
			for _, q := range u.records[i:] {
				q.Stale = false
			}
			return
		}
	}
}

// maxOuts bounds what a stub for a native method keeps on the stack below its frame: what it passes
// on.
const maxOuts = 4096

// Step returns the caller of a frame of managed code, and its Activation.
func (u *unwinder) Step(f *walk.Frame) (caller walk.Frame, record any, err error) {
	if u.a.InLibart(f.PC) {
		if f.Exact() {
			u.mterp(f)
		} else {
			u.confirm(f)
		}
	}
	q := u.activation(f)
	if q == nil && f.Exact() && u.a.InManaged(f.PC) {
		if q = u.unframed(f); q != nil && q.Method != nil {
			record = q
		}
	} else if q != nil && q.Size != 0 {
		record = q
	} else {
		q = nil
	}
	if q == nil {
		return walk.Frame{}, nil, walk.ErrDecline
	}
	caller, err = u.caller(f, q)
	return caller, record, err
}

// activation returns the managed frame that a machine frame is, or nil.
func (u *unwinder) activation(f *walk.Frame) *Activation {
	a := u.a
	managed := a.InManaged(f.LookupPC())
	if !managed && !a.mayBeNterp(f.LookupPC()) {
		return nil
	}
	var exact *core.Regs
	if f.Exact() {
		exact = &f.Regs
	}
	if q, ok := a.quickAt(f.SP, f.PC, exact); ok && a.canBe(q, managed, f.Exact()) {
		u.claim(q)
		return q
	}
	if !managed {
		return nil
	}
	for i := u.find(f.SP); i < len(u.records) && u.records[i].At-f.SP < maxOuts; i++ {
		if q := u.records[i]; q.Kind == JNI {
			// A record that may be left over counts only if the pc is in the method's own code.
			if c, ok := a.quickAt(q.At, f.PC, nil); ok && c.Size != 0 && (!q.Stale || c.compiled != nil && !f.Exact()) {
				u.claim(c)
				return c
			}
		}
	}
	return nil
}

// unframed returns the activation of compiled code that was interrupted before it
// had made its frame, or after it had left it; nil if its caller is not known. Its
// method is the one that it was called with, if that has code there.
func (u *unwinder) unframed(f *walk.Frame) *Activation {
	a := u.a
	q := &Activation{Kind: AOT, At: f.SP, PC: f.PC, Note: "position unknown: it is entering or leaving its frame"}
	if a.InJIT(f.PC) {
		q.Kind = JIT
	}
	lr, ok := f.Regs.Get(a.Process.Arch.LR)
	if pc := a.CodeAddr(core.Addr(lr)); ok && a.returnsTo(f.SP, pc) {
		q.ReturnPC = pc
	} else if !a.findCaller(q, core.Addr(a.PtrSize), core.Addr(a.PtrSize)) {
		return nil
	}
	q.Method = u.entered(f)
	return q
}

// entered returns the method of code that was interrupted without a frame: the
// one in the register that calls pass it in, if it has code there, or the only
// one that the JIT made the code for; nil if that is not known.
func (u *unwinder) entered(f *walk.Frame) *code.Method {
	a := u.a
	if m, ok := f.Regs.Get(a.isa.slotOf(a.isa.methodReg)); ok && m != 0 && m%4 == 0 {
		if x := a.Method(core.Addr(m)); x.Sound() && !x.Runtime {
			if _, err := a.FrameInfoOf(x, f.PC); err == nil {
				return x
			}
		}
	}
	if e, ok := a.JITAt(f.PC); ok && len(e.Methods) == 1 {
		if _, err := a.FrameInfoAt(e.Start, f.PC); err == nil {
			return a.Method(e.Methods[0])
		}
	}
	return nil
}

// framed reports whether interrupted code has made the frame that it was decoded with. If it has not, the frame
// there belongs to its caller, on machines where calls do not push a return address. Then the method's code is
// other code, or the instructions before the interrupted one do not move the stack pointer.
func (d *Decoder) framed(q *Activation) bool {
	if q.compiled == nil || q.compiled.Size == 0 {
		return false
	}
	if d.Process.Arch != core.ARM64 {
		return true
	}
	code, _ := d.Bytes(q.compiled.Start, min(int(q.PC-q.compiled.Start), maxPrologue))
	for ; len(code) >= 4; code = code[4:] {
		w := d.Order.Uint32(code)
		// str x0, [sp, #-n]!; stp …, [sp, #-n]!; sub sp, sp, #n
		if w&0xffe00fff == 0xf8000fe0 || w&0xffc003e0 == 0xa98003e0 || w&0xff8003ff == 0xd10003ff {
			return true
		}
	}
	return false
}

// maxPrologue is how far into its code a method makes its frame, in bytes.
const maxPrologue = 256

// canBe reports whether a frame can have its decoded kind. In libart's code only nterp has frames of methods.
// If the extent of nterp is not known, the words it keeps in the frame must make sense: on i386 any argument
// may be in the method's place.
func (d *Decoder) canBe(q *Activation, managed, exact bool) bool {
	if q.Method.Problem != "" && q.Method.Dex != nil && q.Method.Dex.File != nil {
		return false
	}
	if managed {
		return q.Kind != RuntimeSave && (!exact || d.framed(q))
	}
	return q.Kind == Nterp && (d.inNterp(q.PC) || q.HasDexPC && d.Process.Executable(q.ReturnPC))
}

// claim marks the record of the same frame as found.
func (u *unwinder) claim(q *Activation) {
	for i := u.find(q.At); i < len(u.records) && u.records[i].At == q.At; i++ {
		u.used[u.records[i]] = true
	}
}

// caller makes the frame that a quick frame returns to.
func (u *unwinder) caller(f *walk.Frame, q *Activation) (walk.Frame, error) {
	arch := u.arch
	sp := q.At + core.Addr(q.Size)
	if q.ReturnPC == 0 {
		return walk.Frame{}, &walk.StopError{Kind: walk.StopUnreadable, At: sp}
	}
	c := walk.Frame{PC: q.ReturnPC, SP: sp, Trust: walk.Runtime}
	for i := range core.MaxRegs {
		if arch.CalleeSaved>>uint(i)&1 != 0 && f.Regs.Has(i) {
			c.Regs.Set(i, f.Regs.Val[i])
		}
	}
	u.a.restore(q, &c.Regs)
	c.Regs.Set(arch.PC, uint64(c.PC))
	c.Regs.Set(arch.SP, uint64(sp))
	if fp, ok := c.Regs.Get(arch.FP); ok {
		c.FP = core.Addr(fp)
	}
	return c, nil
}

// Next returns the next record at or above a stack address without a frame of the machine, except for records
// of the runtime's own methods.
func (u *unwinder) Next(from core.Addr) (walk.Frame, bool) {
	first := u.find(from)
	if first == len(u.records) && !u.stack.Has(from) {
		first = 0
	}
	for _, q := range u.records[first:] {
		if !u.used[q] && !q.Stale && q.Kind != RuntimeSave {
			return u.frame(q), true
		}
	}
	return walk.Frame{}, false
}

// frame makes the frame of a record.
func (u *unwinder) frame(q *Activation) walk.Frame {
	f := walk.Frame{PC: q.PC, SP: q.At, Trust: walk.Runtime, Record: q}
	if q.Kind == Interpreted {
		f.Point = walk.Virtual
		return f
	}
	f.Regs.Set(u.arch.PC, uint64(q.PC))
	f.Regs.Set(u.arch.SP, uint64(q.At))
	return f
}
