package hotspot

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

var _ java.Objects = (*HotSpot)(nil)

// JavaClasses implements java.Objects.
func (h *HotSpot) JavaClasses(ctx context.Context) ([]*java.Class, error) {
	all, err := h.walker.Classes(ctx)
	out := make([]*java.Class, len(all))
	for i, k := range all {
		out[i] = h.JavaClass(k)
	}
	return out, err
}

// JavaMethods implements java.Objects.
func (h *HotSpot) JavaMethods(k *java.Class) (out []java.Method, err error) {
	class, err := h.Class(k.Addr)
	if err != nil {
		return nil, err
	}
	all, err := h.Methods(class)
	for _, m := range all {
		out = append(out, java.Method{Addr: m.Addr, Name: m.Name, Signature: m.Signature, Access: uint32(m.Access)})
	}
	return out, err
}

// JavaSize implements java.Objects.
func (h *HotSpot) JavaSize(at core.Addr) (uint64, error) {
	o, err := h.Object(at)
	if err != nil {
		return 0, err
	}
	return h.Size(o)
}

// PendingExceptions implements java.Objects: ThreadShadow::_pending_exception.
func (h *HotSpot) PendingExceptions() (out []java.Pending, err error) {
	threads, err := h.Threads()
	for _, t := range threads {
		at, failed := h.pendingException(t)
		if failed != nil && err == nil {
			err = failed
		}
		if at != 0 {
			out = append(out, java.Pending{Exception: at, Thread: h.javaThread(t)})
		}
	}
	return out, err
}

// pendingException returns what a thread is about to throw, 0 if that is nothing.
func (h *HotSpot) pendingException(t *frame.Thread) (core.Addr, error) {
	off, ok := h.Optional("ThreadShadow._pending_exception")
	if !ok {
		return 0, fmt.Errorf("hotspot: libjvm's tables do not have ThreadShadow._pending_exception")
	}
	c := h.Process.Cursor()
	at := c.Pointer(t.Addr.Add(off))
	if err := c.Err(); err != nil {
		return 0, fmt.Errorf("hotspot: pending exception of thread %d: %w", t.TID, err)
	}
	return at, nil
}

// JavaThread implements java.Objects.
func (h *HotSpot) JavaThread(t *core.Thread) java.Thread {
	if x := h.Thread(t); x != nil {
		return h.javaThread(x)
	}
	return java.Thread{}
}

// javaThread returns a thread by its java.lang.Thread: JavaThread::_threadObj.
func (h *HotSpot) javaThread(t *frame.Thread) java.Thread {
	x := java.Thread{TID: t.TID}
	if t.Native != nil {
		x.Name = t.Native.Name
	}
	f, ok := h.Lookup("JavaThread._threadObj")
	if !ok {
		return x
	}
	at, ok := h.Handle(t.Addr.Add(f.Offset), f.Type)
	if !ok || at == 0 {
		return x
	}
	if o, err := h.Object(at); err == nil {
		if name, ok := h.StringField(o, "name"); ok {
			x.Name = name
		}
		id, _ := h.IntField(o, "tid")
		x.ID = int(id)
	}
	return x
}

// WhatIs implements runtimes.Identifier: an object, a class, a method.
func (h *HotSpot) WhatIs(at core.Addr) (string, bool) {
	if o, err := h.Object(at); err == nil {
		return h.describe(o), true
	}
	if k, err := h.Class(at); err == nil {
		return "Klass of " + k.Name, true
	}
	if m, err := h.Method(at); err == nil {
		return "Method " + m.String() + m.Signature, true
	}
	heap, err := h.walker.Heap()
	if err != nil {
		return "", false
	}
	if o, ok := heap.Find(at); ok {
		return fmt.Sprintf("%d bytes into %v: %s", at-o.Addr, o.Addr, h.describe(o)), true
	}
	if s := heap.Space(at); s != nil {
		return fmt.Sprintf("in %s of the %s heap, no object", s.Name, heap.Collector), true
	}
	return "", false
}

// describe says what an object is, in a few words.
func (h *HotSpot) describe(o object.Object) string {
	switch {
	case o.Class.IsMirror():
		v := java.Inspector{Heap: h.JavaHeap()}.Inspect(o.Addr, java.Options{Depth: -1, MaxValues: 1})
		return v.Format(java.FormatOptions{OneLine: true})
	case o.Class.IsArray():
		a, _ := h.Array(o.Addr)
		return fmt.Sprintf("%s of %d elements", o.Class.Name, a.Length)
	case h.IsString(o.Addr):
		v := java.Inspector{Heap: h.JavaHeap()}.Inspect(o.Addr, java.Options{MaxString: 40, MaxValues: 1})
		return "java.lang.String " + v.Format(java.FormatOptions{OneLine: true})
	}
	return "object of " + o.Class.Name
}
