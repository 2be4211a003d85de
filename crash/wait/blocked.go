package wait

import (
	"context"
	"encoding/binary"
	"strings"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
)

// muslBusy is the lock word of a plain musl mutex that is held and has waiters.
const muslBusy = 0x8000_0010

// muslWriting is the word of a musl read-write lock while a thread writes, without the bit for waiters;
// otherwise the word counts the readers (src/thread/pthread_rwlock_*.c).
const muslWriting = 0x7fff_ffff

// libraryFrames is how many frames a C library has between a program and the kernel, at most.
const libraryFrames = 12

// Blocked returns the threads that wait, in their order: threads that wait for others without a limit
// of time, as far as their registers alone tell, and threads that wait for a condition variable, for a
// semaphore, at a barrier, or for a lock that does not record its holder. Each has the function that it
// waits in, which requires a walk of its stack.
func Blocked(ctx context.Context, threads *where.Threads) []Wait {
	p := threads.Process
	if p.Arch == nil {
		return nil
	}
	all := map[*core.Thread]kernel.Futex{}
	shared := map[core.Addr]int{}
	for _, t := range p.Threads {
		if f, ok := kernel.FutexOf(p, t); ok {
			all[t] = f
			shared[f.At]++
		}
	}
	gates := newBarriers(ctx, p, all)
	var out []Wait
	for _, t := range p.Threads {
		f, ok := all[t]
		if ctx.Err() != nil {
			break
		}
		if !ok {
			continue
		}
		y := callsOf(ctx, threads, t)
		if y.called == "" && y.library && isSemaphore(p, f, shared[f.At]) {
			y.called = "sem_"
		}
		if isBarrier(y.called) {
			if at, ok := gates.of(t, f); ok {
				out = append(out, Wait{Thread: t, At: at, Kind: Barrier, In: y.in, Timed: f.Timed})
			}
		} else if w, ok := blockedOf(p, t, f, y.called); ok {
			w.In, w.Timed = y.in, f.Timed
			out = append(out, w)
		}
	}
	return out
}

// isSemaphore reports whether a futex belongs to a glibc semaphore with n waiters, as far as its fields
// show: no free place, the number of waiters, and the flag for use by other processes.
func isSemaphore(p *core.Process, f kernel.Futex, n int) bool {
	c := p.Cursor()
	word, second, third, fourth := c.U32(f.At), c.U32(f.At+4), c.U32(f.At+8), c.U32(f.At+12)
	if c.Err() != nil || word != f.Val || p.Arch.Order == binary.BigEndian {
		return false
	}
	waiters, private := second, third
	if p.Arch.PtrSize == 4 {
		waiters, private = fourth, second
		word-- // it has a bit for waiters
	}
	return word == 0 && int(waiters) == n && (private == condPrivate || private == condShared)
}

// blockedOf returns what a thread waits for; called is the function of the C library, without
// what comes before "pthread_" or "sem_"; "" if it is not known.
func blockedOf(p *core.Process, t *core.Thread, f kernel.Futex, called string) (Wait, bool) {
	if cond, mutex, ok := conditionOf(p, t, f); ok {
		return Wait{Thread: t, At: cond, Kind: Condition, Mutex: mutex}, true
	}
	reads := strings.HasPrefix(called, "pthread_rwlock_")
	if w, ok := waitOf(p, t); ok && (w.Kind == RWLock || !reads) {
		return w, true
	}
	c := p.Cursor()
	word := c.U32(f.At)
	if c.Err() != nil || word != f.Val {
		return Wait{}, false
	}
	w := Wait{Thread: t, At: f.At}
	switch {
	case reads && f.Op == kernel.FutexWait && word&kernel.FutexWaiters != 0:
		w.Kind = RWLock
		if n := word &^ kernel.FutexWaiters; n == muslWriting {
			w.Unrecorded = true
		} else {
			w.Readers = int(n)
		}
		return w, w.Unrecorded || w.Readers > 0 && w.Readers <= len(p.Threads)
	case strings.HasPrefix(called, "pthread_mutex_") && f.Op == kernel.FutexWait && word == muslBusy &&
		c.U32(f.At.Add(muslTypeAt))&muslTypes == 0:
		w.Kind, w.Unrecorded, w.At = Mutex, true, f.At.Add(muslTypeAt)
		return w, c.Err() == nil
	case strings.HasPrefix(called, "sem_"):
		if w.Kind = Semaphore; p.Arch.PtrSize == 8 && p.Arch.Order == binary.BigEndian {
			w.At -= 4
		}
		return w, true
	}
	return Wait{}, false
}

// waitFunctions are beginnings of functions that wait, as C libraries name them with something before.
var waitFunctions = []string{"pthread_cond_", "pthread_mutex_", "pthread_rwlock_", "pthread_barrier_", "pthread_join",
	"pthread_timedjoin", "pthread_clockjoin", "sem_"}

// A call describes how a thread came to wait.
type call struct {
	called  string // the function of the C library, from "pthread_" or "sem_" on; "" if it is not known
	in      string // the innermost function outside the system's libraries
	library bool   // the C library itself asked the kernel, not the program by way of syscall
}

// callsOf returns how a thread came to wait.
func callsOf(ctx context.Context, threads *where.Threads, t *core.Thread) (y call) {
	st := threads.Top(ctx, t)
	if st == nil || len(st.Frames) == 0 {
		return y
	}
	from := 0
	y.library = where.OfSystem(&st.Frames[0]) && st.Frames[0].Name != "syscall"
	for i := range st.Frames[:min(libraryFrames, len(st.Frames))] {
		name := strings.TrimLeft(st.Frames[i].Name, "_")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "GI_"), "new_")
		for _, w := range waitFunctions {
			if name = strings.TrimLeft(name, "_"); strings.HasPrefix(name, w) {
				y.called, from = name, i+1
			}
		}
	}
	for i := range st.Frames[from:] {
		f := &st.Frames[from+i]
		// Functions of the library that are inlined have names without "std::".
		if threads.OfProgram(f) && !strings.Contains(f.File, "/include/c++/") {
			y.in = where.Frame(f)
			break
		}
	}
	return y
}
