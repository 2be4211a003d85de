package sync

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/heap"
	"coredbg/runtimes/juc"
)

// An Analyzer finds out which thread holds a lock and which waits for it. It is safe for concurrent use.
type Analyzer struct {
	*heap.Walker
	o     offsets
	stack map[*frame.Thread][]core.Addr
	mu    sync.Mutex

	once     sync.Once
	monitors map[core.Addr]core.Addr

	waits func() ([]Wait, error)

	frozenOnce sync.Once
	frozen     map[core.Addr]*frame.Thread
}

// NewAnalyzer returns the analyzer of a process's locks.
func NewAnalyzer(w *heap.Walker) *Analyzer {
	an := &Analyzer{Walker: w, o: newOffsets(w.Tables), stack: map[*frame.Thread][]core.Addr{}}
	an.waits = sync.OnceValues(an.readWaits)
	return an
}

// all returns the threads that can hold locks and wait for them: virtual threads, and other threads that have
// no virtual thread mounted. With an error it returns the threads that are known.
func (an *Analyzer) all() ([]*frame.Thread, error) {
	virtual, bad := an.Virtual()
	threads, err := an.Threads()
	if bad != nil {
		err = cmp.Or(err, fmt.Errorf("virtual threads are not known: %w", bad))
	}
	list := slices.DeleteFunc(slices.Clone(threads), func(t *frame.Thread) bool { return t.Carries != nil })
	return append(list, virtual...), err
}

// More Kinds of a Wait than package juc has.
const (
	Enter  = "lock" // a monitor to enter
	Notify = "wait" // Object.wait
)

// A Wait is what a thread waits for.
type Wait struct {
	Thread *frame.Thread
	Kind   string
	Object core.Addr
	Class  string
	// Owners are the threads that can end the wait. Any is set if one of them is enough.
	Owners []*frame.Thread
	Any    bool
}

// WaitOf returns what a thread waits for; ok is false if it waits for nothing that is known.
func (an *Analyzer) WaitOf(t *frame.Thread) (w Wait, ok bool) {
	w.Thread = t
	switch {
	case t.Pending != 0:
		w.Kind, w.Object = Enter, an.objectOf(t.Pending)
		if owner, _ := an.ownerOf(t.Pending, w.Object); owner != nil {
			w.Owners = []*frame.Thread{owner}
		}
	case t.Waiting != 0:
		w.Kind, w.Object = Notify, an.objectOf(t.Waiting)
		if k, by := an.beingInitialised(w.Object, t); k != nil {
			w.Kind, w.Class, w.Owners = juc.Initialises, k.Name, []*frame.Thread{by}
			return w, true
		}
		if o, ok := juc.Joined(view{an}, w.Object); ok {
			an.own(&w, o)
		}
	case t.Virtual && t.Status == blocked:
		var owner *frame.Thread
		w.Kind = Enter
		if w.Object, owner = an.enters(t); owner != nil {
			w.Owners = []*frame.Thread{owner}
		}
	default:
		w.Kind, w.Object = juc.Holds, an.blocker(t)
		if w.Object == 0 {
			return w, false
		}
		if o, ok := juc.Parked(view{an}, t.Peer, w.Object); ok {
			an.own(&w, o)
		}
	}
	w.Class = an.TypeOf(w.Object)
	return w, w.Object != 0
}

// blocker returns the object that a thread is parked for, 0 if there is none.
func (an *Analyzer) blocker(t *frame.Thread) core.Addr {
	peer, err := an.Object(t.Peer)
	if err != nil {
		return 0
	}
	at, _ := an.RefField(peer, "parkBlocker")
	return at
}

// own puts the owners that are known into a wait.
func (an *Analyzer) own(w *Wait, o juc.Owners) {
	if list := juc.Known(o, an.threadOfPeer); len(list) > 0 {
		w.Kind, w.Owners, w.Any = o.Kind, list, o.Any
		if o.Object != 0 {
			w.Object = o.Object
		}
	}
}

// threadOfPeer returns the thread of a java.lang.Thread; nil if no thread has it.
func (an *Analyzer) threadOfPeer(peer core.Addr) *frame.Thread {
	if t := an.VirtualThread(peer); t != nil {
		return t
	}
	threads, _ := an.Threads()
	if i := slices.IndexFunc(threads, func(t *frame.Thread) bool { return t.Peer == peer }); i >= 0 {
		return threads[i]
	}
	return nil
}

// TypeOf returns the class of an object, of a java.lang.Class with the class that it stands for, as thread
// dumps have it.
func (an *Analyzer) TypeOf(at core.Addr) string {
	o, err := an.Object(at)
	if err != nil {
		return "?"
	}
	if o.Class.IsMirror() {
		if k, primitive, ok := an.Mirrored(o); ok {
			name := primitive
			if k != nil {
				name = k.Name
			}
			return o.Class.Name + " for " + name
		}
	}
	return o.Class.Name
}

// Words says what is waited for, and how the threads are called that can end it.
func (w *Wait) Words(name func(*frame.Thread) string) string {
	var owners []string
	for _, t := range w.Owners {
		owners = append(owners, name(t))
	}
	return juc.Words(w.Kind, w.Class, owners)
}

// Waits returns the waits that known threads can end and that do not end by themselves, in the order of
// threads. The caller must not change them.
func (an *Analyzer) Waits() ([]Wait, error) { return an.waits() }

func (an *Analyzer) readWaits() (out []Wait, err error) {
	threads, err := an.all()
	for _, t := range threads {
		w, ok := an.WaitOf(t)
		if ok && len(w.Owners) > 0 && w.Kind != Notify && !strings.HasPrefix(t.Status, "TIMED_") {
			out = append(out, w)
		}
	}
	return out, err
}

// Deadlocks returns the circles of threads that wait for each other. A wait that ends by itself is in no
// circle. The first owner of each is the next of the circle.
func (an *Analyzer) Deadlocks() ([][]Wait, error) {
	all, err := an.Waits()
	return juc.Deadlocks(all, func(w *Wait) juc.Edge[*frame.Thread] {
		return juc.Edge[*frame.Thread]{Thread: w.Thread, Owners: w.Owners, Any: w.Any}
	}, func(w Wait, next *frame.Thread) Wait {
		w.Owners = juc.First(w.Owners, next)
		return w
	}), err
}
