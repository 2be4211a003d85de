package heap

import (
	"context"
	"fmt"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
)

// The kinds of roots.
const (
	RootClass     = "class of the virtual machine's loader"
	RootJNIGlobal = "JNI global"
	RootVMGlobal  = "virtual machine"
	RootJNILocal  = "JNI local"
	RootThread    = "thread"
	RootException = "pending exception"
	RootStackWord = "stack word"
	RootRegister  = "register"
)

// Roots visits what refers to objects from outside of the heap: what the virtual machine has as roots first, then words of
// stacks.
func (s *Source) Roots(ctx context.Context, reached func(core.Addr) bool, visit func(graph.Root)) error {
	w := s.h.w
	threads, err := w.Threads()
	if err != nil {
		s.lack("%v", err)
	}
	for _, t := range threads {
		s.threadRoots(t, visit)
	}
	s.storages(visit)
	for _, at := range w.loadedBy(0) {
		if o, err := w.Object(at); err == nil {
			k, _, _ := w.Mirrored(o)
			if k != nil {
				visit(graph.Root{Kind: RootClass, Name: k.Name, Target: at})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.dataWords(reached, visit)
	for _, t := range threads {
		s.stackWords(t, reached, visit)
	}
	return ctx.Err()
}

// threadRoots visits what a thread holds: its java.lang.Thread, its pending exception, JNI's local references.
func (s *Source) threadRoots(t *frame.Thread, visit func(graph.Root)) {
	w := s.h.w
	if f, ok := w.Lookup("JavaThread._threadObj"); ok {
		if to, ok := w.Handle(t.Addr.Add(f.Offset), f.Type); ok && to != 0 {
			visit(graph.Root{Kind: RootThread, Name: w.threadName(to), Place: t.Addr.Add(f.Offset), Thread: t.Native, Target: to})
		}
	}
	c := w.Process.Cursor()
	for _, name := range []string{"ThreadShadow._pending_exception", "JavaThread._exception_oop"} {
		off, ok := w.Optional(name)
		if !ok {
			continue
		}
		if to := c.Pointer(t.Addr.Add(off)); c.Reset() == nil && to != 0 {
			visit(graph.Root{Kind: RootException, Place: t.Addr.Add(off), Thread: t.Native, Rank: graph.Calling, Target: to})
		}
	}
	s.jniLocals(t, visit)
}

// threadName returns the name of a java.lang.Thread.
func (w *Walker) threadName(at core.Addr) string {
	o, err := w.Object(at)
	if err != nil {
		return ""
	}
	name, _ := w.StringField(o, "name")
	return name
}

// Bounds of JNI's blocks of local references.
const (
	maxBlocks  = 1 << 12
	maxHandles = 1 << 10
)

// jniLocals visits JNI's local references of a thread.
func (s *Source) jniLocals(t *frame.Thread, visit func(graph.Root)) {
	active, ok := s.h.w.Optional("JavaThread._active_handles", "Thread._active_handles")
	c := s.h.w.Process.Cursor()
	if !ok || !s.handles(c.Pointer(t.Addr.Add(active)), graph.Root{Kind: RootJNILocal, Thread: t.Native, Rank: graph.Calling}, visit) {
		s.lack("libjvm's tables do not have JNI's local references")
	}
}

// handles visits the references of a JNIHandleBlock and of those that follow it. Free references have their lowest bits set.
// It reports whether the tables have such blocks.
func (s *Source) handles(block core.Addr, root graph.Root, visit func(graph.Root)) bool {
	w := s.h.w
	handles, ok1 := w.Optional("JNIHandleBlock._handles")
	top, ok2 := w.Optional("JNIHandleBlock._top")
	next, ok3 := w.Optional("JNIHandleBlock._next")
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	c := w.Process.Cursor()
	for i := 0; block != 0 && c.Err() == nil && i < maxBlocks; i++ {
		n := int32(c.U32(block.Add(top)))
		for k := range int64(min(max(n, 0), maxHandles)) {
			root.Place = block.Add(handles + 8*k)
			if root.Target = w.Plain(c.U64(root.Place)); c.Err() == nil && root.Target != 0 && root.Target%object.Alignment == 0 && s.h.Space(root.Target) != nil {
				visit(root)
			}
		}
		block = c.Pointer(block.Add(next))
	}
	return true
}

// maxStackBytes bounds one stack.
const maxStackBytes = 64 << 20

// stackWords visits the words of a thread's stack and registers that may be references to objects that nothing else is known
// to keep: whole addresses, and where references have 32 bits such halves, as compiled code keeps them.
func (s *Source) stackWords(t *frame.Thread, reached func(core.Addr) bool, visit func(graph.Root)) {
	w := s.h.w
	if t.Native == nil {
		return
	}
	word := func(kind, name string, place, to core.Addr) {
		if to%object.Alignment == 0 && s.h.Space(to) != nil && !reached(to) {
			visit(graph.Root{Kind: kind, Name: name, Place: place, Thread: t.Native, Strength: graph.Stacked, Rank: graph.Calling, Target: to})
		}
	}
	either := func(kind, name string, place core.Addr, v uint64) {
		word(kind, name, place, w.Plain(v))
		if w.RefSize() == 4 {
			word(kind, name, place, w.Narrow(uint32(v)))
			word(kind, name, place+4, w.Narrow(uint32(v>>32)))
		}
	}
	arch := w.Process.Arch
	for i, name := range arch.RegNames {
		if v, ok := t.Native.Regs.Get(i); ok {
			either(RootRegister, name, 0, v)
		}
	}
	sp, ok := t.Native.Regs.Get(arch.SP)
	end := w.stackEnd(t, core.Addr(sp))
	for at := core.Addr(sp) &^ 7; ok && at < end; {
		b, err := w.Process.Space.Window(at)
		if err != nil || len(b) < 8 {
			at = (at + core.TracePage) &^ (core.TracePage - 1)
			continue
		}
		for b = b[:min(len(b), int(end-at))]; len(b) >= 8; b, at = b[8:], at+8 {
			either(RootStackWord, "", at, arch.Order.Uint64(b))
		}
	}
}

// stackEnd returns where the stack of a thread ends: JavaThread::_stack_base; without it the mapping does.
func (w *Walker) stackEnd(t *frame.Thread, sp core.Addr) core.Addr {
	end := w.member(t.Addr, "JavaThread._stack_base", "Thread._stack_base")
	if end < sp || end-sp > maxStackBytes {
		return sp
	}
	return end
}

// place names a place in an object: "field next", "element 3".
func (w *Walker) place(o object.Object, slot core.Addr) string {
	if o.Class.IsArray() {
		a, err := w.Array(o.Addr)
		if err != nil || slot < a.At(0) {
			return ""
		}
		return fmt.Sprintf("element %d", uint64(slot-a.At(0))/o.Class.ElementSize)
	}
	for _, f := range w.InstanceFields(o.Class) {
		if o.Addr+core.Addr(f.Offset) == slot {
			return "field " + f.Name
		}
	}
	return fmt.Sprintf("offset %d", slot-o.Addr)
}
