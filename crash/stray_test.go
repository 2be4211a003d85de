package crash

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestStray: a frame where there is no code is not the bug's place, whatever symbol is near: its caller is.
func TestStray(t *testing.T) {
	const at = 0x1040
	p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).Thread(1,
		map[string]uint64{"rip": at}).Process()
	frames := []stack.Frame{
		{Kind: runtimes.Native, Name: "table", PC: at, HasOffset: true, Module: "/bin/prog"},
		{Kind: runtimes.Native, Name: "dispatch", PC: 0x1100, Module: "/bin/prog"},
		{Kind: runtimes.Native, Name: "main", PC: 0x1200, Module: "/bin/prog"},
	}
	x := &examination{p: p, s: &Subject{Process: p, Thread: p.Threads[0]}, stack: &stack.Stack{Frames: frames},
		fault: fault.Fault{Cause: bugs.WildPointer, Sure: bugs.Likely, PC: at, NotCode: "zeros",
			Title:  "jump to what is not code",
			Signal: &core.Signal{Number: 11, Name: "SIGSEGV", HasAddr: true}}}
	f, ok := x.refused()
	if !ok || f.title != "jump to what is not code in dispatch" || f.sure != bugs.Likely {
		t.Errorf("%q, %v", f.title, f.sure)
	}
	if s := x.sign(f.cause); s.Name != "wild-pointer | dispatch | main" {
		t.Errorf("signature %q", s.Name)
	}
}
