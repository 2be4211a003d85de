package wait

import (
	"fmt"
	"testing"

	"coredbg/core"
	"coredbg/crash/origin"
)

// TestTaken: which locks are held at a place, by the ways through the code. A nop stands for each call.
func TestTaken(t *testing.T) {
	type call struct {
		at   int
		does string
		lock int64 // its address, 0 if that is not known
	}
	const nops = "\x90\x90\x90\x90\x90\x90"
	for _, c := range []struct {
		name, code string
		calls      []call
		at         int
		want       string
	}{
		{"one", nops, []call{{1, goLock, 8}}, 4, "8"},
		{"after the place", nops, []call{{5, goLock, 8}}, 4, ""},
		{"given back", nops, []call{{1, goLock, 8}, {2, goUnlock, 8}}, 4, ""},
		{"another one is given back", nops, []call{{1, goLock, 8}, {2, goUnlock, 16}}, 4, "8"},
		{"it is not known which one is given back", nops, []call{{1, goLock, 8}, {2, goUnlock, 0}}, 4, "8 weak"},
		{"one that is not known, and may be given back", nops, []call{{1, goLock, 0}, {2, goUnlock, 0}}, 4, ""},
		{"another kind is given back", nops, []call{{1, goRLock, 8}, {2, goUnlock, 8}}, 4, "8"},
		{"on one of two ways: nop; je 1f; nop; nop; 1: nop", "\x90\x74\x02\x90\x90\x90",
			[]call{{2, goLock, 8}}, 4, "8 weak"},
		{"given back on one of two ways", "\x90\x74\x02\x90\x90\x90",
			[]call{{0, goLock, 8}, {2, goUnlock, 8}}, 4, "8 weak"},
		{"behind a return: nop; ret; nop", "\x90\xc3\x90", []call{{0, goLock, 8}}, 2, ""},
		{"in the last turn of a loop: nop; 1: nop; nop; jmp 1b", "\x90\x90\x90\xeb\xfc",
			[]call{{2, goLock, 8}}, 1, "8 weak"},
	} {
		fn := &goFunction{Function: origin.NewFunction(core.AMD64, []byte(c.code), 0x1000, 100), arch: core.AMD64,
			at: map[int]*goCall{}, held: map[goPlace][]goTaken{}}
		for _, of := range c.calls {
			call := goCall{does: of.does, at: of.at, path: []int{of.at}}
			if of.lock != 0 {
				call.lock = &origin.Formula{Base: -1, Adds: []int64{of.lock}}
			}
			fn.calls = append(fn.calls, call)
		}
		for i := range fn.calls {
			fn.at[fn.calls[i].at] = &fn.calls[i]
		}
		got := ""
		for _, taken := range fn.takenAt(c.at, false) {
			got += fmt.Sprint(taken.call.lock.Adds[0])
			if taken.weak {
				got += " weak"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTries: a function that waits in Lock's slow path has not taken the lock by the atomic instruction
// before, but may have by an earlier Lock of the same one.
func TestTries(t *testing.T) {
	lock := &origin.Formula{Base: -1, Adds: []int64{8}}
	for _, c := range []struct {
		calls []goCall
		want  int
	}{
		{[]goCall{{does: goLock, at: 1, fast: true, lock: lock}, {does: goLock, at: 2, lock: lock}}, 0},
		{[]goCall{{does: goLock, at: 0, lock: lock}, {does: goLock, at: 1, fast: true, lock: lock},
			{does: goLock, at: 2, lock: lock}}, 1},
	} {
		fn := &goFunction{Function: origin.NewFunction(core.AMD64, []byte("\x90\x90\x90"), 0x1000, 100),
			arch:  core.AMD64,
			calls: c.calls, at: map[int]*goCall{}, held: map[goPlace][]goTaken{}}
		for i := range fn.calls {
			fn.at[fn.calls[i].at] = &fn.calls[i]
		}
		if got := fn.takenAt(2, true); len(got) != c.want {
			t.Errorf("%d calls: %+v, want %d", len(c.calls), got, c.want)
		}
	}
}
