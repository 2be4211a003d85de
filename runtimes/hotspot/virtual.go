package hotspot

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

var _ runtimes.Tasker = (*HotSpot)(nil)

// Task returns the thread that has the virtual thread mounted whose java.lang.Thread is at an address, or the
// thread that stands for it. It implements runtimes.Tasker.
func (h *HotSpot) Task(a core.Addr) (*core.Thread, bool) {
	t := h.walker.VirtualThread(a)
	if t == nil || t.Native == nil {
		return nil, false
	}
	return t.Native, true
}

// Tasks returns the virtual threads that no thread has mounted. It implements runtimes.Tasker.
func (h *HotSpot) Tasks() (list []*core.Thread) {
	all, _ := h.walker.Virtual()
	for _, t := range all {
		if t.Native != nil && t.Native.Task != nil {
			list = append(list, t.Native)
		}
	}
	return list
}

// waiting are the prefixes of the methods that virtual threads wait in.
var waiting = []string{"java.lang.VirtualThread.", "java.lang.System$", "java.lang.Object.wait", "java.lang.Thread.",
	"java.util.concurrent.",
	"jdk.internal.", "sun.nio."}

// OfRuntime implements runtimes.Tasker.
func (h *HotSpot) OfRuntime(function string) bool {
	for _, p := range waiting {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// DescribeThread implements runtimes.ThreadDescriber for virtual threads, too.
func (h *HotSpot) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	if t.Task != nil {
		x := h.walker.ThreadOf(t)
		if x == nil {
			return "", "", false
		}
		return x.Name, x.Status, true
	}
	return h.Decoder.DescribeThread(t)
}

// JavaState implements runtimes.JavaRunner for virtual threads, too.
func (h *HotSpot) JavaState(t *core.Thread) (state string, ok bool) {
	if t.Task != nil {
		x := h.walker.ThreadOf(t)
		if x == nil {
			return "", false
		}
		return x.State, true
	}
	return h.Decoder.JavaState(t)
}
