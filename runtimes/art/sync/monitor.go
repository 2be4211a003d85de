package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// An Analyzer finds out which thread holds a lock and which waits for it.
type Analyzer struct {
	*heap.Walker
	waits func() ([]Wait, error)
}

// NewAnalyzer returns the analyzer of a process' locks.
func NewAnalyzer(w *heap.Walker) *Analyzer {
	an := &Analyzer{Walker: w}
	an.waits = sync.OnceValues(an.readWaits)
	return an
}

// A Monitor is an object's lock, or an object that threads wait for.
type Monitor struct {
	Object object.Object
	// State is ThinLocked or FatLocked; Unlocked if threads wait for an
	// object whose lock word says so.
	State object.LockState
	// Addr is the art::Monitor of a fat lock; 0 if there is none.
	Addr core.Addr
	// Owner is the thread that holds the lock, nil if it is free or the thread is not known; OwnerID is the
	// runtime's id of that thread.
	Owner   *frame.Thread
	OwnerID int
	// Count is how often the owner has locked it.
	Count int
	// Entering wait to lock it, Waiting for a notification.
	Entering, Waiting []*frame.Thread
	Hash              uint32 // Object.hashCode; 0 if it was never called
	// Method and Line are where it was locked, if the runtime keeps that,
	// which it does while it measures locks.
	Method string
	Line   int
	// Problem says which parts could not be read. It is "" if all could.
	Problem string
}

// Bounds of MonitorPool (runtime/monitor_pool.h), whose ids are {list, chunk,
// offset / 8}.
const (
	monitorChunk     = 4096
	monitorListSize  = 256 << 7
	monitorMaxLists  = 8
	monitorID32Shift = 4 // on 32 bit the id is the address without its low bits
	maxWaiters       = 1 << 16
)

var errNoMonitor = errors.New("art: the id leads to no Monitor")

// monitorAt returns the address of the art::Monitor of a fat lock's id.
func (an *Analyzer) monitorAt(id uint32) (core.Addr, error) {
	if an.PtrSize == 4 {
		return core.Addr(id << monitorID32Shift), nil
	}
	pool, ok := an.Pointer(an.Runtime.Add(int64(an.Layout.Runtime.MonitorPool)))
	offset := uint64(id) << 3
	index := offset / monitorChunk
	if !ok || index/monitorListSize >= monitorMaxLists {
		return 0, errNoMonitor
	}
	list, ok1 := an.Pointer(pool.Add(int64(an.Layout.Mirror.MonitorPool.Chunks)) + core.Addr(8*(index/monitorListSize)))
	chunk, ok2 := an.Pointer(list + core.Addr(8*(index%monitorListSize)))
	if !ok1 || !ok2 || list == 0 || chunk == 0 {
		return 0, errNoMonitor
	}
	return chunk + core.Addr(offset%monitorChunk), nil
}

// Monitor returns the lock of the object at an address, by its lock word. Threads that enter or wait are added
// by Monitors.
func (an *Analyzer) Monitor(at core.Addr) (*Monitor, error) {
	o, err := an.Object(at)
	if err != nil {
		return nil, err
	}
	return an.monitorOf(o), nil
}

func (an *Analyzer) monitorOf(o object.Object) *Monitor {
	m := &Monitor{Object: o, State: o.Lock.State()}
	switch m.State {
	case object.ThinLocked:
		m.OwnerID, m.Count = o.Lock.Owner(), o.Lock.Count()
		if m.Owner = an.ThreadByID(m.OwnerID); m.Owner == nil {
			m.Problem = fmt.Sprintf("no thread has the owner's id %d", m.OwnerID)
		}
	case object.HashCode:
		m.Hash = o.Lock.Hash()
	case object.FatLocked:
		at, err := an.monitorAt(o.Lock.MonitorID())
		if err == nil {
			err = an.readMonitor(m, at)
		}
		if err != nil {
			m.Problem = fmt.Sprintf("fat lock %#x: %v", o.Lock.MonitorID(), err)
		}
	}
	return m
}

// readMonitor reads an art::Monitor, which must belong to m's object.
func (an *Analyzer) readMonitor(m *Monitor, at core.Addr) error {
	l, r := &an.Layout.Mirror.Monitor, an.Cursor()
	owner := r.Pointer(at.Add(int64(l.Owner)))
	object := core.Addr(r.U32(at.Add(int64(l.Object))))
	count := r.U32(at.Add(int64(l.LockCount)))
	if err := r.Err(); err != nil {
		return err
	}
	if object != m.Object.Addr {
		return fmt.Errorf("art: the Monitor at %v is that of %v", at, object)
	}
	m.Addr = at
	if l.HashCode != layout.Unknown {
		m.Hash = r.U32(at.Add(int64(l.HashCode)))
	}
	if owner != 0 {
		m.Count = int(count&0xffff) + 1
		if m.Owner = an.ThreadAt(owner); m.Owner == nil {
			m.Problem = fmt.Sprintf("the owner's Thread at %v is not in the list of threads", owner)
		} else {
			m.OwnerID = m.Owner.ID
		}
		an.lockedAt(m, at)
	}
	m.Waiting = an.waitSet(at)
	return nil
}

// lockedAt reads where a Monitor was locked, which the runtime keeps for locks
// that it profiles.
func (an *Analyzer) lockedAt(m *Monitor, at core.Addr) {
	l := &an.Layout.Mirror.Monitor
	if l.LockingMethod == layout.Unknown {
		return
	}
	method, ok1 := an.Pointer(at.Add(int64(l.LockingMethod)))
	pc, ok2 := an.U32(at.Add(int64(l.LockingDexPC)))
	if !ok1 || !ok2 || method == 0 || method%4 != 0 {
		return
	}
	if x := an.Method(method); x.Problem == "" {
		m.Method, m.Line = x.String(), x.Line(pc)
	}
}

// waitSet follows the list of threads that wait for a notification.
func (an *Analyzer) waitSet(monitor core.Addr) []*frame.Thread {
	at, ok := an.Pointer(monitor.Add(int64(an.Layout.Mirror.Monitor.WaitSet)))
	var out []*frame.Thread
	for n := 0; ok && at != 0 && n < maxWaiters; n++ {
		t := an.ThreadAt(at)
		if t == nil || slices.Contains(out, t) {
			break
		}
		out = append(out, t)
		at, ok = an.Pointer(at.Add(int64(an.Layout.Mirror.Thread.WaitNext)))
	}
	return out
}

// A Wait is what a thread waits for.
type Wait struct {
	Thread *frame.Thread
	// Kind is "lock" for a monitor to enter, "wait" for Object.wait, "sleep"
	// for Thread.sleep, "park" for LockSupport.park with a blocker.
	Kind   string
	Object object.Object
	// Owner is the thread that holds the awaited lock; nil if it is free or its owner is not known.
	Owner *frame.Thread
	// Owners are all the threads that can end the wait, and Any says that a single one is enough. WaitFor sets
	// both, and the Kinds of package juc.
	Owners []*frame.Thread
	Any    bool
}

// WaitOf returns what a thread waits for, as Monitor::FetchState has it
// (runtime/monitor.cc), and the blocker of a thread that is parked.
func (an *Analyzer) WaitOf(t *frame.Thread) (Wait, bool) {
	w := Wait{Thread: t}
	switch t.State {
	case "Blocked", "WaitingForLockInflation":
		o, err := an.Object(t.MonitorEnter)
		if err != nil {
			return w, false
		}
		w.Kind, w.Object, w.Owner = "lock", o, an.monitorOf(o).Owner
		return w, true
	case "Waiting", "TimedWaiting", "Sleeping":
		if l := an.Layout.Thread.WaitMonitor; l != layout.Unknown {
			if m, ok := an.Pointer(t.Addr.Add(int64(l))); ok && m != 0 {
				at, _ := an.Ref(m.Add(int64(an.Layout.Mirror.Monitor.Object)))
				if o, err := an.Object(at); err == nil {
					w.Kind, w.Object = "wait", o
					if t.State == "Sleeping" {
						w.Kind = "sleep"
					}
					return w, true
				}
			}
		}
	}
	return an.parked(t)
}

// parked returns what a thread is parked for: Thread.parkBlocker, which in
// java.util.concurrent knows its owner.
func (an *Analyzer) parked(t *frame.Thread) (Wait, bool) {
	peer, err := an.Object(t.Peer)
	if err != nil {
		return Wait{}, false
	}
	at, ok := an.RefField(peer, "parkBlocker")
	if !ok || at == 0 {
		return Wait{}, false
	}
	o, err := an.Object(at)
	if err != nil {
		return Wait{}, false
	}
	w := Wait{Thread: t, Kind: "park", Object: o}
	if owner, ok := an.RefField(o, "exclusiveOwnerThread"); ok {
		w.Owner = an.ThreadOfPeer(owner)
	}
	return w, true
}

// Monitors returns all locks that a thread holds or waits for, sorted by their
// objects. The error is that the heap could not be walked as a whole; what was
// found comes with it.
func (an *Analyzer) Monitors(ctx context.Context) ([]*Monitor, error) {
	found := map[core.Addr]*Monitor{}
	add := func(o object.Object) *Monitor {
		m := found[o.Addr]
		if m == nil {
			m = an.monitorOf(o)
			found[o.Addr] = m
		}
		return m
	}
	threads, _ := an.Threads()
	for _, t := range threads {
		w, ok := an.WaitOf(t)
		if !ok || w.Kind == "park" {
			continue
		}
		m := add(w.Object)
		switch {
		case w.Kind == "lock":
			m.Entering = append(m.Entering, t)
		case !slices.Contains(m.Waiting, t):
			m.Waiting = append(m.Waiting, t)
		}
	}
	h, err := an.Heap()
	if err == nil {
		_, err = h.Walk(ctx, func(o object.Object, _ uint64) bool {
			if s := o.Lock.State(); s == object.ThinLocked || s == object.FatLocked {
				if m := an.monitorOf(o); m.OwnerID != 0 || m.Owner != nil || m.Problem != "" || len(m.Waiting) > 0 {
					add(o)
				}
			}
			return true
		})
	}
	out := make([]*Monitor, 0, len(found))
	for _, m := range found {
		out = append(out, m)
	}
	slices.SortFunc(out, func(x, y *Monitor) int { return cmp.Compare(x.Object.Addr, y.Object.Addr) })
	return out, err
}

// Monitored returns the object whose Monitor is at an address: its lock word leads back to it.
func (an *Analyzer) Monitored(at core.Addr) (object.Object, bool) {
	of, ok := an.Ref(at.Add(int64(an.Layout.Mirror.Monitor.Object)))
	if !ok || at%8 != 0 {
		return object.Object{}, false
	}
	o, err := an.Object(of)
	if err != nil || o.Lock.State() != object.FatLocked {
		return object.Object{}, false
	}
	m, err := an.monitorAt(o.Lock.MonitorID())
	return o, err == nil && m == at
}
