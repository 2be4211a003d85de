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
	RootFrozen    = "frame"
)

// Roots visits what refers to objects from outside of the heap: what the virtual machine has as roots first,
// then words of stacks.
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
				visit(graph.Root{Kind: RootClass, Name: k.Name, Rank: graph.Engine, Target: at})
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
	return s.frozenWords(ctx, reached, visit)
}

// threadRoots visits what a thread holds: its java.lang.Thread, its pending exception, JNI's local references.
func (s *Source) threadRoots(t *frame.Thread, visit func(graph.Root)) {
	w := s.h.w
	if f, ok := w.Lookup("JavaThread._threadObj"); ok {
		if to, ok := w.Handle(t.Addr.Add(f.Offset), f.Type); ok && to != 0 {
			visit(graph.Root{Kind: RootThread, Name: w.threadName(to), Place: t.Addr.Add(f.Offset),
				Thread: t.Native, Target: to})
		}
	}
	c := w.Process.Cursor()
	for _, name := range []string{"ThreadShadow._pending_exception", "JavaThread._exception_oop"} {
		off, ok := w.Optional(name)
		if !ok {
			continue
		}
		if to := c.Pointer(t.Addr.Add(off)); c.Reset() == nil && to != 0 {
			visit(graph.Root{Kind: RootException, Place: t.Addr.Add(off), Thread: t.Native,
				Rank: graph.Calling, Target: to})
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
	if !ok || !s.handles(c.Pointer(t.Addr.Add(active)), graph.Root{Kind: RootJNILocal, Thread: t.Native,
		Rank: graph.Calling}, visit) {
		s.lack("libjvm's tables do not have JNI's local references")
	}
}

// handles visits the references of a JNIHandleBlock and of those that follow it. Free references have their
// lowest bits set. It reports whether the tables have such blocks.
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
			if root.Target = w.Plain(c.U64(root.Place)); c.Err() == nil && root.Target != 0 &&
				root.Target%object.Alignment == 0 && s.h.Space(root.Target) != nil {
				visit(root)
			}
		}
		block = c.Pointer(block.Add(next))
	}
	return true
}

// slot says which field or element of an object a slot is.
func (w *Walker) slot(o object.Object, slot core.Addr) graph.Reference {
	if o.Class.IsArray() {
		a, err := w.Array(o.Addr)
		if err != nil || slot < a.At(0) {
			return graph.Reference{}
		}
		return graph.ElementAt(uint64(slot-a.At(0)) / o.Class.ElementSize)
	}
	for _, f := range w.InstanceFields(o.Class) {
		if o.Addr+core.Addr(f.Offset) == slot {
			return graph.Reference{Kind: graph.Field, Name: f.Name}
		}
	}
	return graph.Reference{Name: fmt.Sprintf("offset %d", slot-o.Addr)}
}
