package crash

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/stack"
)

// TestLargeFrame: a stack pointer that is not mapped has left the stack by a frame that does
// not fit, if the caller's is in a stack above it, and not too far.
func TestLargeFrame(t *testing.T) {
	const high = 0x7fff00008000
	for _, c := range []struct {
		name     string
		sp, addr uint64
		caller   core.Addr
		prot     core.Prot
		want     bugs.Cause
	}{
		{"64 MiB", high - 64<<20, high - 64<<20 - 8, high, core.Read | core.Write, bugs.StackOverflow},
		{"inlined", high - 64<<20, high - 64<<20 - 8, 0, core.Read | core.Write, bugs.StackOverflow},
		{"the access is elsewhere", high - 64<<20, 0x5000, high, core.Read | core.Write, bugs.WildPointer},
		{"the stack pointer is in the stack", high - 64, high - 72, high, core.Read | core.Write, bugs.WildPointer},
		{"the stack pointer is above", high + 64<<20, high + 64<<20 - 8, high, core.Read | core.Write,
			bugs.WildPointer},
		{"farther than any frame", high - 64<<32, high - 64<<32 - 8, high, core.Read | core.Write, bugs.WildPointer},
		{"the caller's is not writable", high - 64<<20, high - 64<<20 - 8, high, core.Read, bugs.WildPointer},
	} {
		p := coretest.New(core.AMD64).MapProt(high-0x1000, make([]byte, 0x2000), c.prot).Thread(1,
			map[string]uint64{"rsp": c.sp}).Process()
		frames := []stack.Frame{{Name: "big", SP: core.Addr(c.sp)}, {Name: "main", SP: c.caller}}
		if c.caller == 0 {
			frames = []stack.Frame{frames[0], {Name: "outer", SP: core.Addr(c.sp)}, {Name: "main", SP: high}}
		}
		x := &examination{p: p, s: &Subject{Process: p, Thread: p.Threads[0]}, stack: &stack.Stack{Frames: frames},
			fault: fault.Fault{Signal: &core.Signal{Number: 11, Name: "SIGSEGV", HasAddr: true,
				Addr: core.Addr(c.addr)}}}
		f := finding{cause: bugs.WildPointer, sure: bugs.Likely}
		if x.largeFrame(&f); f.cause != c.want {
			t.Errorf("%s: %s, %q, want %s", c.name, f.cause, f.evidence, c.want)
		}
	}
}
