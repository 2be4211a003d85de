package frame

import (
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/art/object"
)

// A ThreadReader reads the threads of the runtime.
type ThreadReader struct {
	*object.Reader
	threads  func() ([]*Thread, error)
	byThread func() map[*core.Thread]*Thread
}

func newThreadReader(r *object.Reader) *ThreadReader {
	d := &ThreadReader{Reader: r}
	d.threads = sync.OnceValues(d.readThreads)
	d.byThread = sync.OnceValue(d.indexThreads)
	return d
}

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
	// Problem says which parts could not be read. It is "" if all could.
	Problem string

	Runnable bool // it runs managed code
}

// Threads returns the runtime's threads in the order of its list, the newest first. On an error it returns the
// threads read so far.
func (r *ThreadReader) Threads() ([]*Thread, error) {
	return r.threads()
}

// Thread returns the runtime's thread that is t, or nil if t is not attached.
func (r *ThreadReader) Thread(t *core.Thread) *Thread {
	return r.byThread()[t]
}

// indexThreads is for Thread.
func (r *ThreadReader) indexThreads() map[*core.Thread]*Thread {
	m := map[*core.Thread]*Thread{}
	all, _ := r.Threads()
	for _, x := range all {
		if x.Native != nil && m[x.Native] == nil {
			m[x.Native] = x
		}
	}
	return m
}

// Priority returns the priority of a thread that its peer has; it reports false
// if there is none.
func (r *ThreadReader) Priority(t *Thread) (int64, bool) {
	o, err := r.Object(t.Peer)
	if err != nil {
		return 0, false
	}
	return r.IntField(o, "priority")
}

// DescribeThread returns what the runtime calls a thread, and its state.
func (r *ThreadReader) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	x := r.Thread(t)
	if x == nil || x.Problem != "" {
		return "", "", false
	}
	return x.Name, x.State, true
}

// readThreads reads all threads.
func (r *ThreadReader) readThreads() ([]*Thread, error) {
	addrs, err := r.ThreadAddrs()
	var out []*Thread
	for _, at := range addrs {
		out = append(out, r.readThread(at))
	}
	return out, err
}

// readThread reads an art::Thread.
func (r *ThreadReader) readThread(at core.Addr) *Thread {
	l := &r.Layout.Thread
	t := &Thread{Addr: at}
	c := r.Cursor()
	off := func(n int) core.Addr { return at.Add(int64(n)) }
	word := c.U32(off(l.StateAndFlags))
	number := stateNumber(r.Layout.SDK, word>>l.StateShift&(1<<l.StateBits-1))
	t.State, t.Flags = stateName(number), word&(1<<l.StateShift-1)
	t.Runnable = number == stateRunnable
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
	t.Native = r.Process.Thread(t.TID)
	if t.Name = r.ThreadName(name, r.Layout); t.Name == "" && t.Native != nil {
		t.Name = t.Native.Name
	}
	return t
}

// PendingException returns the object of the exception that a thread is to throw
// when it is back in managed code; 0 if there is none. The error says that this cannot
// be known.
func (r *ThreadReader) PendingException(t *Thread) (core.Addr, error) {
	slot := t.Addr.Add(int64(r.Layout.Thread.Exception))
	at, ok := r.Pointer(slot)
	if !ok {
		return 0, fmt.Errorf("art: thread %v: its pending exception at %v cannot be read", t.Addr, slot)
	}
	return at, nil
}

// threadWhere returns the first thread that is meant, or nil.
func (r *ThreadReader) threadWhere(is func(*Thread) bool) *Thread {
	all, _ := r.Threads()
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// ThreadByID returns the thread with the runtime's id, or nil if no thread has it.
func (r *ThreadReader) ThreadByID(id int) *Thread {
	return r.threadWhere(func(t *Thread) bool { return t.ID == id })
}

// ThreadAt returns the thread whose art::Thread is at an address, or nil.
func (r *ThreadReader) ThreadAt(at core.Addr) *Thread {
	return r.threadWhere(func(t *Thread) bool { return t.Addr == at })
}

// ThreadOfPeer returns the thread of a java.lang.Thread.
func (r *ThreadReader) ThreadOfPeer(peer core.Addr) *Thread {
	return r.threadWhere(func(t *Thread) bool { return t.Peer == peer && peer != 0 })
}
