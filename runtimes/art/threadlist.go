package art

import (
	"fmt"

	"coredbg/core"
)

// A hint is a word that may be the address of an art::Thread.
type hint struct {
	at     core.Addr
	source string // where it was found
}

// Bounds of what is followed.
const (
	maxThreads    = 1 << 16
	maxThreadName = 256
)

// threadAddrs goes through ThreadList, then looks for threads that only
// registers lead to, as they do where the list is broken. The error comes with
// the threads that were found.
func (a *Memory) threadAddrs() ([]core.Addr, error) {
	addrs, err := a.threadList(a.runtime, a.layout)
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
	for _, h := range a.hints {
		if a.plausibleThread(h.at, a.layout) {
			add(h.at)
		}
	}
	return out, err
}

// threadList follows the list of a Runtime's threads, a circular std::list: each
// node is two links, the first of which leads on, and the Thread.
func (a *Memory) threadList(runtime core.Addr, l *Layout) ([]core.Addr, error) {
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

// runtimeOf returns the Runtime that an art::Thread's JNIEnvExt leads to, by
// way of the JavaVMExt, or 0.
func (a *Memory) runtimeOf(thread core.Addr, l *Layout) core.Addr {
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

// plausibleThread reports whether an art::Thread lies at an address: its id is
// that of a thread of the core, and its JNIEnv leads back to it.
func (a *Memory) plausibleThread(at core.Addr, l *Layout) bool {
	if at == 0 || at%core.Addr(a.ptr) != 0 {
		return false
	}
	tid, ok := a.u32(at.Add(int64(l.Thread.TID)))
	return ok && a.process.Thread(int(tid)) != nil && a.runtimeOf(at, l) != 0
}

// namesThread reports whether one of the places where versions of art::Thread
// have the kernel's id holds t's.
func (a *Memory) namesThread(at core.Addr, t *core.Thread) bool {
	if at == 0 || at%core.Addr(a.ptr) != 0 {
		return false
	}
	for _, s := range rowOf(threadRows, "Thread.tls32_.tid").steps {
		if tid, ok := a.u32(at.Add(int64(s.wide))); ok && int(tid) == t.TID {
			return true
		}
	}
	return false
}

// nameWith reads a thread's name as a layout has it.
func (a *Memory) nameWith(at core.Addr, l *Layout) string {
	if at == 0 {
		return ""
	}
	if l.Thread.NameIsCString != 0 {
		s, _ := core.CString(a.space, at, maxThreadName)
		return s
	}
	s, _ := a.stdString(at, l.Library, maxThreadName)
	return s
}
