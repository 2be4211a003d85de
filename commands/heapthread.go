package commands

import (
	"context"
	"fmt"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// A HeapThread is a thread with a heap of its own, such as a worker. The main thread is none.
type HeapThread struct {
	TID  int    `json:"tid"`
	Name string `json:"name,omitempty"` // that the program gave it
}

// HeapThread returns the thread whose heap has an object. It returns nil if that is the main
// thread, if all threads have one heap, or if the thread is not known.
func (s *Target) HeapThread(ctx context.Context, a core.Addr) *HeapThread {
	r, ok := RuntimeOf[runtimes.HeapDivider](s)
	if !ok {
		return nil
	}
	t := r.HeapThread(ctx, a)
	if t == nil || t.TID == s.Process.PID {
		return nil
	}
	x := &HeapThread{TID: t.TID}
	if d, ok := r.(runtimes.ThreadDescriber); ok {
		x.Name, _, _ = d.DescribeThread(t)
	}
	return x
}

// String returns "worker resize (thread 4711)"; "" for nil.
func (t *HeapThread) String() string {
	switch {
	case t == nil:
		return ""
	case t.Name == "":
		return fmt.Sprintf("worker thread %d", t.TID)
	}
	return out.Clean(fmt.Sprintf("worker %s (thread %d)", t.Name, t.TID), false)
}
