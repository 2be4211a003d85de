package sync

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/walk"
)

// A Held is an object that a frame has locked, or that it waits to lock.
type Held struct {
	Object core.Addr // 0 if it is not known; Missing then says why
	// Eliminated is set if the compiler has found the lock needless.
	Eliminated bool
	Missing    string
}

// maxHeld bounds the locks of one frame.
const maxHeld = 1 << 12

// Locks returns what scope n of an activation has locked, the last lock first, as thread dumps have it.
func (an *Analyzer) Locks(q *frame.Activation, n int, f *walk.Frame) []Held {
	switch {
	case n >= len(q.Scopes):
		return nil
	case q.Tier == "interpreter":
		return an.interpreted(q, f)
	case q.Blob == nil || !q.Blob.Compiled():
		return nil
	}
	return an.compiled(q, q.Scopes[n], f)
}

// interpreted reads the BasicObjectLocks of a frame of the interpreter: from the word that says where they
// end up to that word itself.
func (an *Analyzer) interpreted(q *frame.Activation, f *walk.Frame) (out []Held) {
	if an.o.basicObject < 0 || an.o.basicSize <= 0 || f.FP == 0 {
		return nil
	}
	c := an.Process.Cursor()
	bottom := f.FP.Add(8 * (an.BytecodeWord() - 1))
	top := c.Pointer(bottom)
	if n := int64(top); n < 0 && n > -maxHeld*4 { // since JDK 22 words from the frame pointer on
		top = f.FP.Add(8 * n)
	}
	if c.Err() != nil || top > bottom || uint64(bottom-top) > uint64(maxHeld*an.o.basicSize) {
		return nil
	}
	for at := top; at.Add(an.o.basicSize) <= bottom; at = at.Add(an.o.basicSize) {
		o := c.Pointer(at.Add(an.o.basicObject))
		if c.Err() != nil {
			return out
		}
		if q.Frozen {
			o = an.Frozen(uint64(o))
		}
		if o != 0 {
			out = append(out, Held{Object: o})
		}
	}
	return out
}

// compiled reads what a scope of compiled code has locked.
func (an *Analyzer) compiled(q *frame.Activation, s code.Scope, f *walk.Frame) (out []Held) {
	list, whole := an.Monitors(q.Blob, s)
	for _, m := range list {
		h := Held{Eliminated: m.Eliminated}
		switch v := m.Owner; v.Kind {
		case code.OnStack:
			h.Object = an.stackRef(q, f.SP.Add(v.Offset), v.Narrow)
		case code.Constant:
			h.Object = core.Addr(v.Bits)
		case code.Scalar:
			h.Missing = "the compiler has not made the object"
		case code.InRegister:
			if h.Object = an.Reference(v, q, f); h.Object == 0 {
				h.Missing = "the object was in a register"
			}
		}
		if h.Object == 0 && h.Missing == "" {
			h.Missing = "the code needs the object no more"
		}
		out = append(out, h)
	}
	if !whole {
		out = append(out, Held{Missing: "how the compiler describes more is not known"})
	}
	slices.Reverse(out)
	return out
}

// stackRef reads a reference from a stack.
func (an *Analyzer) stackRef(q *frame.Activation, at core.Addr, narrow bool) core.Addr {
	if narrow {
		ref, _ := an.Ref(at)
		return ref
	}
	c := an.Process.Cursor()
	ref := c.Pointer(at)
	if c.Err() != nil {
		return 0
	}
	if q.Frozen {
		return an.Frozen(uint64(ref))
	}
	return ref
}
