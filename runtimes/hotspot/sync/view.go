package sync

import (
	"coredbg/core"
)

// A view is a process as package juc reads it.
type view struct{ an *Analyzer }

func (v view) Ref(o core.Addr, field string) (core.Addr, bool) {
	x, err := v.an.Object(o)
	if err != nil {
		return 0, false
	}
	return v.an.RefField(x, field)
}

func (v view) Int(o core.Addr, field string) (int64, bool) {
	x, err := v.an.Object(o)
	if err != nil {
		return 0, false
	}
	return v.an.IntField(x, field)
}

func (v view) IsA(o core.Addr, class string) bool {
	c := v.an.ClassOf(o)
	return c != nil && v.an.IsA(c, class)
}

func (v view) Class(o core.Addr) string {
	if c := v.an.ClassOf(o); c != nil {
		return c.Name
	}
	return ""
}

func (v view) Elements(array core.Addr, max int) []core.Addr {
	list, _ := v.an.ArrayRefs(array, max) // what cannot be read leads to nothing
	return list
}

// maxFields bounds the references of one object that are followed.
const maxFields = 64

func (v view) References(o core.Addr) (list []core.Addr) {
	x, err := v.an.Object(o)
	if err != nil || x.Class.IsArray() {
		return nil
	}
	for _, f := range v.an.InstanceFields(x.Class) {
		if !f.Reference() || len(list) == maxFields {
			continue
		}
		if at, ok := v.an.Ref(o + core.Addr(f.Offset)); ok && at != 0 {
			list = append(list, at)
		}
	}
	return list
}

func (v view) Threads() (list []core.Addr) {
	threads, _ := v.an.Threads()
	for _, t := range threads {
		if t.Peer != 0 {
			list = append(list, t.Peer)
		}
	}
	return list
}

// Stack returns the objects that a thread's frames refer to: the words of its stack above the stack pointer that are objects.
func (v view) Stack(thread core.Addr) []core.Addr {
	threads, _ := v.an.Threads()
	for _, t := range threads {
		if t.Peer == thread {
			return v.an.onStack(t)
		}
	}
	return nil
}

func (v view) Blocker(thread core.Addr) core.Addr {
	at, _ := v.Ref(thread, "parkBlocker")
	return at
}
