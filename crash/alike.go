package crash

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A runtime has many tasks, and most of them wait in few places. One task of a group is walked. Another
// task has the same stack if the return addresses are at the same distances from its stack pointer.

// A sameStack is the stack of a task by its return addresses.
type sameStack struct {
	returns []returnAddress
	group   *waitGroup
}

// A returnAddress is one with how far above the stack pointer of the innermost frame it lies.
type returnAddress struct{ off, pc core.Addr }

// maxAlike bounds how many stacks are kept that begin at one place.
const maxAlike = 32

// A stackKey is what tasks have in common whose stacks are compared.
type stackKey struct {
	pc          core.Addr
	kind, state string
}

// stacksSeen are the stacks of the tasks that were walked.
type stacksSeen struct {
	p    *core.Process
	c    *core.Cursor
	seen map[stackKey][]sameStack
}

func newStacksSeen(p *core.Process) *stacksSeen {
	return &stacksSeen{p: p, c: p.Cursor(), seen: map[stackKey][]sameStack{}}
}

// keyOf returns the key of a task that no thread runs, and its stack pointer.
func (x *stacksSeen) keyOf(t *core.Thread) (key stackKey, sp core.Addr, ok bool) {
	arch := x.p.Arch
	if t.Task == nil || arch == nil {
		return key, 0, false
	}
	pc, havePC := t.Regs.Get(arch.PC)
	at, haveSP := t.Regs.Get(arch.SP)
	return stackKey{pc: core.Addr(pc), kind: t.Task.Kind, state: t.State}, core.Addr(at), havePC && haveSP
}

// group returns the group of a task whose stack was seen before; nil if it is new.
func (x *stacksSeen) group(t *core.Thread) *waitGroup {
	key, sp, ok := x.keyOf(t)
	if !ok {
		return nil
	}
stacks:
	for _, s := range x.seen[key] {
		for _, r := range s.returns {
			if at := sp + r.off; at < sp || at >= t.Task.High || x.c.Pointer(at) != r.pc || x.c.Err() != nil {
				x.c.Reset()
				continue stacks
			}
		}
		return s.group
	}
	return nil
}

// add notes the stack of a task: one of machine code up to its root, whose frames call frame information
// says, so that their sizes follow from the return addresses.
func (x *stacksSeen) add(t *core.Thread, st *stack.Stack, g *waitGroup) {
	key, sp, ok := x.keyOf(t)
	if !ok || st.Stop == nil || st.Stop.Kind != walk.StopRoot || len(x.seen[key]) >= maxAlike {
		return
	}
	var returns []returnAddress
	var from *stack.Frame // the last one of the machine
	for i := range st.Frames {
		f := &st.Frames[i]
		switch {
		case f.Kind != runtimes.Native || f.Gap || f.NoCall && i < len(st.Frames)-1:
			return
		case f.Inlined:
			continue
		case from == nil && f.SP != sp, from != nil && f.Trust != walk.CFI:
			return
		}
		if from != nil {
			at, ok := x.find(from, f)
			if !ok {
				return
			}
			returns = append(returns, returnAddress{at - sp, f.PC})
		}
		from = f
	}
	if len(returns) > 0 {
		x.seen[key] = append(x.seen[key], sameStack{returns, g})
	}
}

// find returns where a frame has the address that it returns to: the outermost place, as calls put it there.
func (x *stacksSeen) find(f, caller *stack.Frame) (at core.Addr, ok bool) {
	size := core.Addr(x.p.Arch.PtrSize)
	const most = 1 << 12 // bytes of a frame
	for a := caller.SP - size; a >= f.SP && caller.SP-a <= most; a -= size {
		if v := x.c.Pointer(a); x.c.Reset() == nil && v == caller.PC {
			return a, true
		}
	}
	return 0, false
}
