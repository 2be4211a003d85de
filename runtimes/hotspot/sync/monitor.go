package sync

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/vmstructs"
)

// offsets are where members of monitors are.
type offsets struct {
	object, owner           vmstructs.Field
	next, recursions        int64
	initThread              int64     // InstanceKlass::_init_thread
	head                    core.Addr // of the list of monitors; 0 if the release has none
	basicObject, basicSize  int64
	anonymous               int64
	hasAnonymous, ownerIsID bool
	handles                 bool // _object is a handle
}

func newOffsets(t *vmstructs.Tables) (o offsets) {
	optional := func(names ...string) int64 {
		if off, ok := t.Optional(names...); ok {
			return off
		}
		return -1
	}
	o.object, _ = t.Lookup("ObjectMonitor._object")
	o.owner, _ = t.Lookup("ObjectMonitor._owner")
	o.handles = t.Java() == 0 || t.Java() >= 16 // share/runtime/objectMonitor.hpp: WeakHandle _object
	o.ownerIsID = o.owner.Type == "int64_t"
	o.next, o.recursions = optional("ObjectMonitor._next_om"), optional("ObjectMonitor._recursions")
	o.initThread = optional("InstanceKlass._init_thread")
	if list, ok := t.StaticAt("ObjectSynchronizer._in_use_list"); ok {
		o.head = list.Add(max(optional("MonitorList._head"), 0))
	}
	o.basicObject, o.basicSize = optional("BasicObjectLock._obj"), t.Sized("BasicObjectLock")
	o.anonymous, o.hasAnonymous = t.Constant("ObjectMonitor::ANONYMOUS_OWNER")
	if !o.hasAnonymous {
		o.anonymous = 1 // share/runtime/objectMonitor.hpp of JDK 21
	}
	return o
}

// A Monitor is the lock of an object.
type Monitor struct {
	Object core.Addr
	// State is "unlocked", "locked" without a monitor, "biased", "inflated".
	State string
	Addr  core.Addr // the ObjectMonitor; 0 if there is none
	Owner *frame.Thread
	// Count is how often the owner has locked it, if it has a monitor or is biased; 0 if that is not known.
	Count int
	// Entering are the threads that wait to lock it, Waiting those that wait for a notification.
	Entering, Waiting []*frame.Thread
	Problem           string
}

// Parts of a mark word (share/oops/markWord.hpp).
const (
	lockMask   = 3
	locked     = 0
	unlocked   = 1
	inflated   = 2
	biasedMask = 7
	biased     = 5
	biasedBits = 0x3ff // below the JavaThread in JDK 8 to 17
)

// objectOf returns the object of an ObjectMonitor: through a handle since JDK 16.
func (an *Analyzer) objectOf(monitor core.Addr) core.Addr {
	c := an.Process.Cursor()
	at := c.Pointer(monitor.Add(an.o.object.Offset))
	if an.o.handles && at != 0 {
		at, _ = an.Slot(at) // coloured by ZGC
	}
	if c.Err() != nil {
		return 0
	}
	return at
}

// ownerOf returns the thread that owns an ObjectMonitor; nil if it has no owner. The problem says why it is not known.
func (an *Analyzer) ownerOf(monitor, object core.Addr) (owner *frame.Thread, problem string) {
	c := an.Process.Cursor()
	v := c.U64(monitor.Add(an.o.owner.Offset))
	switch {
	case c.Err() != nil:
		return nil, c.Err().Error()
	case v == 0:
		return nil, ""
	case int64(v) == an.o.anonymous:
		if t := an.lockStackOwner(object); t != nil {
			return t, ""
		}
		return nil, "its owner has locked it without the monitor, and is not known"
	}
	threads, _ := an.all()
	for _, t := range threads {
		at := core.Addr(v)
		if an.o.ownerIsID {
			if t.OwnerID == int64(v) || t.Number == int64(v) {
				return t, ""
			}
			continue
		}
		if t.Addr == at || t.Carrier != nil && t.Carrier.Addr == at ||
			t.StackBase != 0 && at < t.StackBase && uint64(t.StackBase-at) <= t.StackSize {
			return t, ""
		}
	}
	return nil, "its owner is no thread that is known"
}

// lockStackOwner returns the thread whose LockStack has an object.
func (an *Analyzer) lockStackOwner(object core.Addr) *frame.Thread {
	threads, _ := an.Threads()
	for _, t := range threads {
		if slices.Contains(an.LockStack(t), object) {
			if t.Carries != nil {
				return t.Carries
			}
			return t
		}
	}
	return an.frozenOwner(object)
}

// Monitor returns the lock of an object.
func (an *Analyzer) Monitor(object core.Addr) (*Monitor, error) {
	x, err := an.Object(object)
	if err != nil {
		return nil, err
	}
	m := &Monitor{Object: object, State: "unlocked"}
	threads, _ := an.all()
	switch {
	case x.Mark&lockMask == inflated:
		m.State, m.Addr = "inflated", core.Addr(x.Mark&^lockMask)
		if an.objectOf(m.Addr) != object {
			m.Addr = an.byObject()[object]
		}
	case x.Mark&lockMask == locked:
		m.State = "locked"
		if m.Owner = an.lockStackOwner(object); m.Owner == nil {
			for _, t := range threads {
				if at := core.Addr(x.Mark); t.StackBase != 0 && at < t.StackBase &&
					uint64(t.StackBase-at) <= t.StackSize {
					m.Owner = t
				}
			}
		}
		if m.Owner == nil {
			m.Problem = "its owner is not known"
		}
	case x.Mark&biasedMask == biased && an.Java() < 18 && x.Mark&^biasedBits != 0:
		m.State = "biased"
		an.biasedOwner(m, core.Addr(x.Mark&^biasedBits))
	}
	if m.Addr == 0 {
		return m, nil
	}
	m.Owner, m.Problem = an.ownerOf(m.Addr, object)
	c := an.Process.Cursor()
	if an.o.recursions >= 0 && m.Owner != nil {
		if n := c.U64(m.Addr.Add(an.o.recursions)); c.Err() == nil && n < 1<<30 {
			m.Count = int(n) + 1
		}
	}
	for _, t := range threads {
		if t.Pending == m.Addr {
			m.Entering = append(m.Entering, t)
		}
		if t.Waiting == m.Addr {
			m.Waiting = append(m.Waiting, t)
		}
	}
	return m, nil
}

// biasedOwner looks for a lock in the frames of the thread that it is biased towards. The mark word is the
// same whether the thread has locked it or not.
func (an *Analyzer) biasedOwner(m *Monitor, thread core.Addr) {
	threads, _ := an.Threads()
	i := slices.IndexFunc(threads, func(t *frame.Thread) bool { return t.Addr == thread })
	if i < 0 {
		m.Problem = "it is biased towards a thread that is not known"
		return
	}
	t, unknown := threads[i], false
	frames := an.Frames(t)
	for n := range frames {
		q, _ := frames[n].Record.(*frame.Activation)
		for scope := 0; q != nil && scope < len(q.Scopes); scope++ {
			for _, h := range an.Locks(q, scope, &frames[n]) {
				if h.Object == m.Object && !h.Eliminated {
					m.Owner = t
					m.Count++
				}
				unknown = unknown || h.Object == 0 && !h.Eliminated
			}
		}
	}
	switch {
	case m.Owner != nil:
	case unknown:
		m.Problem = fmt.Sprintf("it is biased towards %q, one of whose frames has locked an object that is not known",
			t.Name)
	default:
		m.Problem = fmt.Sprintf("it is biased towards %q, whose frames have not locked it", t.Name)
	}
}

// maxMonitors bounds the list of monitors.
const maxMonitors = 1 << 20

// byObject returns the monitors that threads wait for and those of the list, by their objects.
func (an *Analyzer) byObject() map[core.Addr]core.Addr {
	an.once.Do(func() {
		an.monitors = map[core.Addr]core.Addr{}
		threads, _ := an.all()
		for _, t := range threads {
			for _, m := range []core.Addr{t.Pending, t.Waiting} {
				if m != 0 {
					an.monitors[an.objectOf(m)] = m
				}
			}
		}
		if an.o.head == 0 || an.o.next < 0 {
			return
		}
		c := an.Process.Cursor()
		seen := map[core.Addr]bool{}
		for at := c.Pointer(an.o.head); at != 0 && c.Err() == nil && len(seen) < maxMonitors &&
			!seen[at]; at = c.Pointer(at.Add(an.o.next)) {
			seen[at] = true
			if o := an.objectOf(at); o != 0 {
				an.monitors[o] = at
			}
		}
	})
	return an.monitors
}

// Inflated returns the objects of all monitors that are known.
func (an *Analyzer) Inflated() (out []core.Addr) {
	for o := range an.byObject() {
		if o != 0 {
			out = append(out, o)
		}
	}
	return out
}
