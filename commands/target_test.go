package commands

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestTargetAlone: a view of a process answers without a shell and a host.
func TestTargetAlone(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x1000, 0x1111).
		Thread(7, map[string]uint64{"rip": 0x1008, "rsp": 0x1010}).Process()
	x := &Target{Process: p, Thread: p.Threads[0]}
	for name, want := range map[string]uint64{"pc": 0x1008, "rsp": 0x1010, "thread": 7} {
		if got, ok := x.Register(name); !ok || got != want {
			t.Errorf("%s: %#x, %v, want %#x", name, got, ok, want)
		}
	}
	if _, ok := RuntimeOf[closedJava](x); ok || len(x.RuntimeNames()) > 0 {
		t.Error("a process without runtimes has one")
	}
	x.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{closedJava{}} }
	if _, ok := RuntimeOf[closedJava](x); !ok || x.ThreadAt(7) != p.Threads[0] || len(x.Causes(t.Context())) > 0 {
		t.Error("the runtime or the thread is not found, or a cause is")
	}
}
