package frame

import (
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/layout"
)

// A Root is a reference to an object that a thread's frames hold.
type Root struct {
	// Name says which: "demo.Worker.run v2", "demo.Worker.run rbx", "handle scope".
	Name string
	// Slot is where the reference lies; 0 if it is in a register.
	Slot core.Addr
	To   core.Addr
}

// Bounds of the chains.
const (
	maxFrameRegisters = 1 << 16
	maxHandleScopes   = 1 << 16
	maxScopeRefs      = 1 << 12
)

// Roots calls visit for each reference to an object that a thread's frames and handle scopes are known to hold,
// as ReferenceMapVisitor of runtime/thread.cc finds them: the interpreters' arrays of references, and the
// references in the stack maps of compiled code. Frames that may be left over are skipped. The error says that
// the frames break off.
func (d *Decoder) Roots(t *Thread, visit func(Root)) error {
	d.scopeRoots(t, visit)
	fragments, err := d.Fragments(t)
	for i, f := range fragments {
		var more []*Activation
		var e error
		switch {
		case f.QuickFrame != 0:
			more, e = d.quickFrames(f)
		case f.ShadowFrame != 0:
			more, e = d.shadowFrames(f)
		}
		if err == nil {
			err = e
		}
		var regs core.Regs // that frames further in have saved
		for _, q := range more {
			if i == 0 && t.Runnable && q.Kind != Interpreted {
				continue
			}
			d.frameRoots(q, &regs, visit)
			if q.Kind != Interpreted && q.Size != 0 {
				d.restore(q, &regs)
			}
		}
	}
	return err
}

// frameRoots visits the references of a frame. Its method keeps its declaring class, except in nterp, as in the
// runtime itself.
func (d *Decoder) frameRoots(q *Activation, regs *core.Regs, visit func(Root)) {
	if q.Kind != Nterp && !q.Method.Runtime {
		if to, ok := d.Ref(q.Method.Addr); ok && to != 0 {
			visit(Root{Name: fmt.Sprintf("%s class", q.Method), Slot: q.Method.Addr, To: to})
		}
	}
	switch {
	case q.Kind == JNI && d.Layout.SDK >= argumentsInCaller && q.Size != 0:
		d.argumentRoots(q, visit)
	case q.Kind == Interpreted:
		n, ok := d.U32(q.At.Add(int64(d.Layout.ShadowFrame.NumVRegs)))
		if ok && n <= maxFrameRegisters {
			values := q.At.Add(int64(d.Layout.ShadowFrame.VRegs))
			d.arrayRoots(q, values+4*core.Addr(n), int(n), visit)
		}
	case q.Kind == Nterp:
		if f, ok := d.nterpLayout(q.Method); ok && q.Method.Code.Registers <= maxFrameRegisters {
			d.arrayRoots(q, q.At+core.Addr(f.references), q.Method.Code.Registers, visit)
		}
	case q.compiled != nil && q.compiled.Info != nil && q.stackMap != nil && q.Note == "":
		d.mappedRoots(q, regs, visit)
	}
}

// arrayRoots visits an interpreter's array of references.
func (d *Decoder) arrayRoots(q *Activation, at core.Addr, n int, visit func(Root)) {
	for i := range n {
		slot := at + core.Addr(4*i)
		if to, ok := d.Ref(slot); ok && to != 0 {
			visit(Root{Name: fmt.Sprintf("%s v%d", q.Method, i), Slot: slot, To: to})
		}
	}
}

// argumentsInCaller is the first SDK whose native methods have no HandleScope for their arguments.
const argumentsInCaller = 33

// argumentRoots visits the objects that a native method was called with: it refers to them
// where its caller has put them, above the caller's ArtMethod (VisitQuickFrameWithVregCallback
// in runtime/thread.cc).
func (d *Decoder) argumentRoots(q *Activation, visit func(Root)) {
	slot, n := q.At+core.Addr(q.Size)+core.Addr(d.PtrSize), 0
	add := func(words int, object bool) {
		if to, ok := d.Ref(slot); object && ok && to != 0 {
			visit(Root{Name: fmt.Sprintf("%s p%d", q.Method, n), Slot: slot, To: to})
		}
		slot, n = slot+core.Addr(4*words), n+words
	}
	if !q.Method.Static() {
		add(1, true)
	}
	for _, t := range q.Method.ArgumentTypes() {
		switch t {
		case 'J', 'D':
			add(2, false)
		default:
			add(1, t == 'L')
		}
	}
}

// mappedRoots visits the stack slots and registers that a stack map marks.
func (d *Decoder) mappedRoots(q *Activation, regs *core.Regs, visit func(Root)) {
	info, sm := q.compiled.Info, *q.stackMap
	inSlot, inRegister := d.namesOfPlaces(q)
	onStack, _ := info.StackRoots(sm)
	for i, is := range onStack {
		if !is {
			continue
		}
		slot := q.At + core.Addr(4*i)
		if to, ok := d.Ref(slot); ok && to != 0 {
			name := inSlot[i]
			if name == "" {
				name = fmt.Sprintf("%s sp+%d", q.Method, 4*i)
			}
			visit(Root{Name: name, Slot: slot, To: to})
		}
	}
	mask, _ := info.RegisterRoots(sm)
	for ; mask != 0; mask &= mask - 1 {
		n := bits.TrailingZeros32(mask)
		w, ok := regs.Get(d.isa.slotOf(n))
		if !ok || uint32(w) == 0 {
			continue
		}
		name := inRegister[n]
		if name == "" {
			name = fmt.Sprintf("%s %s", q.Method, d.RegisterName(n, false))
		}
		visit(Root{Name: name, To: core.Addr(uint32(w))})
	}
}

// namesOfPlaces maps each slot and machine register of a compiled frame to the register and the method it
// stands for, the outermost method last.
func (d *Decoder) namesOfPlaces(q *Activation) (inSlot, inRegister map[int]string) {
	info, sm := q.compiled.Info, *q.stackMap
	inSlot, inRegister = map[int]string{}, map[int]string{}
	name := func(method fmt.Stringer, locations []codeinfo.Location) {
		for v, l := range locations {
			switch l.Kind {
			case codeinfo.InStack:
				inSlot[int(l.Value)/4] = fmt.Sprintf("%s v%d", method, v)
			case codeinfo.InRegister:
				inRegister[int(l.Value)] = fmt.Sprintf("%s v%d", method, v)
			}
		}
	}
	if locations, err := info.Registers(sm); err == nil {
		name(q.Method, locations)
	}
	list, _ := info.Inlined(sm)
	for n := range q.Inlined {
		if k := len(list) - 1 - n; k >= 0 {
			if locations, err := info.InlinedRegisters(sm, list, k); err == nil {
				name(q.Inlined[n].Method, locations)
			}
		}
	}
	return inSlot, inRegister
}

// scopeRoots visits the HandleScopes that native code of the runtime keeps (runtime/handle_scope.h): {link,
// number of references, references}. The number in use comes after the references, or in newer versions before
// them. Scopes that grow have -1, and have their thread and the innermost of a list of scopes.
func (d *Decoder) scopeRoots(t *Thread, visit func(Root)) {
	word := core.Addr(d.PtrSize)
	at, ok := d.Pointer(t.Addr.Add(int64(d.Layout.Thread.TopHandleScope)))
	if d.Layout.Thread.TopHandleScope == layout.Unknown {
		return
	}
	seen := map[core.Addr]bool{}
	fixed := func(at core.Addr, count uint32) {
		refs := at + word + 4
		count = min(count, maxScopeRefs)
		switch used, _ := d.U32(refs); {
		case used > 0 && used <= count: // no object lies so low
			refs, count = refs+4, used
		case used == 0:
			if after, _ := d.U32(refs + 4*core.Addr(count)); after == 0 || after > count {
				return // no references are in use
			}
		}
		for i := range core.Addr(count) {
			if to, ok := d.Ref(refs + 4*i); ok && to != 0 {
				visit(Root{Name: "handle scope", Slot: refs + 4*i, To: to})
			}
		}
	}
	for ok && at != 0 && !seen[at] && len(seen) < maxHandleScopes {
		seen[at] = true
		count, known := d.U32(at + word)
		switch {
		case !known:
			return
		case int32(count) >= 0:
			fixed(at, count)
		default:
			inner, ok := d.Pointer(at + 3*word)
			for ok && inner != 0 && !seen[inner] && len(seen) < maxHandleScopes {
				seen[inner] = true
				if n, known := d.U32(inner + word); known && int32(n) >= 0 {
					fixed(inner, n)
				}
				inner, ok = d.Pointer(inner)
			}
		}
		at, ok = d.Pointer(at)
	}
}
