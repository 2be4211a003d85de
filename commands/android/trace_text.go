package android

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/sym"
	"coredbg/runtimes/art/frame"
	"coredbg/stack"
	"coredbg/walk"
)

// maxRepetition is how many equal frames ART prints before it counts them
// (kMaxRepetition, runtime/thread.cc).
const maxRepetition = 3

// Text writes the thread.
func (r *traceThread) Text(w *out.Writer) {
	defer w.Printf("\n")
	if t := r.thread; t != nil {
		r.attached(w, t)
	} else {
		w.Printf("\"%s\" prio=? (not attached)\n  | sysTid=%d\n", sym.Clean(r.Stack.Thread.Name), r.Stack.Thread.TID)
	}
	if r.thread != nil && r.thread.Native == nil {
		w.Printf("  (the core has no such thread)\n")
		return
	}
	if !r.compatible {
		r.interleaved(w)
		return
	}
	if r.showsNative() {
		r.frames(w, stack.Native)
	}
	if r.thread == nil {
		return
	}
	if n := r.frames(w, stack.Managed); n == 0 {
		w.Printf("  (no managed stack frames)\n")
	}
}

// attached writes the lines that an attached thread begins with.
func (r *traceThread) attached(w *out.Writer, t *frame.Thread) {
	daemon, starting := "", ""
	if t.Daemon && t.Peer != 0 {
		daemon = " daemon"
	}
	if t.Peer == 0 {
		starting = " (still starting up)"
	}
	w.Printf("\"%s\"%s prio=%s tid=%d %s%s\n", sym.Clean(t.Name), daemon, r.priority, t.ID, t.State, starting)
	peer := "0"
	if t.Peer != 0 {
		peer = t.Peer.String()
	}
	if r.hasGroup || t.Peer == 0 {
		w.Printf("  | group=\"%s\" sCount=%d flags=%d obj=%s self=%v\n", sym.Clean(r.group), t.SuspendCount,
			t.Flags, peer, t.Addr)
	} else {
		w.Printf("  | sCount=%d flags=%d obj=%s self=%v\n", t.SuspendCount, t.Flags, peer, t.Addr)
	}
	w.Printf("  | sysTid=%d", t.TID)
	if r.handle != 0 {
		w.Printf(" handle=%v", r.handle)
	}
	w.Printf("\n")
	if t.StackEnd != 0 {
		w.Printf("  | stack=%v-%v stackSize=%dKB\n", t.StackBegin, t.StackEnd, t.StackSize>>10)
	}
	if t.State == "Runnable" {
		w.Printf("  | held mutexes= \"mutator lock\"(shared held)\n") // that is what Runnable means
	}
	if t.Problem != "" {
		w.Paint(out.Error, "  | %s", t.Problem)
		w.Printf("\n")
	}
}

// interleaved writes all frames in their order.
func (r *traceThread) interleaved(w *out.Writer) {
	native, managed := 0, 0
	for i := range r.Frames {
		f := &r.Frames[i]
		if stack.Managed(f) {
			managed++
			w.Printf("  at %s\n", r.traceLine(f))
		} else {
			w.Printf("  native: %s\n", (*commands.FrameRecord)(f).Debuggerd(native, r.ptr, "???", " (???)"))
			native++
		}
		for _, l := range r.locks[f.Index] {
			w.Printf("  %s\n", l)
		}
	}
	if r.thread != nil && managed == 0 {
		w.Printf("  (no managed stack frames)\n")
	}
	if s := r.Stop; s != nil && s.Kind != walk.StopRoot {
		w.Printf("  (stopped: %v)\n", s)
	}
}

// frames writes the frames that keep accepts, frames of Java as ART writes them, and returns their number.
func (r *traceThread) frames(w *out.Writer, keep func(*stack.Frame) bool) int {
	n, repeated, last := 0, 0, ""
	flush := func() { // ART counts one too few
		if repeated >= maxRepetition {
			w.Printf("  ... repeated %d times\n", repeated-maxRepetition)
		}
	}
	for i := range r.Frames {
		f := &r.Frames[i]
		if !keep(f) {
			continue
		}
		n++
		if !stack.Managed(f) {
			w.Printf("  native: %s\n", (*commands.FrameRecord)(f).Debuggerd(n-1, r.ptr, "???", " (???)"))
			continue
		}
		line := r.traceLine(f)
		if line == last {
			repeated++
		} else {
			flush()
			repeated, last = 0, line
		}
		if repeated >= maxRepetition {
			continue
		}
		w.Printf("  at %s\n", line)
		for _, l := range r.locks[f.Index] {
			w.Printf("  %s\n", l)
		}
	}
	flush()
	return n
}

// showsNative is ShouldShowNativeStack (runtime/thread.cc): frames of native
// code are of interest where the runtime waits for something of its own, in
// native methods, and in threads without Java.
func (r *traceThread) showsNative() bool {
	if r.thread == nil {
		return true
	}
	switch r.thread.State {
	case "TimedWaiting", "Sleeping", "Waiting":
		return false
	case "Blocked", "Runnable", "Native", "Suspended":
	default:
		if strings.HasPrefix(r.thread.State, "Waiting") {
			return true
		}
	}
	i := slices.IndexFunc(r.Frames, func(f stack.Frame) bool { return stack.Managed(&f) })
	return i < 0 || r.Frames[i].Tier == string(frame.JNI)
}

// traceLine is a frame of Java as ART's traces have it.
func (r *traceThread) traceLine(f *stack.Frame) string {
	if f.Tier == string(frame.JNI) {
		return f.Name + "(Native method)"
	}
	if place, ok := r.proxies[f.Index]; ok {
		return f.Name + "(" + place + ")"
	}
	file, line := cmp.Or(f.File, "unavailable"), f.Line
	if line <= 0 {
		line = -1
		if pc, ok := r.pcs[f.Index]; ok {
			line = int(pc)
		}
	}
	return fmt.Sprintf("%s(%s:%d)", f.Name, file, line)
}
