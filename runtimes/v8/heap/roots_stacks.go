package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// A thread that runs JavaScript has references in spill slots of optimized code. No table describes these here, so
// each word of its stack may be a root. Threads that help an isolate, by compiling or collecting, have their
// handles elsewhere (heap/local-heap.h, handles/persistent-handles.h), and the collector does not look at their
// stacks (Heap::IterateRoots in heap/heap.cc). A word there is left over, or in use for an instant.

// maxStackBytes bounds one stack.
const maxStackBytes = 16 << 20

// stacks finds the objects that registers and stacks of threads that may run JavaScript refer to.
func (f *rootFinder) stacks(ctx context.Context, yield func(Root)) error {
	isolates := f.h.Isolates(ctx)
	for _, t := range f.h.v.Process.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.runs(isolates, t) {
			f.helping = append(f.helping, t)
			continue
		}
		f.stack(t, false, yield)
	}
	return nil
}

// helpers finds the objects that registers and stacks of the other threads refer to.
func (f *rootFinder) helpers(ctx context.Context, yield func(Root)) error {
	for _, t := range f.helping {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.stack(t, true, yield)
	}
	return nil
}

// stack finds the objects that the registers and the stack of one thread refer to. Memory below the top of a
// stack is dead.
func (f *rootFinder) stack(t *core.Thread, helping bool, yield func(Root)) {
	hs := f.h.v
	for i := range hs.Process.Arch.RegNames {
		if x, ok := t.Regs.Get(i); ok && layout.Tagged(x)&3 == 1 {
			yield(Root{Kind: RootStack, Thread: t, Helping: helping, Target: layout.Tagged(x)})
		}
	}
	for _, s := range layout.Stacks(hs.Process, t) {
		end := min(s.End, s.Start+maxStackBytes)
		data, _ := hs.Space.Slice(s.Start, int(end-s.Start))
		f.words(s.Start, data, func(a core.Addr, x layout.Tagged) {
			yield(Root{Kind: RootStack, Place: a, Thread: t, Helping: helping, Target: x})
		})
		seg, _ := hs.Space.Find(s.Start)
		f.done = append(f.done, layout.Area{Start: max(seg.Start, s.Start-min(s.Start, maxStackBytes)), End: end})
	}
}

// runs reports whether a thread may run JavaScript: an isolate is its own, or a frame on its stack returns into
// generated code. If no isolate has a thread, each thread may.
func (f *rootFinder) runs(isolates []Isolate, t *core.Thread) bool {
	known := false
	for i := range isolates {
		if isolates[i].Thread == t {
			return true
		}
		known = known || isolates[i].Thread != nil
	}
	return !known || f.generated(t)
}

// generated reports whether a thread is in generated code or returns into it. Each of its frames begins with the
// frame pointer of the caller, which is further out on the stack, and the return address.
func (f *rootFinder) generated(t *core.Thread) bool {
	hs := f.h.v
	if pc, ok := t.Regs.Get(hs.Process.Arch.PC); ok && hs.objects.Place(core.Addr(pc)).Kind != code.Elsewhere {
		return true
	}
	for _, s := range layout.Stacks(hs.Process, t) {
		end := min(s.End, s.Start+maxStackBytes)
		data, _ := hs.Space.Slice(s.Start, int(end-s.Start))
		for i := 0; i+16 <= len(data); i += 8 {
			fp := core.Addr(hs.Order.Uint64(data[i:]))
			if fp <= s.Start+core.Addr(i) || fp >= s.End || fp%8 != 0 {
				continue
			}
			ra := hs.CodeAddr(core.Addr(hs.Order.Uint64(data[i+8:])))
			if hs.objects.Place(ra-1).Kind != code.Elsewhere {
				return true
			}
		}
	}
	return false
}
