package art

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// A Thread is a thread that is attached to the runtime: an art::Thread.
type Thread struct {
	Addr core.Addr // of the art::Thread
	// TID is the kernel's id, ID the runtime's own, which monitors name their
	// owners by.
	TID, ID int
	Name    string
	// State is as ART prints it: "Runnable", "Native", "Waiting" …
	State        string
	Flags        uint32 // art::ThreadFlag
	SuspendCount int
	Daemon       bool
	// Peer is the java.lang.Thread; 0 if there is none yet.
	Peer core.Addr
	// StackBegin is the lowest address of the stack, StackEnd the lowest that
	// managed code may use, StackSize its extent in bytes.
	StackBegin, StackEnd core.Addr
	StackSize            uint64
	// MonitorEnter is the object that the thread waits to lock; 0 if none.
	MonitorEnter core.Addr
	// Native is the thread of the core; nil if the core does not have it.
	Native *core.Thread
	// Problem says what of this could not be read; "" if all could.
	Problem string

	runnable bool
}

// Bounds of what is followed.
const (
	maxThreads    = 1 << 16
	maxThreadName = 256
)

// Threads returns the runtime's threads in the order of its list, which is the
// reverse of that in which they attached. What could not be read is an error
// that comes with the threads before it.
func (a *ART) Threads() ([]*Thread, error) {
	return a.threads()
}

// Thread returns the runtime's thread that is t, or nil if t is not attached.
func (a *ART) Thread(t *core.Thread) *Thread {
	return a.byThread()[t]
}

// indexThreads is for Thread.
func (a *ART) indexThreads() map[*core.Thread]*Thread {
	m := map[*core.Thread]*Thread{}
	all, _ := a.Threads()
	for _, x := range all {
		if x.Native != nil && m[x.Native] == nil {
			m[x.Native] = x
		}
	}
	return m
}

// Priority returns the priority of a thread that its peer has; it reports false
// if there is none.
func (a *ART) Priority(t *Thread) (int64, bool) {
	o, err := a.Object(t.Peer)
	if err != nil {
		return 0, false
	}
	return a.intField(o, "priority")
}

// DescribeThread returns what the runtime calls a thread, and its state.
func (a *ART) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	x := a.Thread(t)
	if x == nil || x.Problem != "" {
		return "", "", false
	}
	return x.Name, x.State, true
}

// readThreads goes through ThreadList, then looks for threads that only
// registers lead to, as they do where the list is broken.
func (a *ART) readThreads() ([]*Thread, error) {
	addrs, err := a.threadList(a.fit.runtime, a.layout)
	seen := map[core.Addr]bool{}
	var out []*Thread
	add := func(at core.Addr) {
		if !seen[at] {
			seen[at] = true
			out = append(out, a.readThread(at))
		}
	}
	for _, at := range addrs {
		add(at)
	}
	for _, h := range a.hints {
		if a.plausibleThread(h.at, a.layout) {
			add(h.at)
		}
	}
	return out, err
}

var errNoRuntime = core.Unknown(errors.New("art: the Runtime was not found"))

// threadList follows the list of a Runtime's threads, a circular std::list: each
// node is two links, the first of which leads on, and the Thread.
func (a *ART) threadList(runtime core.Addr, l *Layout) ([]core.Addr, error) {
	if runtime == 0 {
		return nil, errNoRuntime
	}
	word := core.Addr(a.ptr)
	list, ok := a.pointer(runtime.Add(int64(l.Runtime.ThreadList)))
	if !ok {
		return nil, fmt.Errorf("art: Runtime %v: thread_list_ cannot be read", runtime)
	}
	head := list.Add(int64(l.ThreadList.List))
	node, ok := a.pointer(head)
	var out []core.Addr
	seen := map[core.Addr]bool{}
	for node != head {
		if !ok || len(out) == maxThreads || seen[node] {
			return out, fmt.Errorf("art: the list of threads at %v breaks off after %d threads", head, len(out))
		}
		seen[node] = true
		var t core.Addr
		if t, ok = a.pointer(node + 2*word); !ok {
			continue
		}
		out = append(out, t)
		node, ok = a.pointer(node)
	}
	return out, nil
}

// readThread reads an art::Thread.
func (a *ART) readThread(at core.Addr) *Thread {
	l := &a.layout.Thread
	t := &Thread{Addr: at}
	c := a.cursor()
	off := func(n int) core.Addr { return at.Add(int64(n)) }
	word := c.U32(off(l.StateAndFlags))
	number := stateNumber(a.layout.SDK, word>>l.StateShift&(1<<l.StateBits-1))
	t.State, t.Flags = stateName(number), word&(1<<l.StateShift-1)
	t.runnable = number == stateRunnable
	t.SuspendCount = int(int32(c.U32(off(l.SuspendCount))))
	t.ID, t.TID = int(c.U32(off(l.ThinLockID))), int(c.U32(off(l.TID)))
	t.Daemon = c.U32(off(l.Daemon)) != 0
	t.Peer = c.Pointer(off(l.Peer))
	t.StackBegin, t.StackEnd = c.Pointer(off(l.StackBegin)), c.Pointer(off(l.StackEnd))
	t.StackSize = c.Word(off(l.StackSize))
	t.MonitorEnter = c.Pointer(off(l.MonitorEnter))
	name := c.Pointer(off(l.Name))
	if err := c.Err(); err != nil {
		t.Problem = err.Error()
		return t
	}
	t.Native = a.process.Thread(t.TID)
	if t.Name = a.nameWith(name, a.layout); t.Name == "" && t.Native != nil {
		t.Name = t.Native.Name
	}
	return t
}

// stdString reads a std::string of at most max bytes. libstdc++ keeps {data,
// size, capacity}; libc++ {capacity, size, data} with bit 0 of the first byte
// set, or in that byte twice the size, with the text behind it.
func (a *ART) stdString(at core.Addr, lib Library, max int) (string, bool) {
	word := core.Addr(a.ptr)
	data, size := core.Addr(0), uint64(0)
	var ok1, ok2 bool
	if lib == LibStdCxx {
		data, ok1 = a.pointer(at)
		size, ok2 = a.word(at + word)
	} else {
		first, ok := a.u8(at)
		if !ok {
			return "", false
		}
		if first&1 == 0 {
			data, size, ok1, ok2 = at+1, uint64(first>>1), true, uint64(first>>1) < 3*uint64(word)-1
		} else {
			size, ok1 = a.word(at + word)
			data, ok2 = a.pointer(at + 2*word)
		}
	}
	if !ok1 || !ok2 || size > uint64(max) {
		return "", false
	}
	b, ok := a.bytes(data, int(size))
	return string(b), ok || size == 0
}

// plausibleThread reports whether an art::Thread lies at an address: its id is
// that of a thread of the core, and its JNIEnv leads back to it.
func (a *ART) plausibleThread(at core.Addr, l *Layout) bool {
	if at == 0 || at%core.Addr(a.ptr) != 0 {
		return false
	}
	tid, ok := a.u32(at.Add(int64(l.Thread.TID)))
	return ok && a.process.Thread(int(tid)) != nil && a.runtimeOf(at, l) != 0
}

// runtimeOf returns the Runtime that an art::Thread's JNIEnvExt leads to, by
// way of the JavaVMExt, or 0.
func (a *ART) runtimeOf(thread core.Addr, l *Layout) core.Addr {
	env, ok := a.pointer(thread.Add(int64(l.Thread.JNIEnv)))
	if !ok || env == 0 {
		return 0
	}
	self, ok1 := a.pointer(env.Add(int64(l.JNIEnvExt.Self)))
	vm, ok2 := a.pointer(env.Add(int64(l.JNIEnvExt.VM)))
	if !ok1 || !ok2 || self != thread {
		return 0
	}
	runtime, _ := a.pointer(vm.Add(int64(l.JavaVMExt.Runtime)))
	return runtime
}
