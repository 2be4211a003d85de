package sync

import (
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
	"coredbg/runtimes/juc"
)

// WaitFor is WaitOf with all threads that can end the wait. It also knows waits for the initialisation of a
// class, for the end of a thread, and for objects of java.util.concurrent.
func (an *Analyzer) WaitFor(t *frame.Thread) (Wait, bool) {
	w, ok := an.WaitOf(t)
	if !ok {
		return w, false
	}
	switch {
	case w.Owner != nil:
		w.Owners = []*frame.Thread{w.Owner}
	case w.Kind == "wait":
		if by := an.initialiser(w.Object, t); by != nil {
			w.Kind, w.Owner, w.Owners = juc.Initialises, by, []*frame.Thread{by}
		} else if o, ok := juc.Joined(view{an}, w.Object.Addr); ok {
			an.own(&w, o)
		}
	case w.Kind == "park":
		if o, ok := juc.Parked(view{an}, t.Peer, w.Object.Addr); ok {
			an.own(&w, o)
		}
	}
	return w, true
}

// own puts the owners that are known into a wait.
func (an *Analyzer) own(w *Wait, o juc.Owners) {
	if list := juc.Known(o, an.ThreadOfPeer); len(list) > 0 {
		w.Kind, w.Owner, w.Owners, w.Any = o.Kind, list[0], list, o.Any
		if o.Object == 0 {
			return
		}
		if x, err := an.Object(o.Object); err == nil {
			w.Object = x
		}
	}
}

// initialiser returns the thread that initializes the class o, if t waits for that; nil if o is no such class
// (ClassLinker::InitializeClass, which waits as Object.wait does but has no frame of it).
func (an *Analyzer) initialiser(o object.Object, t *frame.Thread) *frame.Thread {
	if o.Class.Flags&object.FlagClass == 0 || an.ClassAt(o.Addr).Status != "Initializing" ||
		an.Layout.Class.ClinitThreadID == layout.Unknown {
		return nil
	}
	tid, ok := an.U32(o.Addr.Add(int64(an.Layout.Class.ClinitThreadID)))
	if !ok || tid == 0 || int(tid) == t.TID {
		return nil
	}
	if list, _ := an.Activations(t); len(list) > 0 && list[0].Method.String() == "java.lang.Object.wait" {
		return nil
	}
	threads, _ := an.Threads()
	for _, by := range threads {
		if by.TID == int(tid) {
			return by
		}
	}
	return nil
}

// Words says what is waited for, and how the threads are called that can end it.
func (w *Wait) Words(typeName string, name func(*frame.Thread) string) string {
	var owners []string
	for _, t := range w.Owners {
		owners = append(owners, name(t))
	}
	return juc.Words(w.Kind, typeName, owners)
}

// A view is a process as package juc reads it.
type view struct{ an *Analyzer }

func (v view) JavaHeap() java.Heap { return v.an.JavaHeap() }

// maxFields bounds the references of one object that are followed.
const maxFields = 64

func (v view) References(o core.Addr) (list []core.Addr) {
	x, err := v.an.Object(o)
	if err != nil || x.Class.IsArray() {
		return nil
	}
	_ = v.an.Walker.References(x, func(_, to core.Addr) bool {
		list = append(list, to)
		return len(list) < maxFields
	})
	return list
}

func (v view) Peers() (list []core.Addr) {
	threads, _ := v.an.Threads()
	for _, t := range threads {
		if t.Peer != 0 {
			list = append(list, t.Peer)
		}
	}
	return list
}

func (v view) Stack(thread core.Addr) (list []core.Addr) {
	if t := v.an.ThreadOfPeer(thread); t != nil {
		_, _ = v.an.Decoder.Roots(t, func(r frame.Root) { list = append(list, r.To) })
	}
	return list
}
