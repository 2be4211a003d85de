package hotspot

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
)

var _ runtimes.CauseFinder = (*HotSpot)(nil)

// Causes returns the exception that nothing caught, or the one that the thread was about to throw when the
// process ended, and what caused it. It implements runtimes.CauseFinder.
func (h *HotSpot) Causes(_ context.Context, c *runtimes.Crash) []runtimes.Cause {
	t := h.Thread(c.Thread)
	if t == nil {
		return nil
	}
	r := java.Reader{Heap: h.JavaHeap()}
	if at := h.uncaught(c); at != 0 {
		return r.Causes(runtimes.UncaughtJava, at, t.TID)
	}
	at, err := h.pendingException(t)
	if err != nil || at == 0 {
		return nil
	}
	return r.Causes(runtimes.PendingJava, at, t.TID)
}

// maxFrameWords bounds the words of a frame that are looked at.
const maxFrameWords = 1 << 10

// uncaught returns the exception that the frame of Thread.dispatchUncaughtException has, if the thread is
// within that: the only Throwable among its words and its arguments, which are in its caller's frame.
func (h *HotSpot) uncaught(c *runtimes.Crash) (found core.Addr) {
	i := c.Within(func(function string) bool { return function == java.DispatchUncaught })
	if i < 0 || i+2 >= len(c.Frames) {
		return 0
	}
	cur := h.Process.Cursor()
	at := c.Frames[i].SP &^ 7
	for range maxFrameWords {
		if at >= c.Frames[i+2].SP {
			return found
		}
		ref := cur.Pointer(at)
		at += 8
		if cur.Reset() != nil || ref == 0 || ref == found {
			continue
		}
		k := h.ClassOf(ref)
		switch {
		case k == nil || !h.IsA(k, "java.lang.Throwable"):
		case found != 0:
			return 0 // which one is not known
		default:
			found = ref
		}
	}
	return found
}
