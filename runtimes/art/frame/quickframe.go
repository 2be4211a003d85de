package frame

import (
	"errors"
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

// A Kind says what runs in a frame of managed code.
type Kind string

// The kinds of frames. All except Interpreted are quick frames, which are frames of the machine, too. The
// words, except the last two, are the tiers in the JSON form.
const (
	Interpreted Kind = "interpreter" // a ShadowFrame
	Nterp       Kind = "nterp"
	JIT         Kind = "jit"
	AOT         Kind = "aot"
	JNI         Kind = "jni"     // a native method: the generic stub, or a compiled one
	Proxied     Kind = "proxy"   // a method of a proxy, about to call its handler
	RuntimeSave Kind = "runtime" // the runtime's own: it saves registers, and runs no method
)

// An Activation is a frame of managed code.
type Activation struct {
	Kind Kind
	// At is the address of the ShadowFrame, or the lower end of the quick
	// frame, where it has its ArtMethod.
	At     core.Addr
	Method *code.Method
	// DexPC is the instruction in code units; valid if HasDexPC.
	DexPC    uint32
	HasDexPC bool
	// Inlined are the methods that the compiler put into this one, the
	// innermost first.
	Inlined []InlinedCall
	// Note is a caveat: what is not certain, and why.
	Note string

	// The following fields are set for quick frames only. PC is the machine's pc in the frame; 0 at the top of
	// a fragment, where nothing records it.
	PC core.Addr
	// Size is the frame's in bytes; 0 if it is not known.
	Size uint64
	// ReturnPC is the saved program counter of the caller.
	ReturnPC core.Addr
	// Generic is set for native methods that the generic JNI stub runs.
	Generic bool

	spills   uint32 // core registers, by ART's numbers
	compiled *code.FrameInfo
	stackMap *codeinfo.StackMap
	Stale    bool // it may be left over from earlier
}

// An InlinedCall is a method that was inlined, and where in it.
type InlinedCall struct {
	Method *code.Method
	DexPC  uint32
	Note   string
}

// quickAt decodes the quick frame with its lower end at sp. pc is the machine's pc in it, 0 if unknown. If
// exact is set, the frame was interrupted at pc, with these registers.
func (d *Decoder) quickAt(sp, pc core.Addr, exact *core.Regs) (*Activation, bool) {
	at, ok := d.Pointer(sp)
	if !ok || at == 0 || at%4 != 0 || sp%4 != 0 {
		return nil, false
	}
	m := d.Method(at)
	if !m.Sound() {
		return nil, false
	}
	q := &Activation{At: sp, PC: pc, Method: m}
	switch {
	case m.Runtime:
		s, ok := d.calleeSave(at)
		if !ok {
			return nil, false
		}
		q.Kind, q.Size, q.spills = RuntimeSave, s.size, s.core
	case m.Native():
		d.jniFrame(q)
	case pc != 0 && d.mayBeNterp(pc):
		d.nterpActivation(q, exact)
	case m.Proxy || m.Abstract():
		q.Kind = Proxied
		s := d.isa.saves[saveRefsAndArgs]
		q.Size, q.spills = s.size, s.core
	default:
		d.compiledFrame(q, exact)
	}
	d.returnPC(q)
	return q, true
}

// QuickFrame decodes the quick frame whose lower end is at sp; pc, where the
// machine is in it, may be 0. It reports false if no frame is there.
func (d *Decoder) QuickFrame(sp, pc core.Addr) (*Activation, bool) {
	if sp == 0 {
		return nil, false
	}
	return d.quickAt(sp, pc, nil)
}

// returnPC reads where the frame returns to: the saved program counter is at
// the frame's upper end.
func (d *Decoder) returnPC(q *Activation) {
	if q.Size == 0 {
		return
	}
	if pc, ok := d.Pointer(q.At + core.Addr(q.Size) - core.Addr(d.PtrSize)); ok {
		q.ReturnPC = d.CodeAddr(pc)
	}
}

// jniFrame is the frame of a native method. The generic stub makes one that
// saves references and arguments, until Android 10 with a HandleScope in it; a
// compiled stub's CodeInfo has the size.
func (d *Decoder) jniFrame(q *Activation) {
	q.Kind = JNI
	if !q.Generic && (q.PC == 0 || !d.InLibart(q.PC)) {
		c, err := d.FrameInfoOf(q.Method, q.PC)
		if err == nil {
			q.compiled = c
			q.Size, q.spills = c.Size, c.Spills
			if len(c.Shared) > 1 {
				q.Note = fmt.Sprintf("its stub is shared by %d methods", len(c.Shared))
			}
			return
		}
		// Since Android 10 the generic stub tags its frames.
		if d.guessSize(q, err); q.PC != 0 || q.Size != 0 && d.Layout.SDK >= 29 {
			return
		}
		q.Note, q.ReturnPC = "", 0
	}
	q.Generic = true
	s := d.isa.saves[saveRefsAndArgs]
	q.Size, q.spills = s.size, s.core
	if d.Layout.SDK <= 29 {
		scope := d.isa.handleScope + 4*d.scopeReferences(q)
		q.Size = roundUp(s.size+scope, code.StackAlignment)
	}
}

// scopeReferences returns the number of references in the HandleScope of a generic
// JNI frame: the class or the receiver, and the arguments that are objects. If
// the method's prototype is not known, number_of_references_ has it, after
// the method and link_ (runtime/handle_scope.h).
func (d *Decoder) scopeReferences(q *Activation) uint64 {
	const most = 256 // a method has no more arguments
	if q.Method.Signature == "" {
		if n, ok := d.U32(q.At + 2*core.Addr(d.PtrSize)); ok && n > 0 && n <= most {
			return uint64(n)
		}
	}
	return uint64(q.Method.ReferenceArgs() + 1)
}

// nterpActivation is a frame of nterp. The dex pc is in a register while nterp
// runs, and in the frame while it is in what it calls.
func (d *Decoder) nterpActivation(q *Activation, exact *core.Regs) {
	q.Kind = Nterp
	q.spills = d.isa.nterpSpills
	f, ok := d.nterpLayout(q.Method)
	if !ok {
		d.guessSize(q, errNoCodeItem)
		return
	}
	q.Size = f.size
	at, ok := d.Pointer(q.At + core.Addr(f.dexPC))
	if exact != nil {
		if w, known := exact.Get(d.isa.dexPC); known {
			if pc, in := q.Method.Code.DexPC(core.Addr(w)); in {
				q.DexPC, q.HasDexPC = pc, true
				return
			}
		}
		q.Note = "line of the last call: the register with the dex pc does not hold one"
	}
	if ok {
		q.DexPC, q.HasDexPC = q.Method.Code.DexPC(at)
	}
}

// compiledFrame is a frame of code that the compiler made.
func (d *Decoder) compiledFrame(q *Activation, exact *core.Regs) {
	q.Kind = AOT
	if q.PC != 0 && d.InJIT(q.PC) {
		q.Kind = JIT
	}
	c, err := d.FrameInfoOf(q.Method, q.PC)
	if err != nil {
		d.guessSize(q, err)
		return
	}
	q.compiled = c
	q.Size, q.spills = c.Size, c.Spills
	if c.Info == nil {
		q.Note = "position unknown: CodeInfo of Android 8 and 9 is not decoded"
		return
	}
	if q.PC == 0 {
		return
	}
	unit := codeinfo.Alignment(d.isa.arch)
	off := uint32(q.PC - c.Start)
	sm, found, err := c.Info.Find(off, unit)
	if err != nil {
		q.Note = err.Error()
		return
	}
	if !found {
		if sm, found = nearest(c.Info, off, unit); !found {
			q.Note = "position unknown: the code has no stack map here"
			return
		}
		q.Note = "line is approximate: the code has no stack map at this pc"
	}
	if sm.DexPC != codeinfo.NoValue {
		q.DexPC, q.HasDexPC = sm.DexPC, true
	}
	q.stackMap = &sm
	if exact != nil && q.Note != "" {
		return // which inlined method runs is not known either
	}
	d.inlined(q)
}

var errNoCodeItem = errors.New("its code item cannot be read")

// guessSize looks for the end of a frame whose size is not recorded.
func (d *Decoder) guessSize(q *Activation, why error) {
	q.Note = "frame size unknown: " + why.Error()
	// Without libart any code may be the runtime's own.
	least := uint64(code.StackAlignment)
	if q.Kind == Nterp {
		if d.nterpEnd(q) {
			q.Note = "frame size from nterp's own words in it:  " + why.Error()
			return
		}
		least = roundUp(3*uint64(d.PtrSize)+d.isa.nterpEntry, code.StackAlignment)
	}
	if d.Module != nil && d.findCaller(q, core.Addr(least), code.StackAlignment) {
		q.Note = "frame size guessed: " + why.Error()
	}
}

// findCaller looks for where a frame ends, from its least size on in steps of some
// bytes: above a return address.
func (d *Decoder) findCaller(q *Activation, least, step core.Addr) bool {
	word := core.Addr(d.PtrSize)
	for size := least; size <= code.MaxFrame; size += step {
		pc, ok := d.Pointer(q.At + size - word)
		if !ok {
			return false
		}
		if pc = d.CodeAddr(pc); d.returnsTo(q.At+size, pc) {
			q.Size, q.ReturnPC = uint64(size), pc
			return true
		}
	}
	return false
}

// returnsTo reports whether a frame whose lower end is at sp can be returned to
// at pc: one of a method whose code that is, or of the stub in libart that calls
// methods, which has a null method there.
func (d *Decoder) returnsTo(sp, pc core.Addr) bool {
	m, ok := d.Pointer(sp)
	switch {
	case !ok || sp%code.StackAlignment != 0 || m%4 != 0:
		return false
	case m == 0:
		return d.InLibart(pc)
	}
	return (d.InManaged(pc) || d.mayBeNterp(pc)) && d.Method(m).Sound()
}

// nearest returns the last stack map before an offset, or the first one.
func nearest(info *codeinfo.Info, off, unit uint32) (best codeinfo.StackMap, ok bool) {
	for row := range info.StackMaps() {
		sm, err := info.StackMap(row, unit)
		if err != nil {
			return best, ok
		}
		before := sm.NativePC <= off
		if !ok || before && (best.NativePC > off || sm.NativePC >= best.NativePC) {
			best, ok = sm, true
		}
	}
	return best, ok
}

// inlined expands the methods that the compiler put into a frame's.
func (d *Decoder) inlined(q *Activation) {
	list, err := q.compiled.Info.Inlined(*q.stackMap)
	if err != nil {
		q.Note = err.Error()
	}
	for i := range list {
		in := &list[len(list)-1-i]
		call := InlinedCall{DexPC: in.DexPC}
		switch {
		case in.ArtMethod != 0:
			call.Method = d.Method(in.ArtMethod)
		default:
			call.Method = d.MethodByIndex(q.Method, in)
		}
		q.Inlined = append(q.Inlined, call)
	}
}

// restore sets the registers that the frame saved: they lie below its upper
// end, the highest number first.
func (d *Decoder) restore(q *Activation, regs *core.Regs) {
	at := q.At + core.Addr(q.Size)
	for m := q.spills; m != 0; {
		n := 31 - bits.LeadingZeros32(m)
		m &^= 1 << uint(n)
		at -= core.Addr(d.PtrSize)
		if slot := d.isa.slotOf(n); slot >= 0 {
			if w, ok := d.Word(at); ok {
				regs.Set(slot, w)
			} else {
				regs.Forget(slot)
			}
		}
	}
}

// calleeSave returns the frame that a runtime method stands for: its index in
// Runtime.callee_save_methods_.
func (d *Decoder) calleeSave(method core.Addr) (spills, bool) {
	if i := d.SaveType(method); i >= 0 {
		return d.isa.saves[min(i, saveEverything)], true
	}
	return spills{}, false
}
