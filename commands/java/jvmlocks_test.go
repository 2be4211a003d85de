package java

import (
	"encoding/json"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A twoLocks is a machine whose frames hold two locks. The innermost one waits for the first.
type twoLocks struct{ runtimes.JavaLocker }

func (twoLocks) FrameLocks(_ *core.Thread, _ *walk.Frame, source int, innermost bool) []runtimes.JavaLock {
	first := runtimes.JavaLock{Kind: runtimes.LockHeld, Addr: core.Addr(0x10 + 0x100*source), Class: "a.A"}
	if innermost {
		first.Kind = runtimes.LockEnter
	}
	return []runtimes.JavaLock{first, {Kind: runtimes.LockHeld, Missing: "gone"}}
}

// TestLocker: a frame has all its locks under one key, frames that share a frame of the machine are counted
// from 0, and only the first frame of a thread waits.
func TestLocker(t *testing.T) {
	l := &locker{r: twoLocks{}}
	java := &runtimes.SourceFrame{Kind: runtimes.Java}
	shared := &walk.Frame{Record: 1}
	var frames [4]stack.Frame
	l.add(&frames[0], &walk.Frame{Record: 0}, nil)
	l.add(&frames[1], shared, java)
	l.add(&frames[2], shared, java)
	l.add(&frames[3], &walk.Frame{Record: 2}, java)
	if len(frames[0].Extra) != 0 {
		t.Errorf("a native frame has %s", frames[0].Extra)
	}
	for i, want := range []struct {
		kind, addr, text string
	}{
		{"lock", "0x10", "- waiting to lock <0x0000000000000010> (a a.A)"},
		{"locked", "0x110", "- locked <0x0000000000000110> (a a.A)"},
		{"locked", "0x10", "- locked <0x0000000000000010> (a a.A)"},
	} {
		f := &frames[i+1]
		if len(f.Extra) != 1 || f.Extra[0].Key != "locks" {
			t.Fatalf("frame %d has %v", i, f.Extra)
		}
		var locks []struct{ Kind, Addr, Missing string }
		if err := json.Unmarshal(f.Extra[0].Value, &locks); err != nil || len(locks) != 2 ||
			locks[0].Kind != want.kind || locks[0].Addr != want.addr || locks[1].Missing != "gone" {
			t.Errorf("frame %d: %s, %v", i, f.Extra[0].Value, err)
		}
		if len(f.ExtraText) != 2 || f.ExtraText[0] != want.text ||
			f.ExtraText[1] != "- locked an object that is not known: gone" {
			t.Errorf("frame %d: %q", i, f.ExtraText)
		}
	}
}
