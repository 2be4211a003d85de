package wait

import (
	"coredbg/core"
	"coredbg/crash/kernel"
)

// The value of a contended pthread_mutex_t of glibc, and the place of its owner, in bytes (nptl:
// sysdeps/nptl/bits/struct_mutex.h, sysdeps/x86/nptl/bits/struct_mutex.h). The number of users comes
// next, or after the kind if words have 32 bits.
const (
	mutexContended = 2
	mutexOwnerAt   = 8
	mutexUsersAt64 = 12
	mutexUsersAt32 = 16
)

// In a pthread_mutex_t of musl (src/internal/pthread_impl.h) the futex is the word after the type. It
// has an owner unless the mutex is a plain one.
const (
	muslTypeAt = -4
	muslTypes  = 3    // 1 is a recursive one, 2 one that checks
	muslFlags  = 0x8c // robust, priority inheritance, of several processes
)

// muslOwned reports whether the type of a mutex of musl is one whose owner is known.
func muslOwned(kind uint32) bool { return kind&muslTypes != 0 && kind&^(muslTypes|muslFlags) == 0 }

// A thread's descriptor in musl (src/internal/pthread_impl.h) begins with its own address. It has, side
// by side, the thread's id, errno, and the futex of pthread_join, which is 2 before the end.
const (
	muslJoinable  = 2
	muslThreadID  = -8
	muslThreadMax = 128 // bytes from the beginning of the descriptor to the futex, at most
)

// nearThread is the maximum distance from a thread pointer to the C library's data about the thread.
const nearThread = 4096

// threadAt returns the thread whose descriptor contains an address, as glibc lays it out: on x86-64
// after the thread pointer, on aarch64 before it; nil if there is no such thread, or the layout is not
// known.
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

// waitOf returns what a thread waits for. It knows futexes, whose arguments are still in
// registers while the kernel waits: locks that have an owner, and the id of a thread, which
// the kernel clears when it ends.
func waitOf(p *core.Process, t *core.Thread) (Wait, bool) {
	f, ok := kernel.FutexOf(p, t)
	if !ok || f.Timed {
		return Wait{}, false
	}
	at, op, val := f.At, f.Op, f.Val
	w := Wait{Thread: t, At: at, Kind: Mutex}
	if rw, ok := rwlockOf(p, t, at, op, val); ok {
		return rw, true
	}
	c := p.Cursor()
	word := c.U32(w.At)
	if c.Err() != nil {
		return Wait{}, false
	}
	o := ownerOf(p, c, &w, op, val, word)
	if c.Err() != nil {
		return Wait{}, false
	}
	if o != 0 {
		w.Owner = p.Thread(int(o))
	}
	if w.Owner == nil && !f.Own && word == val && (op == kernel.FutexWait || op == kernel.FutexWaitBitset) {
		w.Owner, w.Kind = joined(p, w.At, word), Thread
	}
	return w, w.Owner != nil && (w.Kind != Thread || w.Owner != t)
}

// ownerOf returns the id of the thread that has what w waits for, 0 if that is not known, and sets the kind of w
// and the address of the lock. word is what the futex has now.
func ownerOf(p *core.Process, c *core.Cursor, w *Wait, op int, val, word uint32) uint32 {
	users := core.Addr(mutexUsersAt64)
	if p.Arch.PtrSize == 4 {
		users = mutexUsersAt32
	}
	switch {
	case op == kernel.FutexLockPI || op == kernel.FutexLockPI2:
		return word & kernel.FutexOwner
	case op == kernel.FutexWait && val == mutexContended && word == mutexContended && c.U32(w.At+users) > 0:
		return c.U32(w.At + mutexOwnerAt)
	case op == kernel.FutexWait && word == val && word&kernel.FutexWaiters != 0 &&
		muslOwned(c.U32(w.At.Add(muslTypeAt))):
		w.At = w.At.Add(muslTypeAt)
		return word & kernel.FutexOwner
	case op == kernel.FutexWait && word == val && val == muslJoinable:
		w.Kind = Thread
		return muslThread(p, w.At)
	case op == kernel.FutexWaitBitset && word == val:
		w.Kind = Thread
		return word
	}
	return 0
}
