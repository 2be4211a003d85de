package java

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
	"coredbg/stack"
	"coredbg/walk"
)

// starvedRecord is Java threads that wait for one object without a limit, and that no known thread can wake.
type starvedRecord struct {
	_       out.Record  `record:"starved"`
	Threads []threadRef `json:"threads"`
	Kind    string      `json:"kind"`           // park | wait
	Addr    core.Addr   `json:"addr"`           // the object
	Class   string      `json:"class"`          // its class
	Left    string      `json:"left,omitempty"` // what it has left: "0 permits", "count 1"
	In      string      `json:"in"`             // where the first thread waits, in the program's own code
}

// maxStarvedFrames bounds the frames of a stack that are looked through for the program's own code.
const maxStarvedFrames = 200

// A starvation counts threads that no known thread can wake.
type starvation struct {
	found int   // objects that they wait for
	lost  int   // threads whose objects the core does not have
	bad   error // why threads may be missing
}

// unknown returns the doubts about starved threads. It leaves out the error that is reported for circles anyway.
func (s *starvation) unknown(said error) (all []error) {
	if s.bad != nil && (said == nil || s.bad.Error() != said.Error()) {
		all = append(all, core.Unknown(fmt.Errorf("whether all threads that wait without a limit were found is not known: %w", s.bad)))
	}
	if s.lost > 0 {
		all = append(all, core.Unknown(fmt.Errorf("who can wake %s is not known: the core lacks the objects that threads wait for", out.Count(s.lost, "thread"))))
	}
	return all
}

// starved emits the waits that no known thread can end; the other waits are in waits. It leaves out idle
// threads: they run none of the program's own code, such as the workers of a pool. The error comes from ctx
// or the output.
func starved(ctx context.Context, c *commands.Call, r runtimes.JavaLocker,
	waits []runtimes.LockWait) (found starvation, err error) {
	threads, bad := r.JavaThreads()
	found.bad = bad
	known := map[*core.Thread]bool{}
	for i := range waits {
		known[waits[i].Thread.Native] = true
	}
	var list []*starvedRecord
	for i := range threads {
		t := &threads[i]
		if t.Native == nil || known[t.Native] || t.Internal || t.Carries != 0 ||
			!strings.HasPrefix(t.State, "WAITING") {
			continue
		}
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		lock, in := waitsIn(ctx, c.Session, r, t.Native)
		if lock == nil || in == "" {
			continue
		}
		if !whole(c.Session, lock.Addr) {
			found.lost++
			continue
		}
		at := slices.IndexFunc(list, func(x *starvedRecord) bool { return x.Addr == lock.Addr })
		if at < 0 {
			at = len(list)
			list = append(list, &starvedRecord{Kind: lock.Kind, Addr: lock.Addr, Class: lock.Class,
				Left: left(c.Session, lock.Addr), In: in})
		}
		list[at].Threads = append(list[at].Threads, *jvmRef(t))
	}
	slices.SortStableFunc(list, func(a, b *starvedRecord) int { return -cmp.Compare(len(a.Threads), len(b.Threads)) })
	for _, x := range list {
		if err := c.Emit(x); err != nil {
			return found, err
		}
	}
	found.found = len(list)
	return found, nil
}

// maxLock is the most bytes of an object that whole looks for.
const maxLock = 1 << 12

// whole reports whether the core has all of an object: its fields say who holds it.
func whole(s *commands.Session, at core.Addr) bool {
	o, ok := commands.RuntimeOf[java.Objects](s)
	if !ok {
		return false
	}
	n, err := o.JavaSize(at)
	if err == nil {
		_, err = s.Process.Space.Slice(at, int(min(n, maxLock)))
	}
	return err == nil
}

// waitsIn returns the object that a thread waits for, and the innermost frame of the program's own code; nil
// and "" if there is none.
func waitsIn(ctx context.Context, s *commands.Session, r runtimes.JavaLocker,
	t *core.Thread) (lock *runtimes.JavaLock, in string) {
	l := &locker{r: r, t: t}
	st := s.Stacks.Thread(ctx, t, stack.Options{Limit: maxStarvedFrames,
		Each: func(_ *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
			for _, x := range l.of(f, src) {
				if lock == nil && (x.Kind == runtimes.LockPark || x.Kind == runtimes.LockNotify) {
					lock = &x
				}
			}
		}})
	for i := range st.Frames {
		if f := &st.Frames[i]; f.Kind == runtimes.Java && !java.OfSystem(f.Name) &&
			!strings.Contains(f.Name, "$$Lambda") {
			return lock, where.Frame(f)
		}
	}
	return lock, ""
}

// left says what a Semaphore or a CountDownLatch has left, "" of other objects: AbstractQueuedSynchronizer.state.
func left(s *commands.Session, at core.Addr) string {
	o, ok := commands.RuntimeOf[java.Objects](s)
	if !ok {
		return ""
	}
	r := java.Reader{Heap: o.JavaHeap()}
	x, err := r.Object(at)
	if err != nil {
		return ""
	}
	state, ok := r.IntField(x, "state")
	switch {
	case !ok:
		return ""
	case x.Class.IsA("java.util.concurrent.Semaphore$Sync"):
		return out.Count(int(state), "permit")
	case x.Class.IsA("java.util.concurrent.CountDownLatch$Sync"):
		return fmt.Sprintf("count %d", state)
	}
	return ""
}

// Text writes the wait, and who waits.
func (r *starvedRecord) Text(w *out.Writer) {
	verb := "wait"
	if len(r.Threads) == 1 {
		verb = "waits"
	}
	w.Printf("%s %s for ", out.Count(len(r.Threads), "thread"), verb)
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(" (a %s", r.Class)
	if r.Left != "" {
		w.Printf(", %s", r.Left)
	}
	w.Printf("), and no thread is known that ends it: %s, in ", join(r.Threads))
	w.Value(r.In)
	w.Printf("\n")
}
