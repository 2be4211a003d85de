package wait

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// TestConditions: what the first of two threads waits for, from memory at 0x80000 where its
// condition variable is, and a stack at 0x80800.
func TestConditions(t *testing.T) {
	const cond, mutex, stack = 0x80000, 0x80100, 0x80800
	words := func(b []byte, at int, list ...uint32) {
		for i, w := range list {
			binary.LittleEndian.PutUint32(b[at+4*i:], w)
		}
	}
	longs := func(b []byte, at int, list ...uint64) {
		for i, w := range list {
			binary.LittleEndian.PutUint64(b[at+8*i:], w)
		}
	}
	glibc := func(references, wait int) func([]byte) {
		return func(b []byte) {
			longs(b, 0, uint64(wait)+2)
			words(b, references, 1<<3)
			longs(b, stack-cond+16, uint64(wait), cond, mutex, 0)
		}
	}
	for name, c := range map[string]struct {
		fill   func(b []byte)
		at     uint64
		op     uint64
		val    uint64
		timed  uint64
		mutex  core.Addr
		absent bool
	}{
		"2.36, first group":  {glibc(36, 4), cond + 40, 9 | 128, 0, 0, mutex, false},
		"2.36, second group": {glibc(36, 5), cond + 44, 9 | 128, 0, 0, mutex, false},
		"2.31, timed":        {glibc(36, 4), cond + 40, 128, 0, 0x80900, mutex, false},
		"2.41, second group": {glibc(28, 5), cond + 36, 9 | 128, 0, 0, mutex, false},
		"of another group":   {glibc(36, 5), cond + 40, 9 | 128, 0, 0, 0, true},
		"nobody uses it":     {func(b []byte) { glibc(36, 4)(b); words(b, 36, 0) }, cond + 40, 9 | 128, 0, 0, 0, true},
		"a wait to come":     {func(b []byte) { glibc(36, 4)(b); longs(b, 0, 4) }, cond + 40, 9 | 128, 0, 0, 0, true},
		"no mutex": {func(b []byte) { glibc(36, 4)(b); longs(b, stack-cond+32, 0x7000000) },
			cond + 40, 9 | 128, 0, 0, 0, true},
		"2.24": {func(b []byte) { words(b, 4, 7); longs(b, 8, 5, 2, 2, mutex) }, cond + 4, 128, 7, 0, mutex, false},
		"2.24, of several processes": {func(b []byte) { words(b, 4, 7); longs(b, 8, 5, 2, 2, ^uint64(0)) },
			cond + 4, 0, 7, 0, 0, false},
		"2.24, counts that do not fit": {func(b []byte) { words(b, 4, 7); longs(b, 8, 5, 3, 2, mutex) }, cond + 4, 128,
			7, 0, 0, true},
		"musl, between others": {func(b []byte) {
			const newer, mine, older = cond + 0x200, stack + 0x40, cond + 0x300
			longs(b, 8, newer)
			longs(b, 40, older)
			longs(b, newer-cond, 0, mine)
			longs(b, mine-cond, newer, older, 2<<32)
			longs(b, older-cond, mine, 0)
			longs(b, stack-cond+8, cond)
		}, stack + 0x40 + 20, 128, 2, 0, 0, false},
		"musl, a list that does not have it": {func(b []byte) {
			longs(b, 8, cond+0x200)
			longs(b, 40, cond+0x200)
			longs(b, 0x40+stack-cond, 0, 0, 2<<32)
			longs(b, stack-cond+8, cond)
		}, stack + 0x40 + 20, 128, 2, 0, 0, true},
		"musl, a list in a circle": {func(b []byte) {
			const mine = stack + 0x40
			longs(b, 8, mine)
			longs(b, mine-cond, 0, mine, 2<<32)
			longs(b, stack-cond+8, cond)
		}, stack + 0x40 + 20, 128, 2, 0, 0, true},
	} {
		b := make([]byte, 4096)
		c.fill(b)
		threads := waiting(core.AMD64, false, b, [4]uint64{c.at, c.op, c.val, c.timed})
		all := Blocked(t.Context(), threads)
		if c.absent {
			if len(all) > 0 {
				t.Errorf("%s: %+v", name, all)
			}
			continue
		}
		if len(all) != 1 || all[0].Kind != "condition" || all[0].At != cond || all[0].Mutex != c.mutex ||
			all[0].Timed != (c.timed != 0) || all[0].Owner != nil {
			t.Errorf("%s: %+v", name, all)
		}
	}
}
