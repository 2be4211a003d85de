package frame

import (
	"cmp"
	"fmt"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// maxRootFrames bounds the frames of one stretch of generated code.
const maxRootFrames = 1 << 20

// Roots visits the references in the frames of generated code on a thread's stack as the collector sees them:
// function, scope, receiver and arguments, and the registers of the interpreter or the values known to the
// deoptimizer. Each has a name for people. Spill slots of optimized code are not among them.
func (dec *Decoder) Roots(t *core.Thread, visit func(heap.Root)) {
	u := dec.Begin(t).(*unwinder)
	var starts []walk.Frame
	inner := walk.Frame{Regs: t.Regs}
	a := dec.Process.Arch
	pc, ok1 := t.Regs.Get(a.PC)
	sp, ok2 := t.Regs.Get(a.SP)
	if fp, ok := t.Regs.Get(a.FP); ok && ok1 && ok2 {
		inner.PC, inner.SP, inner.FP = core.Addr(pc), core.Addr(sp), core.Addr(fp)
		starts = append(starts, inner)
	}
	for _, f := range append(starts, u.exits()...) {
		for range maxRootFrames {
			act := dec.activation(&f)
			if act == nil {
				break
			}
			if !act.unframed {
				dec.frameRoots(t, &f, act, visit)
			}
			caller, err := u.step(&f, act)
			if err != nil || caller.SP <= f.SP {
				break
			}
			f = caller
		}
	}
}

// frameRoots visits what one frame holds.
func (dec *Decoder) frameRoots(t *core.Thread, f *walk.Frame, a *activation, visit func(heap.Root)) {
	l := &dec.Layout.Frame
	fn, ok := dec.Word(f.FP.Add(int64(l.Function)))
	if !ok || a.marked() || !dec.IsFunction(dec.Full(fn)) {
		return
	}
	of, code := "", graph.Place{}
	if list, err := dec.Decode(f); err == nil && len(list) > 0 {
		s := list[len(list)-1]
		if of = " of " + s.Name; s.Name == "" {
			of = " of <anonymous>"
		}
		if s.Line > 0 {
			code = graph.Place{File: s.File, Line: s.Line}
			of += fmt.Sprintf(" (%v)", code)
		}
	}
	add := func(what string, w layout.Tagged) {
		if w.IsHeap() {
			visit(heap.Root{Kind: heap.RootFrame, Name: what + of, Place: f.FP, Thread: t, Code: code, Target: w})
		}
	}
	add("function", dec.Full(fn))
	if w, ok := dec.Word(f.FP.Add(int64(l.ContextOrType))); ok {
		add("scope", dec.Full(w))
	}
	if args, err := dec.argumentsAt(f.FP, a.place); err == nil {
		add("this", args.Receiver)
		for i, w := range args.Values {
			add(fmt.Sprintf("argument %d", i), w)
		}
	}
	optimised := a.place.Code != nil && (a.place.Code.Kind == dec.Layout.Code.KindMaglev ||
		a.place.Code.Kind == dec.Layout.Code.KindTurbofan)
	if bytecode, _ := a.bytecode(); bytecode != 0 && !optimised {
		for i, w := range a.registerWords(bytecode) {
			add(fmt.Sprintf("r%d", i), w)
		}
		return
	}
	for _, v := range dec.Values(f) {
		if v == nil {
			continue
		}
		for _, x := range append(v.Locals, v.Args...) {
			if x.Known() && !x.Slot.Raw {
				add(cmp.Or(x.Name, "value"), x.Slot.Word)
			}
		}
	}
}
