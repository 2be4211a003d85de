package sync

import (
	"fmt"
	"testing"

	"coredbg/runtimes/art/frame"
)

// TestDeadlocks: a circle begins with the lowest id, and each thread waits for the next.
func TestDeadlocks(t *testing.T) {
	a, b, c, d := &frame.Thread{ID: 3}, &frame.Thread{ID: 1}, &frame.Thread{ID: 2}, &frame.Thread{ID: 9}
	only := func(t *frame.Thread) []*frame.Thread { return []*frame.Thread{t} }
	an := &Analyzer{waits: func() ([]Wait, error) {
		return []Wait{{Thread: a, Owner: b, Owners: only(b)}, {Thread: &frame.Thread{}},
			{Thread: b, Owner: d, Owners: []*frame.Thread{d, c}},
			{Thread: c, Owner: a, Owners: only(a)}}, nil
	}}
	circles, err := an.Deadlocks()
	if err != nil || len(circles) != 1 {
		t.Fatalf("%v, %v", circles, err)
	}
	got := circles[0]
	if len(got) != 3 || got[0].Thread != b || got[1].Thread != c || got[2].Thread != a {
		t.Fatalf("%v", got)
	}
	if got[0].Owner != c || got[1].Owner != a || got[2].Owner != b {
		t.Error("a thread does not wait for the next")
	}
	name := func(t *frame.Thread) string { return fmt.Sprint(t.ID) }
	if text := got[0].Words("Lock", name); text != "a Lock held by 2 and 9" {
		t.Errorf("the wait for both is %q", text)
	}
}
