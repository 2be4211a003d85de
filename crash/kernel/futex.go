package kernel

import (
	"slices"

	"coredbg/core"
)

// Operations on a futex (Linux, include/uapi/linux/futex.h).
const (
	FutexWait       = 0
	FutexLockPI     = 6
	FutexWaitBitset = 9
	FutexLockPI2    = 13
	futexPrivate    = 128
	futexCommand    = 0x7f        // without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME
	FutexOwner      = 0x3fff_ffff // FUTEX_TID_MASK
	FutexWaiters    = 0x8000_0000
)

// A Futex is a thread's request to wait for one.
type Futex struct {
	At    core.Addr
	Op    int    // without its flags
	Val   uint32 // that the thread has seen there
	Timed bool   // it waits for a limited time
	Own   bool   // no other process may wait for it
}

// FutexOf returns the futex that a thread waits for.
func FutexOf(p *core.Process, t *core.Thread) (f Futex, ok bool) {
	number, args, ok := CallOf(p, t)
	if !ok || !slices.Contains(callings[p.Arch].Futexes, number) {
		return Futex{}, false
	}
	return Futex{core.Addr(args[0]), int(args[1] & futexCommand), uint32(args[2]), args[3] != 0,
		args[1]&futexPrivate != 0}, true
}
