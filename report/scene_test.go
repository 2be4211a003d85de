package report

import (
	"testing"

	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestThrownBefore: a stack that still has the innermost function of the error is the error's own.
func TestThrownBefore(t *testing.T) {
	st := &stack.Stack{Frames: []stack.Frame{{Name: "die"}, {Name: "Pay.uncaughtException"}, {Name: "Pay.pay"}}}
	for _, x := range []struct {
		trace []runtimes.SourceFrame
		want  bool
	}{
		{nil, false},
		{[]runtimes.SourceFrame{{Name: "Pay.pay"}, {Name: "Pay.run"}}, false},
		{[]runtimes.SourceFrame{{Name: "Pay.refuse"}, {Name: "Pay.pay"}}, true},
		{[]runtimes.SourceFrame{{}}, false},
	} {
		v := &crash.Verdict{Stack: st, Causes: []runtimes.Cause{{Trace: x.trace}}}
		if got := thrownBefore(v); got != x.want {
			t.Errorf("%v: %v", x.trace, got)
		}
	}
	if thrownBefore(&crash.Verdict{}) {
		t.Error("without a stack")
	}
}
