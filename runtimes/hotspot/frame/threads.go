package frame

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
)

// A Thread is a JavaThread.
type Thread struct {
	Addr   core.Addr
	TID    int          // the kernel's id
	Native *core.Thread // nil if the core has no such thread
	State  string       // what it does, as HotSpot has it: "in Java", "in native", "blocked" …
	anchor core.Addr

	// Virtual is set if it is a virtual thread. Carrier is the thread that has it mounted, nil if no thread
	// has; Native is then a thread that stands for it (core.Task), or nil if its stack is not known. Carries
	// is the virtual thread that a thread has mounted.
	Virtual          bool
	Carrier, Carries *Thread

	// What follows is of its java.lang.Thread, Peer.
	Peer     core.Addr
	Name     string
	Number   int64 // Thread.threadId
	Daemon   bool
	Priority int    // of Java; 0 if it is not known
	Status   string // Thread.State as thread dumps have it: "WAITING (parking)"
	OSState  string // what its OSThread does: "waiting on condition"
	// Pending is the ObjectMonitor that it waits to enter, Waiting that of Object.wait.
	Pending, Waiting core.Addr
	OwnerID          int64     // by which monitors name it since JDK 24
	StackBase        core.Addr // the upper end
	StackSize        uint64
	Problem          string // what could not be read; ""
}

// threadOffsets are where members of threads are.
type threadOffsets struct {
	list                           core.Addr // ThreadsSMRSupport::_java_thread_list, or the first thread
	linked                         bool
	length                         vmstructs.Field
	threads, next                  int64
	osthread, id                   int64
	anchor, lastSP, lastFP, lastPC int64
	wrapperAnchor                  int64
	state                          vmstructs.Field
}

func newThreadOffsets(t *vmstructs.Tables) (o threadOffsets) {
	if t.Has("ThreadsSMRSupport._java_thread_list") {
		o.list = t.Static("ThreadsSMRSupport._java_thread_list")
		o.length, o.threads = t.Member("ThreadsList._length"), t.Offset("ThreadsList._threads")
	} else {
		o.list, o.linked = t.Static("Threads._thread_list"), true
		o.next = t.Offset("JavaThread._next")
	}
	o.osthread, o.id = t.Offset("JavaThread._osthread", "Thread._osthread"), t.Offset("OSThread._thread_id")
	o.anchor, o.wrapperAnchor = t.Offset("JavaThread._anchor"), t.Offset("JavaCallWrapper._anchor")
	o.lastSP, o.lastPC = t.Offset("JavaFrameAnchor._last_Java_sp"), t.Offset("JavaFrameAnchor._last_Java_pc")
	o.lastFP = t.Offset("JavaFrameAnchor._last_Java_fp")
	o.state = t.Member("JavaThread._thread_state")
	return o
}

// maxThreads bounds the threads of a process.
const maxThreads = 1 << 20

var errNoEnd = errors.New("the list of threads does not end")

// Threads returns the threads of the virtual machine that run Java, in the order of its list. An error comes
// with those that could be read.
func (d *Decoder) Threads() ([]*Thread, error) {
	d.once.Do(func() {
		d.threads, d.threadsErr = d.readThreads()
		d.byNative = map[*core.Thread]*Thread{}
		for _, t := range d.threads {
			if t.Native != nil {
				d.byNative[t.Native] = t
			}
		}
	})
	return d.threads, d.threadsErr
}

// Thread returns the JavaThread of a thread, nil if it is none.
func (d *Decoder) Thread(t *core.Thread) *Thread {
	d.Threads()
	return d.byNative[t]
}

// DescribeThread returns a thread's name and what it does, in the words of the virtual machine. It implements
// runtimes.ThreadDescriber.
func (d *Decoder) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	if x := d.Thread(t); x != nil {
		state = x.Status
		if state == "" || state == "RUNNABLE" {
			state = x.State
		}
		return x.Name, state, true
	}
	if x, ok := d.internal(t); ok {
		return x.Name, x.OSState, x.Name != ""
	}
	return "", "", false
}

// JavaState returns what a thread does, as HotSpot has it. It implements runtimes.JavaRunner.
func (d *Decoder) JavaState(t *core.Thread) (state string, ok bool) {
	x := d.Thread(t)
	if x == nil {
		return "", false
	}
	return x.State, true
}

func (d *Decoder) readThreads() (all []*Thread, err error) {
	c, o := d.Process.Cursor(), &d.o
	first := c.Pointer(o.list)
	if o.linked {
		for at := first; at != 0 && c.Err() == nil; at = c.Pointer(at.Add(o.next)) {
			if len(all) == maxThreads {
				return all, errNoEnd
			}
			all = append(all, d.readThread(at))
		}
		return all, c.Err()
	}
	n, list := o.length.Int(c, first), c.Pointer(first.Add(o.threads))
	if c.Err() == nil && (n < 0 || n > maxThreads) {
		return nil, fmt.Errorf("hotspot: a list of %d threads", n)
	}
	for i := range n {
		at := c.Pointer(list.Add(8 * i))
		if c.Err() != nil {
			break
		}
		all = append(all, d.readThread(at))
	}
	return all, c.Err()
}

// readThread reads a JavaThread. What cannot be read of it stays zero.
func (d *Decoder) readThread(at core.Addr) *Thread {
	c, o := d.Process.Cursor(), &d.o
	t := &Thread{Addr: at, anchor: at.Add(o.anchor)}
	t.TID = int(int32(c.U32(c.Pointer(at.Add(o.osthread)).Add(o.id))))
	if c.Reset() == nil {
		t.Native = d.Process.Thread(t.TID)
	}
	if s := o.state.Int(c, at); c.Err() == nil {
		t.State = stateWord(s)
	}
	d.readPeer(t)
	return t
}

// stateWord names a state (JavaThreadState, share/utilities/globalDefinitions.hpp); odd ones are on the way to another.
func stateWord(s int64) string {
	words := map[int64]string{2: "new", 4: "in native", 6: "in vm", 8: "in Java", 10: "blocked"}
	if w, ok := words[s]; ok {
		return w
	}
	if w, ok := words[s-1]; ok {
		return w + ", leaving"
	}
	return ""
}
