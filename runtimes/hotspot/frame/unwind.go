package frame

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/object"
	"coredbg/walk"
)

// An unwinder steps out of frames of Java in one walk.
type unwinder struct {
	d *Decoder
	// anchors are the last frames of Java before each call of C, by stack address.
	anchors []walk.Frame
	// chunks belong to a virtual thread: its whole stack if no thread has it mounted, else the frames that
	// the carrier has not fetched yet.
	chunks []object.Chunk
	// entry is where the thread that has it mounted goes on below it; 0 if no thread has.
	entry core.Addr
}

// Begin returns an unwinder for one walk over t's stack.
func (d *Decoder) Begin(t *core.Thread) walk.Unwinder {
	u := &unwinder{d: d}
	if t.Task != nil && t.Task.Kind == VirtualKind {
		u.chunks = d.Chunks(t.Task.Addr)
	}
	if x := d.Thread(t); x != nil {
		u.anchors = d.anchors(x)
	}
	return u
}

// Bounds of one thread: frames of Java, and calls of Java from C.
const (
	maxFrames  = 1 << 16
	maxAnchors = 1 << 12
)

// anchors follows the anchors of a thread by its frames of Java.
func (d *Decoder) anchors(t *Thread) (out []walk.Frame) {
	at := t.anchor
	for range maxAnchors {
		f, ok := d.anchor(at)
		if !ok || len(out) > 0 && f.SP <= out[len(out)-1].SP {
			break
		}
		out = append(out, f)
		if at = d.nextAnchor(&f); at == 0 {
			break
		}
	}
	slices.SortFunc(out, func(x, y walk.Frame) int { return cmp.Compare(x.SP, y.SP) })
	return out
}

// anchor returns the frame of a JavaFrameAnchor; ok is false if it has none. The program counter is in it, or below the
// stack pointer, as the call has left it.
func (d *Decoder) anchor(at core.Addr) (f walk.Frame, ok bool) {
	c, o, arch := d.Process.Cursor(), &d.o, d.Process.Arch
	f.SP, f.FP = c.Pointer(at.Add(o.lastSP)), c.Pointer(at.Add(o.lastFP))
	f.PC = c.Pointer(at.Add(o.lastPC))
	if f.SP == 0 || f.SP%8 != 0 || c.Err() != nil {
		return f, false
	}
	if f.PC == 0 {
		f.PC = d.codeAddr(c.Pointer(f.SP - 8))
	}
	f.Trust = walk.Runtime
	f.Regs.Set(arch.PC, uint64(f.PC))
	f.Regs.Set(arch.SP, uint64(f.SP))
	if f.FP != 0 {
		f.Regs.Set(arch.FP, uint64(f.FP))
	}
	return f, c.Err() == nil && d.Has(f.PC)
}

// nextAnchor returns where the anchor is that the entry frame out of which a frame was called has kept; 0 if
// there is none.
func (d *Decoder) nextAnchor(f *walk.Frame) core.Addr {
	g := *f
	for range maxFrames {
		q := d.activation(&g)
		switch {
		case q == nil:
			return 0
		case q.Entry:
			c := d.Process.Cursor()
			w := c.Pointer(g.FP.Add(d.wrapper))
			if c.Err() != nil {
				return 0
			}
			return w.Add(d.o.wrapperAnchor)
		case q.size == 0, q.caller.SP <= g.SP:
			return 0
		}
		g = q.caller
	}
	return 0
}

// codeAddr strips what pointer authentication adds to a return address.
func (d *Decoder) codeAddr(a core.Addr) core.Addr {
	if d.Process.Arch == core.ARM64 {
		return a & (1<<48 - 1)
	}
	return a
}

// Step returns the caller of a frame in the code cache, and its Activation.
func (u *unwinder) Step(f *walk.Frame) (caller walk.Frame, record any, err error) {
	if !u.d.Has(f.LookupPC()) {
		return walk.Frame{}, nil, walk.ErrDecline
	}
	q := u.activation(f)
	switch {
	case q == nil:
		return walk.Frame{}, nil, walk.ErrDecline
	case q.last:
		return walk.Frame{}, q, walk.ErrRoot
	case q.size == 0:
		return walk.Frame{}, q, walk.ErrDecline
	}
	return q.caller, q, nil
}

// activation decodes a frame of a stack or of a chunk.
func (u *unwinder) activation(f *walk.Frame) *Activation {
	if n := chunkOf(u.chunks, f); n >= 0 {
		q := u.d.frozen(f, u.chunks, n)
		if q != nil && q.last && u.entry != 0 {
			u.carried(q)
		}
		return q
	}
	q := u.d.activation(f)
	if q != nil && q.size != 0 && len(q.Scopes) > 0 && u.d.barrier(q.caller.PC) {
		u.fetch(q)
	}
	return q
}

// Next returns the next anchor.
func (u *unwinder) Next(from core.Addr) (walk.Frame, bool) {
	for _, a := range u.anchors {
		if a.SP >= from {
			return a, true
		}
	}
	return walk.Frame{}, false
}

// activation decodes a frame of a stack; it returns nil if no blob of the code cache has its code.
func (d *Decoder) activation(f *walk.Frame) *Activation { return d.activationIn(f, nil) }

// activationIn is activation for a frame in a chunk, or on a stack if the chunk is nil.
func (d *Decoder) activationIn(f *walk.Frame, in *object.Chunk) *Activation {
	b := d.Find(f.LookupPC())
	q := &Activation{Blob: b, Frozen: in != nil}
	switch {
	case b == nil:
		return nil
	case b.Name == interpreter:
		if d.interpreted(f, q) {
			return q
		}
		return d.leave(f, q)
	case f.PC == d.callReturn:
		return d.entry(f, q)
	case b.Method != nil:
		return d.compiled(f, q)
	}
	return d.stub(f, q)
}

// entry is a frame by which C has entered Java.
func (d *Decoder) entry(f *walk.Frame, q *Activation) *Activation {
	q.Entry = true
	if f.FP == 0 || f.FP < f.SP {
		return q
	}
	q.size = f.FP + 16 - f.SP
	d.chain(f, q, f.FP, f.FP+16)
	if d.Process.Arch != core.AMD64 {
		return q
	}
	c := d.Process.Cursor()
	for i, slot := range []int{3, 12, 13, 14, 15} { // rbx, r12 to r15
		if v := c.U64(f.FP.Add(int64(-56 - 8*i))); c.Reset() == nil {
			q.caller.Regs.Set(slot, v)
		}
	}
	return q
}

// chain makes the caller of a frame by its frame pointer: what it points at is the caller's, and the return address.
func (d *Decoder) chain(f *walk.Frame, q *Activation, fp, sp core.Addr) {
	if q.Frozen {
		if caller, ok := d.linked(fp, sp); ok {
			q.caller = caller
		} else {
			q.caller = walk.Frame{SP: sp}
		}
		return
	}
	c := d.Process.Cursor()
	q.caller = d.frame(c.Pointer(fp), d.codeAddr(c.Pointer(fp+8)), sp)
	if c.Err() != nil || q.caller.PC == 0 {
		q.size = 0
	}
}

// frame makes a frame of its registers.
func (d *Decoder) frame(fp, pc, sp core.Addr) walk.Frame {
	f := walk.Frame{PC: pc, SP: sp, FP: fp, Trust: walk.Runtime}
	arch := d.Process.Arch
	f.Regs.Set(arch.PC, uint64(pc))
	f.Regs.Set(arch.SP, uint64(sp))
	f.Regs.Set(arch.FP, uint64(fp))
	return f
}

// sized makes the caller of a frame of the size that its blob says.
func (d *Decoder) sized(f *walk.Frame, q *Activation) {
	sp := f.SP + q.Blob.FrameSize
	q.size = q.Blob.FrameSize
	d.chain(f, q, sp-16, sp)
	if !q.Frozen && !d.Process.Executable(q.caller.PC) {
		q.size = 0
	}
}

// compiled is a frame of a compiled method, or of a wrapper of a native one.
func (d *Decoder) compiled(f *walk.Frame, q *Activation) *Activation {
	b := q.Blob
	q.Tier, q.Scopes = b.Tier(), []code.Scope{{Method: b.Method, BCI: -1}}
	if b.FrameSize == 0 {
		return q
	}
	if f.Exact() {
		d.leave(f, q)
	} else {
		d.sized(f, q)
	}
	if b.Native {
		return q
	}
	pc := f.PC
	if pc == b.Deopt && b.OrigPC != 0 {
		c := d.Process.Cursor()
		if at := c.Pointer(f.SP + b.OrigPC); c.Err() == nil && at >= b.Begin && at < b.End {
			pc = at
			q.Note = "to be deoptimised"
		}
	}
	scopes, exact := d.Scopes(b, pc, f.Exact())
	switch {
	case len(scopes) == 0 || scopes[len(scopes)-1].Method != b.Method:
		q.Note = "position unknown: the compiler has described none here"
	case !exact && f.Exact():
		q.Scopes, q.Note = scopes, "position of the next place that the compiler has described"
	default:
		q.Scopes = scopes
	}
	return q
}

// leave finds the caller of a frame that was interrupted by its instructions, else by the size of its frame.
func (d *Decoder) leave(f *walk.Frame, q *Activation) *Activation {
	if !f.Exact() {
		return q
	}
	if b := q.Blob; b.FrameSize != 0 && f.PC > b.Complete && b.Complete != 0 {
		if d.sized(f, q); q.size != 0 {
			return q
		}
	}
	if caller, ok := walk.Leave(d.Process, f, 0); ok && caller.SP > f.SP {
		caller.Trust = walk.Runtime
		q.caller, q.size = caller, caller.SP-f.SP
	}
	return q
}

// stub is a frame of a stub. Those without a size of their own keep a chain of frame pointers.
func (d *Decoder) stub(f *walk.Frame, q *Activation) *Activation {
	b := q.Blob
	switch {
	case f.Exact():
		return d.leave(f, q)
	case b.FrameSize != 0:
		d.sized(f, q)
	case strings.HasPrefix(b.Name, "StubRoutines") && f.FP >= f.SP && f.FP != 0:
		q.size = f.FP + 16 - f.SP
		d.chain(f, q, f.FP, f.FP+16)
	}
	return q
}

// Frames returns the frames of a thread whose code is in the code cache, innermost first, as far as its
// anchors and they themselves lead. Each has its Activation as its Record.
func (d *Decoder) Frames(t *Thread) (out []walk.Frame) {
	u := &unwinder{d: d, anchors: d.anchors(t)}
	list := u.anchors
	if t.Native != nil {
		if t.Virtual {
			u.chunks = d.Chunks(t.Peer)
		}
		f := walk.Frame{Trust: walk.Registers}
		arch := d.Process.Arch
		pc, _ := t.Native.Regs.Get(arch.PC)
		if sp, ok := t.Native.Regs.Get(arch.SP); ok && d.Has(core.Addr(pc)) {
			fp, _ := t.Native.Regs.Get(arch.FP)
			f.PC, f.SP, f.FP, f.Regs = core.Addr(pc), core.Addr(sp), core.Addr(fp), t.Native.Regs
			list = append([]walk.Frame{f}, list...)
		}
	}
	for i, f := range list {
		for len(out) < maxFrames && (i+1 == len(list) || f.SP < list[i+1].SP) {
			q := u.activation(&f)
			if q == nil {
				break
			}
			f.Record = q
			out = append(out, f)
			if q.Entry || q.size == 0 || q.caller.SP <= f.SP && !q.caller.OtherStack {
				break
			}
			f = q.caller
		}
	}
	return out
}
