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
//
// It reports whether these are all that a collection would find: a thread that is not Runnable may be collected
// around at any time, so it keeps nothing elsewhere on its stack. A Runnable one may, and so may frames that lack
// a stack map.
func (d *Decoder) Roots(t *Thread, visit func(Root)) (all bool, err error) {
	all = d.scopeRoots(t, visit) && !t.Runnable && t.Problem == ""
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
			all = d.frameRoots(q, &regs, visit) && all
			if q.Kind != Interpreted && q.Size != 0 {
				d.restore(q, &regs)
			}
		}
	}
	return all && err == nil, err
}

// frameRoots visits the references of a frame, and reports whether they are known. Its method keeps its declaring
// class, except in nterp, as in the runtime itself.
func (d *Decoder) frameRoots(q *Activation, regs *core.Regs, visit func(Root)) (known bool) {
	if q.Kind != Nterp && !q.Method.Runtime {
		if to, ok := d.Ref(q.Method.Addr); ok && to != 0 {
			visit(Root{Name: fmt.Sprintf("%s class", q.Method), Slot: q.Method.Addr, To: to})
		}
	}
	switch q.Kind {
	case JNI:
		return d.Layout.SDK < argumentsInCaller || q.Size != 0 && d.argumentRoots(q, visit)
	case Interpreted:
		n, ok := d.U32(q.At.Add(int64(d.Layout.ShadowFrame.NumVRegs)))
		values := q.At.Add(int64(d.Layout.ShadowFrame.VRegs))
		return ok && n <= maxFrameRegisters && d.arrayRoots(q, values+4*core.Addr(n), int(n), visit)
	case Nterp:
		f, ok := d.nterpLayout(q.Method)
		return ok && q.Method.Code.Registers <= maxFrameRegisters && d.arrayRoots(q, q.At+core.Addr(f.references),
			q.Method.Code.Registers, visit)
	case JIT, AOT:
		return q.compiled != nil && q.compiled.Info != nil && q.stackMap != nil && q.Note == "" &&
			d.mappedRoots(q, regs, visit)
	}
	return true // what a method of a proxy or of the runtime was called with is among JNI's local references
}

// arrayRoots visits an interpreter's array of references, and reports whether it could be read.
func (d *Decoder) arrayRoots(q *Activation, at core.Addr, n int, visit func(Root)) bool {
	all := true
	for i := range n {
		slot := at + core.Addr(4*i)
		to, ok := d.Ref(slot)
		if all = all && ok; ok && to != 0 {
			visit(Root{Name: fmt.Sprintf("%s v%d", q.Method, i), Slot: slot, To: to})
		}
	}
	return all
}

// argumentsInCaller is the first SDK whose native methods have no HandleScope for their arguments.
const argumentsInCaller = 33

// argumentRoots visits the objects that a native method was called with: it refers to them
// where its caller has put them, above the caller's ArtMethod (VisitQuickFrameWithVregCallback
// in runtime/thread.cc). It reports whether they could be read.
func (d *Decoder) argumentRoots(q *Activation, visit func(Root)) bool {
	slot, n, all := q.At+core.Addr(q.Size)+core.Addr(d.PtrSize), 0, q.Method.Signature != ""
	add := func(words int, object bool) {
		to, ok := d.Ref(slot)
		if all = all && (ok || !object); object && ok && to != 0 {
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
	return all
}

// mappedRoots visits the stack slots and registers that a stack map marks, and reports whether they could be read.
func (d *Decoder) mappedRoots(q *Activation, regs *core.Regs, visit func(Root)) bool {
	info, sm := q.compiled.Info, *q.stackMap
	inSlot, inRegister := d.namesOfPlaces(q)
	onStack, err := info.StackRoots(sm)
	all := err == nil
	for i, is := range onStack {
		if !is {
			continue
		}
		slot := q.At + core.Addr(4*i)
		to, ok := d.Ref(slot)
		if all = all && ok; ok && to != 0 {
			name := inSlot[i]
			if name == "" {
				name = fmt.Sprintf("%s sp+%d", q.Method, 4*i)
			}
			visit(Root{Name: name, Slot: slot, To: to})
		}
	}
	mask, err := info.RegisterRoots(sm)
	all = all && err == nil
	for ; mask != 0; mask &= mask - 1 {
		n := bits.TrailingZeros32(mask)
		w, ok := regs.Get(d.isa.slotOf(n))
		if all = all && ok; !ok || uint32(w) == 0 {
			continue
		}
		name := inRegister[n]
		if name == "" {
			name = fmt.Sprintf("%s %s", q.Method, d.RegisterName(n, false))
		}
		visit(Root{Name: name, To: core.Addr(uint32(w))})
	}
	return all
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
// number of references, references}. Scopes that grow have -1, and have their thread and the innermost of a list of
// scopes. It reports whether all of them could be read.
func (d *Decoder) scopeRoots(t *Thread, visit func(Root)) bool {
	if d.Layout.Thread.TopHandleScope == layout.Unknown {
		return false
	}
	word, all, seen := core.Addr(d.PtrSize), true, map[core.Addr]bool{}
	var chain func(first core.Addr, grow bool)
	chain = func(first core.Addr, grow bool) {
		at, ok := d.Pointer(first)
		for ok && at != 0 && !seen[at] && len(seen) < maxHandleScopes {
			seen[at] = true
			count, known := d.U32(at + word)
			switch {
			case known && int32(count) >= 0:
				all = d.scopeRefs(at, count, visit) && all
			case known && grow:
				chain(at+3*word, false)
			default:
				all = false
			}
			at, ok = d.Pointer(at)
		}
		all = all && ok && at == 0
	}
	chain(t.Addr.Add(int64(d.Layout.Thread.TopHandleScope)), true)
	return all
}

// scopeRefs visits the references of a HandleScope for a number of them, and reports whether they could be read. The
// number in use comes after the references, or in newer versions before them.
func (d *Decoder) scopeRefs(at core.Addr, count uint32, visit func(Root)) bool {
	all := count <= maxScopeRefs
	count = min(count, maxScopeRefs)
	refs := at + core.Addr(d.PtrSize) + 4
	switch used, ok := d.U32(refs); {
	case !ok:
		return false
	case used > 0 && used <= count: // no object lies so low
		refs, count = refs+4, used
	case used == 0:
		after, ok := d.U32(refs + 4*core.Addr(count))
		if after == 0 || after > count {
			return all && ok // no references are in use
		}
	}
	for i := range core.Addr(count) {
		to, ok := d.Ref(refs + 4*i)
		if all = all && ok; ok && to != 0 {
			visit(Root{Name: "handle scope", Slot: refs + 4*i, To: to})
		}
	}
	return all
}
