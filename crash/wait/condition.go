package wait

import (
	"coredbg/core"
	"coredbg/crash/kernel"
)

// Fields of glibc's pthread_cond_t, in bytes. Since 2.25 (nptl/pthread_cond_wait.c,
// sysdeps/nptl/bits/thread-shared-types.h) it begins with a number for each wait, whose lowest bit
// selects one of two groups; each group has a futex. 2.41 removed the reference counts, so that later
// fields moved.
const (
	condSignals = 4 // bytes from a group's futex to the other's
	condSize    = 48
	condPrivate = 0 // next to the thread's own record: FUTEX_PRIVATE, FUTEX_SHARED
	condShared  = 128
)

var condLayouts = []struct{ signals, references core.Addr }{
	{40, 36}, // 2.25 to 2.40
	{32, 28}, // 2.41 and later
}

// Before 2.25 (nptl/pthread_cond_wait.c of 2.24) the futex counts all waits and wakes, which are also
// counted apart; the mutex is kept.
const (
	oldCondFutex = 4
	oldCondTotal = 8
	oldCondWoken = 24
	oldCondMutex = 32
)

// Fields of musl's pthread_cond_t (src/thread/pthread_cond_timedwait.c, src/internal/pthread_impl.h),
// in pointers: a list of nodes on the stacks of the waiters. A node has the address of its neighbours,
// its state and the futex, which is 2 until the thread is to go on.
const (
	muslCondHead  = 1
	muslCondTail  = 5
	muslCondState = 2 // of a node, in pointers
	muslCondWaits = 2
)

// Bounds of the search for a condition variable.
const (
	condStack = 2048 // bytes of a stack
	condNodes = 4096 // threads in a list
)

// conditionOf returns the condition variable that a thread waits for, with a limit of time or without,
// and the mutex that it gave up, 0 if that is not recorded. The thread's own records prove it: its
// number among the waits of the condition variable, which is on its stack next to the addresses of the
// variable and of the mutex, or its place in the list of waiters.
func conditionOf(p *core.Process, t *core.Thread, f kernel.Futex) (cond, mutex core.Addr, ok bool) {
	if f.Op != kernel.FutexWait && f.Op != kernel.FutexWaitBitset {
		return 0, 0, false
	}
	if cond, mutex, ok = newCondition(p, t, f); ok {
		return cond, mutex, true
	}
	if cond, mutex, ok = oldCondition(p, f); ok {
		return cond, mutex, true
	}
	cond, ok = muslCondition(p, t, f)
	return cond, 0, ok
}

// stackWords yields the addresses of the words that a thread's innermost frames have, and the words.
func stackWords(p *core.Process, t *core.Thread, yield func(at, word core.Addr) bool) {
	sp, ok := t.Regs.Get(p.Arch.SP)
	if !ok {
		return
	}
	size := core.Addr(p.Arch.PtrSize)
	c := p.Cursor()
	for at := core.Addr(sp); at < core.Addr(sp)+condStack; at += size {
		if word := c.Pointer(at); c.Err() != nil || !yield(at, word) {
			return
		}
	}
}

// newCondition is conditionOf for glibc 2.25 and later.
func newCondition(p *core.Process, t *core.Thread, f kernel.Futex) (cond, mutex core.Addr, ok bool) {
	size := core.Addr(p.Arch.PtrSize)
	stackWords(p, t, func(at, word core.Addr) bool {
		for _, l := range condLayouts {
			group := f.At - word - l.signals
			if word >= f.At || group != 0 && group != condSignals {
				continue
			}
			c := p.Cursor()
			mine, all, references := c.U64(at-8), c.U64(word), c.U32(word+l.references)
			m := c.Pointer(at + size)
			private := c.U32(at + 2*size)
			c.U32(m)
			if private != condPrivate && private != condShared || m >= word && m < word+condSize {
				continue
			}
			if c.Err() == nil && core.Addr(mine&1) == group/condSignals && mine < all && references>>3 > 0 && m != 0 {
				cond, mutex, ok = word, m, true
				return false
			}
		}
		return true
	})
	return cond, mutex, ok
}

// oldCondition is conditionOf for glibc before 2.25.
func oldCondition(p *core.Process, f kernel.Futex) (cond, mutex core.Addr, ok bool) {
	cond = f.At - oldCondFutex
	c := p.Cursor()
	word, total, wakes, woken := c.U32(f.At), c.U64(cond+oldCondTotal), c.U64(cond+oldCondTotal+8),
		c.U64(cond+oldCondWoken)
	mutex = c.Pointer(cond + oldCondMutex)
	if c.Err() != nil || total <= woken || wakes < woken || wakes > total || word != uint32(total+wakes) || word == 0 {
		return 0, 0, false
	}
	if mutex == core.Addr(^core.Addr(0)>>(64-8*p.Arch.PtrSize)) { // another process has it, too
		return cond, 0, true
	}
	c.U32(mutex)
	return cond, mutex, c.Err() == nil && mutex != 0
}

// muslCondition is conditionOf for musl.
func muslCondition(p *core.Process, t *core.Thread, f kernel.Futex) (cond core.Addr, ok bool) {
	size := core.Addr(p.Arch.PtrSize)
	node := f.At - muslCondState*size - 4
	sp, known := t.Regs.Get(p.Arch.SP)
	c := p.Cursor()
	if !known || f.Val != muslCondWaits || c.U32(f.At) != muslCondWaits || c.U32(f.At-4) != 0 || c.Err() != nil ||
		node < core.Addr(sp) || node >= core.Addr(sp)+condStack {
		return 0, false
	}
	stackWords(p, t, func(at, word core.Addr) bool {
		if muslListed(p, word, node) {
			cond, ok = word, true
		}
		return !ok
	})
	return cond, ok
}

// muslListed reports whether a node is in the list of a possible condition variable of musl.
func muslListed(p *core.Process, cond, node core.Addr) bool {
	size := core.Addr(p.Arch.PtrSize)
	c := p.Cursor()
	head, tail := c.Pointer(cond+muslCondHead*size), c.Pointer(cond+muslCondTail*size)
	found, before := false, core.Addr(0)
	for n, at := 0, head; ; n++ {
		if n > condNodes || at == 0 || c.Err() != nil || c.Pointer(at) != before {
			return false
		}
		found = found || at == node
		if at == tail {
			return found && c.Pointer(at+size) == 0 && c.Err() == nil
		}
		before, at = at, c.Pointer(at+size)
	}
}
