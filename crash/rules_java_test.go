package crash

import (
	"context"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A blocker is a runtime whose main thread may wait.
type blocker struct{ blocked *runtimes.Blocked }

func (blocker) Name() string                     { return "art" }
func (blocker) Version() string                  { return "" }
func (b blocker) MainBlocked() *runtimes.Blocked { return b.blocked }

// TestUnresponsive: a main thread that waits for another one is the cause of a signal that was sent for
// a core, and with less confidence of a snapshot; not of other ends.
func TestUnresponsive(t *testing.T) {
	for _, c := range []struct {
		signal            string
		snapshot, blocked bool
		cause             bugs.Cause
		sure              bugs.Confidence
	}{
		{"SIGABRT", false, true, bugs.ANR, bugs.Likely}, {"SIGQUIT", false, true, bugs.ANR, bugs.Likely},
		{"SIGABRT", false, false, bugs.Killed, bugs.Certain},
		{"SIGTERM", false, true, bugs.Killed, bugs.Certain}, {"SIGSTOP", true, true, bugs.ANR, bugs.Possible},
		{"SIGSTOP", true, false, bugs.Snapshot, bugs.Certain},
	} {
		p := coretest.New(core.AMD64).Map(0x1000, code(0x0f, 0x05)).Words(0x80000, 0).
			Thread(7, map[string]uint64{"rip": 0x1002, "rsp": 0x80000}).Thread(8,
			map[string]uint64{"rip": 0x1002, "rsp": 0x80000}).Process()
		p.PID, p.Snapshot = 7, c.snapshot
		p.Signal = &core.Signal{Number: 6, Name: c.signal, HasCode: true, HasSender: !c.snapshot, PID: 99}
		b := blocker{}
		if c.blocked {
			b.blocked = &runtimes.Blocked{Main: p.Threads[0], Owner: p.Threads[1],
				For: "a app.Store held by thread 8, saver", Name: "saver", State: "Sleeping",
				At: "app.Main.draw (Main.java:3)"}
		}
		v := Analyze(context.Background(), &Subject{Process: p, Symbols: sym.NewTable(p), Thread: p.Threads[0],
			Runtimes: func() []runtimes.Runtime { return []runtimes.Runtime{b} }})
		if v.Cause != c.cause || v.Confidence != c.sure {
			t.Errorf("%s: %s, %s, %q", c.signal, v.Cause, v.Confidence, v.Evidence)
		}
		const words = "the main thread waits for a app.Store held by thread 8, saver, in app.Main.draw (Main.java:3)"
		if c.cause == bugs.ANR && v.Evidence[0] != words {
			t.Errorf("%q, want %q", v.Evidence[0], words)
		}
	}
}

// TestUncaughtJava: an uncaught exception is the cause if the process gave up within its handler. The
// place where it was thrown names the bug.
func TestUncaughtJava(t *testing.T) {
	for _, c := range []struct {
		class, frame string
		sender       int
		cause        bugs.Cause
		signature    string
	}{
		{"app.Refused", "java.lang.Thread.dispatchUncaughtException", 7, bugs.JavaUncaught,
			"java-uncaught | app.Bank.pay | app.Main.run"},
		{"java.lang.OutOfMemoryError", "java.lang.Thread.dispatchUncaughtException", 7, bugs.JavaOutOfMemory,
			"java-out-of-memory | app.Bank.pay | app.Main.run"},
		{"app.Refused", "app.Handler.run", 7, bugs.Abort, "abort | app.Handler.run"},
		{"app.Refused", "java.lang.Thread.dispatchUncaughtException", 99, bugs.Killed, ""},
	} {
		p := coretest.New(core.AMD64).Map(0x1000, code(0x0f, 0x05)).Words(0x80000, 0).Thread(7,
			map[string]uint64{"rip": 0x1002, "rsp": 0x80000}).Process()
		p.PID = 7
		p.Signal = &core.Signal{Number: 6, Name: "SIGABRT", HasCode: true, HasSender: true, PID: c.sender}
		cause := runtimes.Cause{Kind: runtimes.UncaughtJava, Type: c.class, Message: "no",
			At: "app.Bank.pay (Bank.java:3)", Trace: []runtimes.SourceFrame{
				{Kind: runtimes.Java, Name: "app.Bank.pay", File: "Bank.java", Line: 3},
				{Kind: runtimes.Java, Name: "app.Main.run", File: "Main.java", Line: 9}}}
		st := &stack.Stack{Thread: p.Threads[0],
			Frames: []stack.Frame{{Name: "abort"}, {Kind: runtimes.Java, Name: c.frame, File: "Thread.java"}}}
		v := Analyze(context.Background(), &Subject{Process: p, Symbols: sym.NewTable(p),
			Thread: p.Threads[0], Stack: st,
			Causes: func(context.Context, *stack.Stack) []runtimes.Cause { return []runtimes.Cause{cause} }})
		if v.Cause != c.cause || c.signature != "" && v.Signature.Name != c.signature {
			t.Errorf("%s in %s: %s, %q, %q", c.class, c.frame, v.Cause, v.Title, v.Signature.Name)
		}
		if c.cause == bugs.JavaUncaught && (v.Confidence != bugs.Certain ||
			!strings.Contains(v.Title, "app.Refused: no")) {
			t.Errorf("%s, %q", v.Confidence, v.Title)
		}
	}
}
