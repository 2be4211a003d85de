package wait

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// A pthread_rwlock_t of glibc for x86-64 and i386: state, writers, phase, futex of the writers, two
// paddings, flags where words have 32 bits, and who writes.
func rwlock(wide bool, state, phase, futex, writer uint32) []byte {
	words := []uint32{state, 0, phase, futex, 0, 0, writer, 0}
	if !wide {
		words = []uint32{state, 0, phase, futex, 0, 0, 0, writer}
	}
	b, _ := binary.Append(nil, binary.LittleEndian, words)
	return b
}

// TestRWLock: what two threads, 10 and 11, wait for.
func TestRWLock(t *testing.T) {
	const bitset, written, change = 9 | 128, rwFutexUsed | 1, rwFutexUsed
	for name, c := range map[string]struct {
		lock    []byte
		at      uint64 // of the futex
		val     uint64
		i386    bool
		owner   int
		readers int
		no      bool
	}{
		"to read what is written": {rwlock(true, rwWriting|rwLocked, written, 1, 11), 8, written,
			false, 11, 0, false},
		"to write what is written": {rwlock(true, rwWriting|rwLocked, 1, written, 11), 12, written,
			false, 11, 0, false},
		"to write what is written, 32": {rwlock(false, rwWriting|rwLocked, 1, written, 11), 12, written,
			true, 11, 0, false},
		"to write what is read": {rwlock(true, rwLocked|2<<3, change, 1, 0), 8, change, false, 0, 2, false},
		"the writer is none of them": {rwlock(true, rwWriting|rwLocked, written, 1, 99), 8, written,
			false, 0, 0, true},
		"more readers than threads": {rwlock(true, rwLocked|99<<3, change, 1, 0), 8, change, false, 0, 0, true},
		"it has changed meanwhile":  {rwlock(true, rwWriting|rwLocked, 1, 1, 11), 8, written, false, 0, 0, true},
		"nobody writes":             {rwlock(true, 0, written, 1, 11), 8, written, false, 0, 0, true},
		"a word at the end of a region": {rwlock(true, rwWriting|rwLocked, written, 1, 11)[:16], 8, written,
			false, 0, 0, true},
	} {
		arch := core.AMD64
		if c.i386 {
			arch = core.I386
		}
		threads := waiting(arch, false, c.lock, [4]uint64{0x80000 + c.at, bitset, c.val, 0},
			[4]uint64{0x7000000, bitset, 1, 0})
		all := Blocked(t.Context(), threads)
		if len(all) != 1 && !c.no || len(all) != 0 && c.no {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		if c.no {
			continue
		}
		w := all[0]
		owner := 0
		if w.Owner != nil {
			owner = w.Owner.TID
		}
		if w.Kind != "rwlock" || w.At != 0x80000 || owner != c.owner || w.Readers != c.readers || w.Thread.TID != 10 {
			t.Errorf("%s: %+v", name, w)
		}
	}
}
