package sync

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/juc"
)

// ClassInit is the Kind of a Wait for a class that another thread initialises.
const ClassInit = "class"

// WaitFor returns what a thread waits for as WaitOf does, with all the threads that can end that: of a class that it is
// initialised, of the objects of java.util.concurrent and of a thread's end.
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
			w.Kind, w.Owner, w.Owners = ClassInit, by, []*frame.Thread{by}
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
	var list []*frame.Thread
	for _, peer := range o.Threads {
		t := an.ThreadOfPeer(peer)
		if t == nil {
			if o.Any {
				return // one that is not known may end it
			}
			continue
		}
		list = append(list, t)
	}
	if len(list) > 0 {
		w.Kind, w.Owner, w.Owners, w.Any = o.Kind, list[0], list, o.Any
	}
}

// initialiser returns the thread that initialises a class for which another one waits; nil if the object is no such
// class (ClassLinker::InitializeClass, which waits as Object.wait does but has no frame of that).
func (an *Analyzer) initialiser(o object.Object, t *frame.Thread) *frame.Thread {
	if o.Class.Flags&object.FlagClass == 0 || an.ClassAt(o.Addr).Status != "Initializing" || an.Layout.Class.ClinitThreadID == layout.Unknown {
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
	owner := name(w.Owner)
	if n := len(w.Owners); n > 1 {
		owner += fmt.Sprintf(" and %d more", n-1)
		if n == 2 {
			owner = name(w.Owner) + " and " + name(w.Owners[1])
		}
	}
	switch w.Kind {
	case ClassInit:
		return "the initialisation of " + typeName + " by " + owner
	case juc.Ends:
		return "the end of " + owner
	case juc.Runs:
		return "a " + typeName + " that is run by " + owner
	case juc.Queued:
		return "a " + typeName + " in the queue of an executor, for " + owner
	case juc.Reads:
		return "a " + typeName + " held for reading by " + owner
	case juc.Completes:
		return "a " + typeName + " that the stack of " + owner + " leads to"
	}
	return "a " + typeName + " held by " + owner
}

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
	_ = v.an.Walker.References(x, func(_, to core.Addr) bool {
		list = append(list, to)
		return len(list) < maxFields
	})
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

func (v view) Stack(thread core.Addr) (list []core.Addr) {
	if t := v.an.ThreadOfPeer(thread); t != nil {
		_ = v.an.Decoder.Roots(t, func(r frame.Root) { list = append(list, r.To) })
	}
	return list
}

func (v view) Blocker(thread core.Addr) core.Addr {
	at, _ := v.Ref(thread, "parkBlocker")
	return at
}
