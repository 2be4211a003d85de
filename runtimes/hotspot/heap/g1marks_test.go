package heap

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestMarks: below the top a walk goes on at the next object with a bit. From the top on all objects live,
// and so do objects whose bits the core does not have.
func TestMarks(t *testing.T) {
	const begin, bitmapAt = 0x100000, 0x5000
	p := coretest.New(core.AMD64).Words(bitmapAt, 1|1<<5, 0, 1<<63, 1).Process()
	b := &bitmap{begin: begin, shift: 3, words: bitmapAt, p: p}
	m := &marks{b, begin + 8*256}
	for at, want := range map[core.Addr]core.Addr{0: 0, 1: 5, 5: 5, 6: 191, 191: 191, 192: 192, 193: 240} {
		if got := m.next(begin+8*at, begin+8*240); got != begin+8*want {
			t.Errorf("after object %d comes %v, want %d", at, got, want)
		}
	}
	if got := m.next(begin+8*193, begin+8*300); got != m.top {
		t.Errorf("after the last object comes %v, want the top", got)
	}
	lost := &marks{&bitmap{begin: begin, shift: 3, words: 0x9000, p: p}, begin + 8*64}
	if got := lost.next(begin+8, begin+8*64); got != begin+8 {
		t.Errorf("without the bitmap: %v", got)
	}
}
