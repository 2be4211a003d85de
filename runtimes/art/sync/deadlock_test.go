package sync

import (
	"fmt"
	"testing"

	"coredbg/runtimes/art/frame"
)

// TestCircle: a circle begins with the lowest id, and each thread waits for the next.
func TestCircle(t *testing.T) {
	a, b, c := &frame.Thread{ID: 3}, &frame.Thread{ID: 1}, &frame.Thread{ID: 2}
	waits := []Wait{{Thread: a, Owner: a}, {Thread: &frame.Thread{}}, {Thread: b, Owners: []*frame.Thread{a, c}}, {Thread: c}}
	got := circle([]int{0, 2, 3}, waits)
	if len(got) != 3 || got[0].Thread != b || got[1].Thread != c || got[2].Thread != a {
		t.Fatalf("%v", got)
	}
	if got[0].Owner != c || got[1].Owner != a || got[2].Owner != b {
		t.Error("a thread does not wait for the next")
	}
	name := func(t *frame.Thread) string { return fmt.Sprint(t.ID) }
	if text := got[0].Words("Lock", name); text != "a Lock held by 2 and 3" {
		t.Errorf("the wait for either is %q", text)
	}
}
