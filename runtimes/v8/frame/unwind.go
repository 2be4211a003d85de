package frame

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/object"
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
	if a.unframed {
		if caller, ok := u.leaf(f, a); ok {
			return caller, nil
		}
	}
	if f.FP == 0 {
		return walk.Frame{}, fmt.Errorf("v8: the frame pointer is unknown")
	}
	return u.framed(f)
}

// framed follows the frame pointer: it points at the caller's, above which the
// return address lies.
func (u *unwinder) framed(f *walk.Frame) (walk.Frame, error) {
	dec := u.v
	fp, ok1 := dec.Word(f.FP)
	ra, ok2 := dec.Word(f.FP + 8)
	if !ok1 || !ok2 {
		return walk.Frame{}, &walk.StopError{Kind: walk.StopUnreadable, At: f.FP}
	}
	if f.FP < f.SP {
		return walk.Frame{}, &walk.StopError{Kind: walk.StopNoProgress, At: f.PC, Err: fmt.Errorf("v8: frame pointer %v lies below the stack pointer", f.FP)}
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
	if u.arm {
		pc = u.v.Process.StripCode(pc) & (1<<48 - 1)
	}
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

// x64: push rbp; mov rbp,rsp. arm64: mov x29,sp; where a frame is made the
// pair x29, x30 was stored just before.
var (
	pushFrameX64 = []byte{0x55, 0x48, 0x89, 0xe5}
	setFrameX64  = []byte{0x48, 0x89, 0xe5}
)

// maxPrologue is how far into its code a function makes its frame, in bytes:
// checks for deoptimisation and tiering come before.
const maxPrologue = 256

// framed reports whether the function that was interrupted at f has made its
// frame, and not yet left it. Where that is not known, it has.
func (dec *Decoder) framed(f *walk.Frame, p object.Place) bool {
	if dec.Process.Arch != core.AMD64 {
		return dec.framedARM64(f, p)
	}
	before, next := dec.around(f.PC, p)
	if len(next) > 0 && (next[0] == 0xc3 || next[0] == 0xc2) {
		return false // ret
	}
	if len(next) > 0 && next[0] == 0x5d {
		return false // pop rbp
	}
	if bytes.HasPrefix(next, setFrameX64) {
		if last, _ := dec.Space.Slice(f.PC-1, 1); len(last) == 1 && last[0] == 0x55 {
			return false // rbp is pushed but not set
		}
	}
	if before == nil {
		return true
	}
	return bytes.Contains(before, pushFrameX64)
}

// around returns the code of p's function before pc, nil if its start is
// unknown, and a few bytes from pc on.
func (dec *Decoder) around(pc core.Addr, p object.Place) (before, next []byte) {
	next, _ = dec.Space.Slice(pc, 8)
	var start core.Addr
	switch {
	case p.Code != nil:
		start = p.Code.Start
	case p.Builtin != "":
		start = pc - core.Addr(p.Off)
	default:
		return nil, next
	}
	n := min(int(pc-start), maxPrologue)
	b, err := dec.Space.Slice(start, n)
	if err != nil {
		return nil, next
	}
	if b == nil {
		b = []byte{}
	}
	return b, next
}

func (dec *Decoder) framedARM64(f *walk.Frame, p object.Place) bool {
	before, next := dec.around(f.PC, p)
	if len(next) >= 4 && dec.Order.Uint32(next)&0xfffffc1f == 0xd65f0000 {
		return false // ret
	}
	if before == nil {
		return true
	}
	for ; len(before) >= 4; before = before[4:] {
		// mov x29, sp or add x29, sp, #n
		if dec.Order.Uint32(before)&0xffc003ff == 0x910003fd {
			return true
		}
	}
	return false
}

// leaf steps out of code that has no frame of its own at this instruction. The
// handlers of bytecodes decline: the frame pointer is the interpreter's frame,
// which is what they are part of.
func (u *unwinder) leaf(f *walk.Frame, a *activation) (walk.Frame, bool) {
	dec, p := u.v, a.place
	if a.handlesBytecode() && !strings.HasPrefix(p.Builtin, "InterpreterEntryTrampoline") {
		return walk.Frame{}, false
	}
	if u.arm {
		lr, ok := f.Regs.Get(u.regs.lr)
		if !ok || !dec.Process.Executable(core.Addr(lr)&(1<<48-1)) {
			return walk.Frame{}, false
		}
		return u.caller(core.Addr(lr), f.SP, f.FP), true
	}
	_, next := dec.around(f.PC, p)
	pushed := bytes.HasPrefix(next, setFrameX64) || len(next) > 0 && next[0] == 0x5d
	if pushed {
		fp, ok1 := dec.Word(f.SP)
		ra, ok2 := dec.Word(f.SP + 8)
		if !ok1 || !ok2 || !dec.Process.Executable(core.Addr(ra)) {
			return walk.Frame{}, false
		}
		return u.caller(core.Addr(ra), f.SP+16, core.Addr(fp)), true
	}
	// Frameless code may have pushed registers: the return address is the
	// first word that can be one, below the frame of the caller.
	for at := f.SP; at < f.FP && at < f.SP+maxPrologue; at += 8 {
		ra, ok := dec.Word(at)
		if !ok {
			break
		}
		if dec.objects.Place(core.Addr(ra)-1).Kind != object.Elsewhere {
			return u.caller(core.Addr(ra), at+8, f.FP), true
		}
	}
	return walk.Frame{}, false
}
