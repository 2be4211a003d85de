package crash

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/stack"
)

// What is asked of a futex (Linux, include/uapi/linux/futex.h).
const (
	futexWait       = 0
	futexLockPI     = 6
	futexWaitBitset = 9
	futexLockPI2    = 13
	futexPrivate    = 128
	futexCommand    = 0x7f        // without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME
	futexOwner      = 0x3fff_ffff // FUTEX_TID_MASK
	futexWaiters    = 0x8000_0000
)

// What a contended pthread_mutex_t of glibc holds, and where its owner is, in bytes (nptl:
// sysdeps/nptl/bits/struct_mutex.h, sysdeps/x86/nptl/bits/struct_mutex.h). How many use it
// comes next, but after the kind where words have 32 bits.
const (
	mutexContended = 2
	mutexOwnerAt   = 8
	mutexUsersAt64 = 12
	mutexUsersAt32 = 16
)

// Of a pthread_mutex_t of musl (src/internal/pthread_impl.h) the futex is the word after the
// type. It has an owner unless the mutex is a plain one.
const (
	muslTypeAt = -4
	muslTypes  = 3    // 1 is a recursive one, 2 one that checks
	muslFlags  = 0x8c // robust, priority inheritance, of several processes
)

// muslOwned reports whether the type of a mutex of musl is one whose owner is known.
func muslOwned(kind uint32) bool { return kind&muslTypes != 0 && kind&^(muslTypes|muslFlags) == 0 }

// A thread of musl has in its descriptor (src/internal/pthread_impl.h) its own address first, and side by side
// its id, errno, and a futex on which pthread_join waits, which is 2 before the end.
const (
	muslJoinable  = 2
	muslThreadID  = -8
	muslThreadMax = 128 // bytes from the beginning of the descriptor to the futex, at most
)

// nearThread is how far what a C library keeps of a thread reaches from its thread pointer.
const nearThread = 4096

// threadAt returns the thread whose descriptor has an address, as glibc lays it out: on x86-64 after
// the thread pointer, on aarch64 before it; nil if it is of none, or that is not known.
func threadAt(p *core.Process, at core.Addr) *core.Thread {
	for _, t := range p.Threads {
		if t.Registers == nil {
			continue
		}
		for _, r := range t.Registers() {
			tp := core.Addr(r.Value)
			if tp != 0 && (r.Name == "fs_base" && at-tp < nearThread || r.Name == "tpidr_el0" && tp-at <= nearThread) {
				return t
			}
		}
	}
	return nil
}

// joinStates is how many states the descriptor of a thread has for pthread_join, from glibc 2.42 on.
const joinStates = 4

// joined returns the thread whose end is waited for with a futex in its descriptor, which holds its id,
// or its state from glibc 2.42 on (nptl/pthread_join_common.c); nil if it is none. The kernel wakes
// who waits there as it would wake other processes.
func joined(p *core.Process, at core.Addr, word uint32) *core.Thread {
	t := threadAt(p, at)
	if t != nil && word != uint32(t.TID) && (word == 0 || word >= joinStates) {
		return nil
	}
	return t
}

// muslThread returns the id of the thread that has the futex in its descriptor; 0 if it is none.
func muslThread(p *core.Process, at core.Addr) uint32 {
	c := p.Cursor()
	size := core.Addr(p.Arch.PtrSize)
	id := c.U32(at.Add(muslThreadID))
	for self := at &^ (size - 1); self+muslThreadMax > at && c.Err() == nil; self -= size {
		if c.Pointer(self) == self {
			return id
		}
	}
	return 0
}

// Bounds of what is looked at of threads that wait.
const (
	maxWaiters   = 1 << 14
	placeFrames  = 64
	blamedFrames = 400
	maxCircles   = 8
	maxWaits     = 16 // sentences, of all circles
)

// A wait is a thread that waits for another one, without a limit of time.
type wait struct {
	thread *core.Thread
	owner  *core.Thread
	at     core.Addr // of the lock
	joins  bool      // it waits for the other one to end
	rw     bool      // the lock is a read-write lock
	// readers is how many threads hold a read-write lock to read, who are not known; owner is
	// nil then.
	readers int
}

// waitOf returns what a thread waits for. It knows futexes, whose arguments are still in
// registers while the kernel waits: locks that have an owner, and the id of a thread, which
// the kernel clears when it ends.
func waitOf(p *core.Process, t *core.Thread) (wait, bool) {
	f, ok := futexOf(p, t)
	if !ok || f.timed {
		return wait{}, false
	}
	at, op, val := f.at, f.op, f.val
	w := wait{thread: t, at: at}
	users := core.Addr(mutexUsersAt64)
	if p.Arch.PtrSize == 4 {
		users = mutexUsersAt32
	}
	if rw, ok := rwlockOf(p, t, at, op, val); ok {
		return rw, true
	}
	c := p.Cursor()
	word := c.U32(w.at)
	var owner uint32
	musl := false
	switch {
	case c.Err() != nil:
		return wait{}, false
	case op == futexLockPI || op == futexLockPI2:
		owner = word & futexOwner
	case op == futexWait && val == mutexContended && word == mutexContended && c.U32(w.at+users) > 0:
		owner = c.U32(w.at + mutexOwnerAt)
	case op == futexWait && word == val && word&futexWaiters != 0 && muslOwned(c.U32(w.at.Add(muslTypeAt))):
		owner, musl = word&futexOwner, true
	case op == futexWait && word == val && val == muslJoinable:
		owner, w.joins = muslThread(p, w.at), true
	case op == futexWaitBitset && word == val:
		owner, w.joins = word, true
	}
	if c.Err() != nil {
		return wait{}, false
	}
	if musl {
		w.at = w.at.Add(muslTypeAt)
	}
	if owner != 0 {
		w.owner = p.Thread(int(owner))
	}
	if w.owner == nil && !f.own && word == val && (op == futexWait || op == futexWaitBitset) {
		w.owner, w.joins = joined(p, w.at, word), true
	}
	return w, w.owner != nil && !(w.joins && w.owner == t)
}

// circles returns the threads that wait for each other, each circle once, from the thread
// on that comes first in the core.
func circles(ctx context.Context, p *core.Process) [][]wait {
	if p.Arch == nil || len(p.Threads) > maxWaiters {
		return nil
	}
	waits := map[*core.Thread]wait{}
	for _, t := range p.Threads {
		if w, ok := waitOf(p, t); ok && ctx.Err() == nil {
			waits[t] = w
		}
	}
	var out [][]wait
	done := map[*core.Thread]bool{}
	for _, t := range p.Threads {
		path := map[*core.Thread]int{}
		var list []wait
		for w, ok := waits[t]; ok && !done[w.thread]; w, ok = waits[w.owner] {
			if from, again := path[w.thread]; again {
				out = append(out, list[from:])
				break
			}
			path[w.thread] = len(list)
			list = append(list, w)
		}
		for _, w := range list {
			done[w.thread] = true
		}
	}
	return out
}

// stuck says which threads wait for each other, and for what: a sentence for each thread,
// of a long circle for its first ones.
func (x *examination) stuck() (title string, words []string) {
	all := circles(x.ctx, x.p)
	if len(all) == 0 {
		return "", nil
	}
	// Which thread comes first is chance; the name of the bug is not to be.
	x.blame(slices.MinFunc(all[0], func(a, b wait) int { return strings.Compare(x.placeOf(a.thread), x.placeOf(b.thread)) }).thread)
	threads, said := 0, 0
	for i, circle := range all {
		threads += len(circle)
		if i >= maxCircles {
			continue
		}
		for _, w := range circle[:min(len(circle), maxWaits-said)] {
			words = append(words, x.waitWords(w))
			said++
		}
	}
	if n := threads - said; n > 0 {
		words = append(words, fmt.Sprintf("%d more threads wait so: circles in all: %d", n, len(all)))
	}
	if n := len(all[0]); n > 1 {
		return fmt.Sprintf("%d threads wait for each other", n), words
	}
	return fmt.Sprintf("thread %d waits for a lock that it holds itself", all[0][0].thread.TID), words
}

func (x *examination) waitWords(w wait) string {
	s := fmt.Sprintf("thread %d", w.thread.TID)
	if p := x.placeOf(w.thread); p != "" {
		s += ", in " + p + ","
	}
	if w.joins {
		return s + fmt.Sprintf(" waits for thread %d to end", w.owner.TID)
	}
	kind := "mutex"
	if w.rw {
		kind = "read-write lock"
	}
	s += fmt.Sprintf(" waits for the %s at %v", kind, w.at)
	if name := Symbolic(x.p, x.s.Symbols, w.at); name != "" {
		s += " (" + name + ")"
	}
	if w.owner == w.thread {
		return s + ", which it holds itself"
	}
	return s + fmt.Sprintf(", which thread %d holds", w.owner.TID)
}

// placeOf says where a thread is: in which function that is not of a system's library.
func (x *examination) placeOf(t *core.Thread) string {
	if f := x.frameOf(t, func(f *stack.Frame) bool { return f.Name != "" && !x.noise(f) && !OfSystem(f) }); f != nil {
		return where(f)
	}
	return ""
}

// blame makes a thread's stack the one that the verdict is about: it is not always the one
// that a signal has hit.
func (x *examination) blame(t *core.Thread) {
	if x.s.Stacks == nil || x.s.Stacks.Walk == nil || x.stack != nil && x.stack.Thread == t {
		return
	}
	if st := x.s.Stacks.Thread(x.ctx, t, stack.Options{Limit: blamedFrames}); st != nil {
		x.stack = st
	}
}

// frameOf returns the innermost frame of a thread that is asked for.
func (x *examination) frameOf(t *core.Thread, is func(*stack.Frame) bool) *stack.Frame {
	if x.s.Stacks == nil || x.s.Stacks.Walk == nil {
		return nil
	}
	st := x.s.Stacks.Thread(x.ctx, t, stack.Options{Limit: placeFrames})
	if st == nil {
		return nil
	}
	for i := range st.Frames {
		if is(&st.Frames[i]) {
			return &st.Frames[i]
		}
	}
	return nil
}

// OfSystem reports whether a frame is of the libraries that threads wait in and programs end in.
func OfSystem(f *stack.Frame) bool {
	for _, lib := range []string{"libc.so", "libc-2", "libpthread", "libstdc++", "libc++", "ld-linux", "ld-musl", "[vdso]"} {
		if strings.Contains(f.Module, lib) {
			return true
		}
	}
	return strings.HasPrefix(f.Name, "std::") || strings.HasPrefix(f.Name, "__gthread") || strings.HasPrefix(f.Name, "pthread_")
}
