package frame

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/vmstructs"
)

// namesOffsets are where threads have what they are called by.
type namesOffsets struct {
	peer       vmstructs.Field // JavaThread::_threadObj
	osState    vmstructs.Field
	pthread    int64 // OSThread::_pthread_id
	name       int64 // NamedThread::_name
	pending    int64 // JavaThread::_current_pending_monitor
	waiting    int64 // JavaThread::_current_waiting_monitor
	base, size int64 // of the stack
	lockTop    int64 // LockStack::_top, from the thread on; -1 if the release has no lock stacks
	lockBase   int64
	ownerID    int64 // JavaThread::_monitor_owner_id
}

func newNamesOffsets(t *vmstructs.Tables) (o namesOffsets) {
	optional := func(names ...string) int64 {
		if off, ok := t.Optional(names...); ok {
			return off
		}
		return -1
	}
	o.peer, _ = t.Lookup("JavaThread._threadObj")
	o.osState, _ = t.Lookup("OSThread._state")
	o.pthread, o.name = optional("OSThread._pthread_id"), optional("NamedThread._name")
	o.pending, o.waiting = optional("JavaThread._current_pending_monitor", "Thread._current_pending_monitor"),
		optional("JavaThread._current_waiting_monitor", "Thread._current_waiting_monitor")
	o.base, o.size = optional("JavaThread._stack_base", "Thread._stack_base"),
		optional("JavaThread._stack_size", "Thread._stack_size")
	o.lockTop, o.lockBase = -1, -1
	if stack, ok := t.Optional("JavaThread._lock_stack"); ok {
		o.lockTop, o.lockBase = stack+optional("LockStack._top"), stack+optional("LockStack._base[0]")
	}
	o.ownerID = optional("JavaThread._monitor_owner_id")
	return o
}

// readPeer reads the java.lang.Thread of a thread, and what the virtual machine keeps of its waits.
func (d *Decoder) readPeer(t *Thread) {
	o := &d.names
	t.Peer, _ = d.Handle(t.Addr.Add(o.peer.Offset), o.peer.Type)
	c := d.Process.Cursor()
	read := func(off int64) core.Addr {
		if off < 0 {
			return 0
		}
		v := c.Pointer(t.Addr.Add(off))
		if c.Reset() != nil {
			return 0
		}
		return v
	}
	t.Pending, t.Waiting = read(o.pending), read(o.waiting)
	t.StackBase, t.StackSize = read(o.base), uint64(read(o.size))
	if o.ownerID >= 0 {
		t.OwnerID = int64(read(o.ownerID))
	}
	if os := c.Pointer(t.Addr.Add(d.o.osthread)); o.osState.Type != "" {
		if s := o.osState.Int(c, os); c.Reset() == nil {
			t.OSState = osStateWord(s)
		}
	}
	x, err := d.Object(t.Peer)
	if err != nil {
		if t.Peer != 0 {
			t.Problem = "its java.lang.Thread cannot be read: " + err.Error()
		}
		return
	}
	t.Name, _ = d.StringField(x, "name")
	t.Number, _ = d.IntField(x, "tid")
	holder := x // since JDK 19 some fields are in Thread.holder
	if at, ok := d.RefField(x, "holder"); ok && at != 0 {
		if y, err := d.Object(at); err == nil {
			holder = y
		}
	}
	t.readHolder(d.Reader, holder)
}

// readHolder reads the fields that JDK 19 has moved to Thread.holder.
func (t *Thread) readHolder(r *object.Reader, o object.Object) {
	daemon, _ := r.IntField(o, "daemon")
	t.Daemon = daemon != 0
	if n, ok := r.IntField(o, "priority"); ok && n > 0 && n < 100 {
		t.Priority = int(n)
	}
	if n, ok := r.IntField(o, "threadStatus"); ok {
		t.Status = statusWord(n)
	}
}

// LockStack returns the objects that a thread has locked without a monitor, in the order of locking
// (share/runtime/lockStack.hpp); nil before JDK 21.
func (d *Decoder) LockStack(t *Thread) (out []core.Addr) {
	o := &d.names
	if o.lockTop < 0 || o.lockBase < 0 {
		return nil
	}
	c := d.Process.Cursor()
	top := int64(c.U32(t.Addr.Add(o.lockTop)))
	const slots = 8 // LockStack::CAPACITY
	for at := o.lockBase; at < top && at < o.lockBase+8*slots; at += 8 {
		v := c.Pointer(t.Addr.Add(at))
		if c.Err() != nil {
			return out
		}
		out = append(out, v)
	}
	return out
}

// statusWord names a java.lang.Thread.threadStatus as thread dumps do (share/classfile/javaClasses.cpp,
// thread_status_name).
func statusWord(n int64) string {
	words := map[int64]string{0: "NEW", 0x5: "RUNNABLE", 0xe1: "TIMED_WAITING (sleeping)",
		0x191: "WAITING (on object monitor)",
		0x1a1: "TIMED_WAITING (on object monitor)", 0x291: "WAITING (parking)", 0x2a1: "TIMED_WAITING (parking)",
		0x401: "BLOCKED (on object monitor)", 0x2: "TERMINATED"}
	return words[n]
}

// osStateWord names an OSThread::_state as thread dumps do (share/runtime/osThread.cpp).
func osStateWord(n int64) string {
	words := []string{"allocated", "initialized", "runnable", "waiting for monitor entry", "waiting on condition",
		"in Object.wait()", "at breakpoint", "sleeping", "zombie"}
	if n < 0 || n >= int64(len(words)) {
		return ""
	}
	return words[n]
}

// Words of pthread's record of a thread that are searched for what the thread was started with (nptl/descr.h,
// struct pthread).
const maxPthread = 0x1000

// An Internal is a thread of the virtual machine that runs no Java: of the collector, a compiler, the one for
// VM operations.
type Internal struct {
	Addr    core.Addr
	Name    string
	OSState string
	Native  *core.Thread
}

// Internals returns the threads of the virtual machine that runs no Java. No table leads to them: the C
// library keeps what each thread was started with, which is the Thread, and its OSThread has the kernel's id.
func (d *Decoder) Internals() (out []Internal) {
	for _, t := range d.Process.Threads {
		if d.Thread(t) != nil {
			continue
		}
		if x, ok := d.internal(t); ok {
			out = append(out, x)
		}
	}
	return out
}

// internal finds the Thread of a thread: the argument that follows the function that it was started with.
func (d *Decoder) internal(t *core.Thread) (x Internal, ok bool) {
	at := t.TLS
	if at == 0 || at%8 != 0 {
		return x, false
	}
	if d.Process.Arch == core.ARM64 {
		at -= maxPthread // there it ends where the thread pointer leads
	}
	c := d.Process.Cursor()
	for i := core.Addr(0); i < maxPthread; i += 8 {
		arg := c.Pointer(at + i)
		if c.Reset() != nil || arg == 0 || arg%8 != 0 {
			continue
		}
		os := c.Pointer(arg.Add(d.o.osthread))
		id := int(int32(c.U32(os.Add(d.o.id))))
		if c.Reset() != nil || id != t.TID {
			continue
		}
		x = Internal{Addr: arg, Native: t}
		if s := d.names.osState; s.Type != "" {
			if n := s.Int(c, os); c.Reset() == nil {
				x.OSState = osStateWord(n)
			}
		}
		if d.names.name >= 0 {
			if s := c.Text(c.Pointer(arg.Add(d.names.name)), 128); c.Reset() == nil && strings.TrimSpace(s) != "" {
				x.Name = s
			}
		}
		return x, true
	}
	return x, false
}
