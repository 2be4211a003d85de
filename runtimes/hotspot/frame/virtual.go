package frame

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// VirtualKind is the Kind of a core.Task that is a virtual thread.
const VirtualKind = "virtual thread"

// VirtualClass is the class of virtual threads.
const VirtualClass = "java.lang.VirtualThread"

// stateWords are the results of Thread.getState, by the names of VirtualThread's states.
var stateWords = map[string]string{
	"STARTED": "RUNNABLE", "RUNNABLE": "RUNNABLE", "RUNNING": "RUNNABLE", "PARKING": "RUNNABLE",
	"TIMED_PARKING": "RUNNABLE",
	"UNPARKED":      "RUNNABLE", "YIELDING": "RUNNABLE", "YIELDED": "RUNNABLE", "BLOCKING": "RUNNABLE",
	"UNBLOCKED": "RUNNABLE",
	"WAITING":   "RUNNABLE", "TIMED_WAITING": "RUNNABLE", "PARKED": "WAITING (parking)", "PINNED": "WAITING (parking)",
	"TIMED_PARKED": "TIMED_WAITING (parking)", "TIMED_PINNED": "TIMED_WAITING (parking)",
	"BLOCKED": "BLOCKED (on object monitor)",
	"WAIT":    "WAITING (on object monitor)", "TIMED_WAIT": "TIMED_WAITING (on object monitor)",
}

// Virtual returns the virtual thread that an object is; nil if it is none, has not begun or has ended. The
// constants of its class say what its state means.
func (d *Decoder) Virtual(o object.Object) *Thread {
	if o.Class.Name != VirtualClass {
		return nil
	}
	n, ok := d.IntField(o, "state")
	state := d.virtualState(o.Class, n)
	if !ok || state == "NEW" || state == "TERMINATED" {
		return nil
	}
	t := &Thread{Addr: o.Addr, Peer: o.Addr, Virtual: true, Daemon: true, Priority: 5, Status: stateWords[state]}
	t.State = strings.ToLower(strings.ReplaceAll(state, "_", " "))
	t.Name, _ = d.StringField(o, "name")
	t.Number, _ = d.IntField(o, "tid")
	t.OwnerID = t.Number
	if carrier, _ := d.RefField(o, "carrierThread"); carrier != 0 {
		threads, _ := d.Threads()
		for _, c := range threads {
			if c.Peer == carrier {
				t.mounted(c)
				return t
			}
		}
	}
	t.Native = d.task(t)
	return t
}

// mounted notes that a thread has the virtual thread on its stack. A virtual thread that cannot leave it
// waits as the thread does.
func (t *Thread) mounted(c *Thread) {
	t.Carrier, c.Carries = c, t
	t.TID, t.Native, t.Pending, t.Waiting, t.OSState = c.TID, c.Native, c.Pending, c.Waiting, c.OSState
	t.StackBase, t.StackSize = c.StackBase, c.StackSize
	switch {
	case t.Pending != 0:
		t.Status = "BLOCKED (on object monitor)"
	case t.Waiting != 0:
		t.Status = "WAITING (on object monitor)"
		if strings.HasPrefix(c.Status, "TIMED_") {
			t.Status = "TIMED_" + t.Status
		}
	}
}

// suspended is the bit that a debugger adds to a state (VirtualThread.SUSPENDED).
const suspended = "SUSPENDED"

// virtualState returns the name of the constant that a state is.
func (d *Decoder) virtualState(k *object.Class, n int64) string {
	all, _ := d.Fields(k)
	value := func(f *object.Field) int64 {
		v, ok := d.PrimitiveAt(k.Mirror+core.Addr(f.Offset), java.Int)
		if !ok || k.Mirror == 0 {
			return -1
		}
		return int64(v)
	}
	for i := range all {
		if f := &all[i]; f.Static() && f.Name == suspended && value(f) > 0 {
			n &^= value(f)
		}
	}
	for i := range all {
		f := &all[i]
		if _, known := stateWords[f.Name]; f.Static() && f.Type == "I" &&
			(known || f.Name == "NEW" || f.Name == "TERMINATED") && value(f) == n {
			return f.Name
		}
	}
	return ""
}

// task returns a thread that stands for a virtual thread that no thread has mounted; nil if it has no stack.
func (d *Decoder) task(t *Thread) *core.Thread {
	chunks := d.Chunks(t.Peer)
	if len(chunks) == 0 {
		return nil
	}
	f, ok := d.top(&chunks[0])
	if !ok {
		t.Problem = "its stack cannot be read"
		return nil
	}
	return &core.Thread{Name: t.Name, State: t.Status, Regs: f.Regs,
		Task: &core.Task{Kind: VirtualKind, ID: uint64(t.Number), Addr: t.Peer, Low: chunks[0].Stack,
			High: chunks[0].Bottom}}
}
