package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/art/sync"
	"coredbg/runtimes/java"
)

// className is a class as ART's dump names it. For an object that is itself a class it includes that
// class' name.
func className(a *art.ART, o object.Object) string {
	if o.Class == nil {
		return ""
	}
	if o.Class.Name == "java.lang.Class" {
		if c, err := a.Class(o.Addr); err == nil {
			return "java.lang.Class<" + c.Name + ">"
		}
	}
	return o.Class.Name
}

// checkMonitors compares what threads wait for and hold. ART's dump asks each
// lock for its hash, which makes it fat and shows which monitor it is.
func checkMonitors(t *testing.T, a *art.ART, threads []*frame.Thread, truth *artTruth) {
	t.Helper()
	monitors, err := a.Monitors(context.Background())
	if err != nil {
		t.Errorf("monitors: %v", err)
	}
	byHash := map[string]*sync.Monitor{}
	for _, m := range monitors {
		byHash[fmt.Sprintf("0x%08x", m.Hash)] = m
	}
	names := map[int]string{}
	for _, x := range truth.Threads {
		names[x.TID] = x.Name
	}
	held := map[string]map[string]int{} // hash, thread: how often
	for _, want := range truth.Threads {
		i := slices.IndexFunc(threads, func(x *frame.Thread) bool { return x.Name == want.Name })
		if i < 0 {
			continue // said elsewhere
		}
		awaited := map[string]bool{} // ART says "locked", but Object.wait has let go, and a native method has not begun
		for _, f := range want.Frames {
			for _, l := range f.Locks {
				if l.How != "locked" {
					checkWait(t, a, threads[i], l, names[l.Owner])
					awaited[l.Hash] = true
				} else if l.Hash != "" && !awaited[l.Hash] {
					if held[l.Hash] == nil {
						held[l.Hash] = map[string]int{}
					}
					held[l.Hash][want.Name]++
				}
			}
		}
	}
	for hash, owners := range held {
		for owner, n := range owners {
			if m := byHash[hash]; m == nil || m.Owner == nil || m.Owner.Name != owner || m.Count != n {
				t.Errorf("monitor with hash %s: %+v, want it locked %d times by %s", hash, m, n, owner)
			}
		}
	}
	checkDeadlocks(t, a, truth)
}

// waitCircles are the circles of java/waits/Waits.java and faults/stuck/Stuck.java that ART does not print,
// by the last words of the core's name: the threads that the source has wait for each other.
var waitCircles = map[string]string{
	"-waits-classes": "main second", "-waits-lazy": "main loader", "-waits-queue": "pool-2-thread-1 pool-2-thread-2",
	"-waits-latch": "main counter", "-waits-upgrade": "main",
	"-stuck-three": "main green blue", "-stuck-async": "pool-1-thread-1", "-stuck-phaser": "main arriving",
	"-stuck-barrier":   "main ride",
	"-stuck-dependent": "main Thread-0", "-stuck-stamped": "main reader",
}

// checkWait compares what one thread waits for.
func checkWait(t *testing.T, a *art.ART, x *frame.Thread, l artLock, owner string) {
	t.Helper()
	kind := map[string]string{"waiting on": "wait", "sleeping on": "sleep"}[l.How]
	if kind == "" {
		kind = "lock"
	}
	w, ok := a.WaitOf(x)
	if l.Class == "" && l.Owner == 0 { // "an unknown object": there is no monitor
		if !ok || w.Kind != "park" {
			t.Errorf("%s: waits (%v) by %q; want it parked", x.Name, ok, w.Kind)
		}
		return
	}
	got := ""
	if w.Owner != nil {
		got = w.Owner.Name
	}
	if !ok || w.Kind != kind || got != owner && kind == "lock" || className(a, w.Object) != l.Class {
		t.Errorf("%s: waits (%v) by %q for a %s of %q; want %q, %s, %q", x.Name, ok, w.Kind, className(a, w.Object),
			got, kind, l.Class, owner)
	}
}

// checkDeadlocks finds the circles in the truth's "held by" and compares.
func checkDeadlocks(t *testing.T, a *art.ART, truth *artTruth) {
	t.Helper()
	owner, name := map[int]int{}, map[int]string{}
	for _, x := range truth.Threads {
		name[x.TID] = x.Name
		for _, f := range x.Frames {
			for _, l := range f.Locks {
				if l.Owner != 0 {
					owner[x.TID] = l.Owner
				}
			}
		}
	}
	var want []string
	for _, x := range truth.Threads { // by id: each circle is met at its lowest
		circle, at := []string{}, x.TID
		for range truth.Threads {
			circle = append(circle, name[at])
			if at = owner[at]; at == 0 || at <= x.TID {
				break
			}
		}
		if at == x.TID {
			want = append(want, strings.Join(circle, " "))
		}
	}
	begin := "" // a circle begins with the lowest of ART's thread numbers, which vary from run to run
	for kind, circle := range waitCircles {
		if strings.HasSuffix(t.Name(), kind) {
			want = []string{circle}
			begin, _, _ = strings.Cut(circle, " ")
		}
	}
	var got []string
	deadlocks, err := a.Deadlocks()
	if err != nil {
		t.Errorf("deadlocks: %v", err)
	}
	for _, d := range deadlocks {
		var circle []string
		for _, w := range d {
			circle = append(circle, w.Thread.Name)
		}
		if i := slices.Index(circle, begin); i > 0 {
			circle = append(slices.Clone(circle[i:]), circle[:i]...)
		}
		got = append(got, strings.Join(circle, " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("deadlocks %q, want %q", got, want)
	}
}

// checkExceptions looks for each exception that the program described before it
// died, by its own Throwable.getStackTrace. The last one of a thread is pending where the
// native method "pending" is on its stack, and the one before it its cause.
func checkExceptions(t *testing.T, a *art.ART, threads []*frame.Thread, truth *artTruth) {
	t.Helper()
	if len(truth.Exceptions) == 0 {
		return
	}
	h, err := a.Heap()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	_, err = h.Walk(context.Background(), func(o object.Object, _ uint64) bool {
		if a.IsThrowable(o.Class) {
			if x, err := a.Throwable(o.Addr); err == nil {
				found[describe(x)] = true
			}
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
	for _, want := range truth.Exceptions {
		if !found[want.String()] {
			t.Errorf("no exception\n%s\nthere are %v", want, slices.Sorted(maps.Keys(found)))
		}
	}
	for _, x := range truth.Threads {
		if len(x.Frames) == 0 || !strings.HasSuffix(x.Frames[0].Name, ".pending") {
			continue
		}
		i := slices.IndexFunc(threads, func(y *frame.Thread) bool { return y.Name == x.Name })
		own := exceptionsOf(truth, x.Frames[len(x.Frames)-1].Name)
		n := len(own)
		if n < 2 {
			t.Errorf("%s: %d exceptions are its own", x.Name, n)
			continue
		}
		at, err := a.PendingException(threads[i])
		if err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		p, err := a.Throwable(at)
		if err != nil || describe(p) != own[n-1].String() {
			t.Errorf("%s: pending %+v, %v; want\n%s", x.Name, p, err, own[n-1])
			continue
		}
		if p.Cause == nil || describe(p.Cause) != own[n-2].String() {
			t.Errorf("its cause is %+v, want\n%s", p.Cause, own[n-2])
		}
	}
}

// exceptionsOf returns the exceptions that were made in a thread, in order: their outermost frame is
// the thread's. Threads list their exceptions in any order.
func exceptionsOf(truth *artTruth, outermost string) (own []artException) {
	for _, x := range truth.Exceptions {
		if n := len(x.Frames); n > 0 && x.Frames[n-1].Name == outermost {
			own = append(own, x)
		}
	}
	return own
}

func describe(x *java.Throwable) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", x.Object.Class.Name, x.Message)
	for _, e := range x.Trace {
		if e.Native {
			fmt.Fprintf(&b, "\n  %s(native)", e.Method)
			continue
		}
		fmt.Fprintf(&b, "\n  %s(%s:%d)", e.Method, e.File, e.Line)
	}
	return b.String()
}

func (e artException) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Class, e.Message)
	for _, f := range e.Frames {
		if f.Line == -2 { // StackTraceElement.isNativeMethod
			fmt.Fprintf(&b, "\n  %s(native)", f.Name)
			continue
		}
		fmt.Fprintf(&b, "\n  %s(%s:%d)", f.Name, f.File, f.Line)
	}
	return b.String()
}

// checkJavaHeap counts objects, their sizes, and JNI's references.
func checkJavaHeap(t *testing.T, a *art.ART, threads []*frame.Thread, want *artHeap) {
	t.Helper()
	h, err := a.Heap()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	walked, err := h.Walk(context.Background(), func(o object.Object, size uint64) bool {
		name := o.Class.Name
		got[name]++
		if s, ok := want.Sizes[name]; ok && size != s {
			t.Errorf("%v, a %s, has %d bytes, want %d", o.Addr, name, size, s)
		}
		return true
	})
	if err != nil || len(walked.Bad) != 0 {
		t.Errorf("heap: %v, bad %+v", err, walked.Bad)
	}
	for name, n := range want.Objects {
		if got[name] != n {
			t.Errorf("%d objects of %s, want %d", got[name], name, n)
		}
	}
	for name, n := range want.Least {
		if got[name] < n {
			t.Errorf("%d objects of %s, want at least %d", got[name], name, n)
		}
	}
	refs, err := a.JNIGlobals()
	if err != nil {
		t.Error(err)
	}
	for _, x := range threads {
		local, err := a.JNILocals(x)
		if err != nil {
			t.Errorf("local references of %s: %v", x.Name, err)
		}
		refs = append(refs, local...)
	}
	kinds := map[string]int{}
	for _, r := range refs {
		if c := a.ClassOf(r.Object); c != nil && c.Name == want.Refs.Class {
			kinds[string(r.Kind)]++
		}
	}
	for kind, n := range map[string]int{"global": want.Refs.Global, "weak": want.Refs.Weak, "local": want.Refs.Local} {
		if kinds[kind] != n {
			t.Errorf("%s references to %s: %s, want %d", kind, want.Refs.Class, strconv.Itoa(kinds[kind]), n)
		}
	}
}
