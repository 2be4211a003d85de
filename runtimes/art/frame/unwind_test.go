package frame

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/walk"
)

var _ walk.Unwinder = (*unwinder)(nil)

// TestNext looks up the records of a thread by stack addresses.
func TestNext(t *testing.T) {
	records := []*Activation{
		{Kind: Nterp, At: 0x1000, PC: 0x400010},
		{Kind: AOT, At: 0x1100, PC: 0x400020, Stale: true},
		{Kind: Interpreted, At: 0x1200, PC: 0x500000},
		{Kind: RuntimeSave, At: 0x1300},
		{Kind: JNI, At: 0x1400},
	}
	u := &unwinder{arch: core.AMD64, records: records, used: map[*Activation]bool{},
		stack: layout.Span{Start: 0x800, End: 0x2000}}
	for _, c := range []struct {
		from  core.Addr
		want  int // -1 for none
		point walk.Point
	}{
		{0x800, 0, walk.AfterCall},
		{0x1000, 0, walk.AfterCall},
		{0x1001, 2, walk.Virtual},
		{0x1201, 4, walk.AfterCall},
		{0x1401, -1, 0},
		{0x5000, 0, walk.AfterCall}, // of a signal handler
	} {
		f, ok := u.Next(c.from)
		switch {
		case ok != (c.want >= 0):
			t.Errorf("from %v: %v", c.from, ok)
		case ok && (f.Record != records[c.want] || f.SP != records[c.want].At || f.PC != records[c.want].PC ||
			f.Point != c.point):
			t.Errorf("from %v: %+v", c.from, f)
		}
	}
	u.claim(records[0])
	if f, _ := u.Next(0); f.Record != records[2] {
		t.Errorf("after the first was found: %+v", f)
	}
}
