package layout

import (
	"fmt"

	"coredbg/core"
)

// A Hint is a word that may be the address of an art::Thread.
type Hint struct {
	At     core.Addr
	Source string // where it was found
}

// Bounds of the list.
const (
	maxThreads    = 1 << 16
	maxThreadName = 256
)

// ThreadAddrs goes through ThreadList, then looks for threads that only
// registers lead to, as they do where the list is broken. The error comes with
// the threads that were found.
func (m *Memory) ThreadAddrs() ([]core.Addr, error) {
	addrs, err := m.ThreadList(m.Runtime, m.Layout)
	seen := map[core.Addr]bool{}
	var out []core.Addr
	add := func(at core.Addr) {
		if !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	for _, at := range addrs {
		add(at)
	}
	for _, h := range m.Hints {
		if m.plausibleThread(h.At, m.Layout) {
			add(h.At)
		}
	}
	return out, err
}

// ThreadList follows the list of a Runtime's threads, a circular std::list: each node is two links, the first
// to the next node, and the Thread.
func (m *Memory) ThreadList(runtime core.Addr, l *Layout) ([]core.Addr, error) {
	if runtime == 0 {
		return nil, ErrNoRuntime
	}
	word := core.Addr(m.PtrSize)
	list, ok := m.Pointer(runtime.Add(int64(l.Runtime.ThreadList)))
	if !ok {
		return nil, fmt.Errorf("art: Runtime %v: thread_list_ cannot be read", runtime)
	}
	head := list.Add(int64(l.ThreadList.List))
	node, ok := m.Pointer(head)
	var out []core.Addr
	seen := map[core.Addr]bool{}
	for node != head {
		if !ok || len(out) == maxThreads || seen[node] {
			return out, fmt.Errorf("art: the list of threads at %v breaks off after %d threads", head, len(out))
		}
		seen[node] = true
		var t core.Addr
		if t, ok = m.Pointer(node + 2*word); !ok {
			continue
		}
		out = append(out, t)
		node, ok = m.Pointer(node)
	}
	return out, nil
}

// RuntimeOf returns the Runtime that an art::Thread's JNIEnvExt leads to, by
// way of the JavaVMExt, or 0.
func (m *Memory) RuntimeOf(thread core.Addr, l *Layout) core.Addr {
	env, ok := m.Pointer(thread.Add(int64(l.Thread.JNIEnv)))
	if !ok || env == 0 {
		return 0
	}
	self, ok1 := m.Pointer(env.Add(int64(l.JNIEnvExt.Self)))
	vm, ok2 := m.Pointer(env.Add(int64(l.JNIEnvExt.VM)))
	if !ok1 || !ok2 || self != thread {
		return 0
	}
	runtime, _ := m.Pointer(vm.Add(int64(l.JavaVMExt.Runtime)))
	return runtime
}

// plausibleThread reports whether an art::Thread is at an address: its id belongs to a thread of the core, and
// its JNIEnv leads back to it.
func (m *Memory) plausibleThread(at core.Addr, l *Layout) bool {
	if at == 0 || at%core.Addr(m.PtrSize) != 0 {
		return false
	}
	tid, ok := m.U32(at.Add(int64(l.Thread.TID)))
	return ok && m.Process.Thread(int(tid)) != nil && m.RuntimeOf(at, l) != 0
}

// NamesThread reports whether one of the places where versions of art::Thread
// have the kernel's id holds t's.
func (m *Memory) NamesThread(at core.Addr, t *core.Thread) bool {
	if at == 0 || at%core.Addr(m.PtrSize) != 0 {
		return false
	}
	for _, s := range rowOf(threadRows, "Thread.tls32_.tid").steps {
		if tid, ok := m.U32(at.Add(int64(s.wide))); ok && int(tid) == t.TID {
			return true
		}
	}
	return false
}

// ThreadName reads a thread's name as a layout has it.
func (m *Memory) ThreadName(at core.Addr, l *Layout) string {
	if at == 0 {
		return ""
	}
	if l.Thread.NameIsCString != 0 {
		s, _ := core.CString(m.Space, at, maxThreadName)
		return s
	}
	s, _ := m.StdString(at, l.Library, maxThreadName)
	return s
}
