package wait

import (
	"coredbg/core"
	"coredbg/crash/kernel"
)

// Fields of glibc's pthread_rwlock_t since 2.25, in bytes (nptl/pthread_rwlock_common.c,
// sysdeps/nptl/bits/struct_rwlock.h and sysdeps/x86/nptl/bits/struct_rwlock.h): the number of readers,
// with flags below, and the number of waiting writers; a futex for waiting for the phase to change, and
// one for writers that wait for each other; then the writer.
const (
	rwPhaseAt    = 8
	rwWritersAt  = 12
	rwWriterAt64 = 24
	rwWriterAt32 = 28

	rwWriting     = 1 // PTHREAD_RWLOCK_WRPHASE
	rwLocked      = 2 // PTHREAD_RWLOCK_WRLOCKED
	rwReaderShift = 3
	rwFutexUsed   = 2 // PTHREAD_RWLOCK_FUTEX_USED: there are waiters
)

// rwlockOf returns the read-write lock whose futex a thread waits on, if it is one of glibc: either
// a thread of the process writes, or some read and the thread is the writer that comes next.
func rwlockOf(p *core.Process, t *core.Thread, at core.Addr, op int, val uint32) (Wait, bool) {
	if op != kernel.FutexWaitBitset || val&rwFutexUsed == 0 || val > rwFutexUsed|1 {
		return Wait{}, false
	}
	writerAt := core.Addr(rwWriterAt64)
	if p.Arch.PtrSize == 4 {
		writerAt = rwWriterAt32
	}
	for _, offset := range []core.Addr{rwPhaseAt, rwWritersAt} {
		c := p.Cursor()
		lock := at - offset
		word, state, writer := c.U32(at), c.U32(lock), c.U32(lock+writerAt)
		if c.Err() != nil || word != val {
			continue
		}
		w := Wait{Thread: t, At: lock, Kind: RWLock}
		switch {
		case state&(rwWriting|rwLocked) == rwWriting|rwLocked && val == rwFutexUsed|1:
			if w.Owner = p.Thread(int(writer)); w.Owner != nil {
				return w, true
			}
		case offset == rwPhaseAt && val == rwFutexUsed && writer == 0 && state&(rwWriting|rwLocked) == rwLocked:
			if w.Readers = int(state >> rwReaderShift); w.Readers > 0 && w.Readers <= len(p.Threads) {
				return w, true
			}
		}
	}
	return Wait{}, false
}
