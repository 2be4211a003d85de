package crash

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
)

// TestRaised: a signal that a process sends to itself has a verdict, except for the processor's
// signals, which a handler may have raised again, and a snapshot's.
func TestRaised(t *testing.T) {
	for _, c := range []struct {
		name     string
		pid      int
		snapshot bool
		cause    bugs.Cause
		title    string
	}{
		{"SIGTERM", 7, false, bugs.Killed, "SIGTERM, which the process sent to itself"},
		{"SIGUSR1", 7, false, bugs.Killed, "SIGUSR1, which the process sent to itself"},
		{"SIGTERM", 9, false, bugs.Killed, "SIGTERM sent by pid 9, uid 0"},
		{"SIGXCPU", 7, false, bugs.Killed, "SIGXCPU, which the process sent to itself"},
		{"SIGXCPU", 0, false, bugs.Killed, "SIGXCPU sent from outside of the process' pid namespace"},
		{"SIGXFSZ", 7, false, bugs.ResourceLimit,
			"the process has reached its limit on the size of a file that it writes (RLIMIT_FSIZE)"},
		{"SIGXFSZ", 9, false, bugs.Killed, "SIGXFSZ sent by pid 9, uid 0"},
		{"SIGSEGV", 7, false, bugs.Unknown, "process terminated by SIGSEGV, code 0, sent by pid 7 uid 0"},
		{"SIGTERM", 7, true, bugs.Snapshot, "a snapshot of a process that was stopped by SIGTERM, code 0, sent by pid 7 uid 0"},
	} {
		p := coretest.New(core.AMD64).Map(0x1000, code(0x0f, 0x05)).Words(0x80000, 0).Thread(7,
			map[string]uint64{"rip": 0x1002, "rsp": 0x80000}).Process()
		p.PID, p.Snapshot = 7, c.snapshot
		p.Signal = &core.Signal{Number: 15, Name: c.name, HasCode: true, HasSender: true, PID: c.pid}
		v := Analyze(context.Background(), &Subject{Process: p, Symbols: sym.NewTable(p), Thread: p.Threads[0]})
		if v.Cause != c.cause || v.Title != c.title {
			t.Errorf("%s from %d: %s, %q", c.name, c.pid, v.Cause, v.Title)
		}
	}
}

// TestSentToItself: a signal of the processor that the process sent to itself with kill is known by its
// handler's signal.
func TestSentToItself(t *testing.T) {
	p := coretest.New(core.AMD64).Thread(7, map[string]uint64{"rip": 0x1000}).Process()
	p.PID = 7
	p.Signal = &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, CodeName: "SI_TKILL", HasSender: true, PID: 7}
	for _, c := range []struct {
		first *core.Signal
		want  bool
	}{
		{&core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, CodeName: "SI_USER", HasSender: true, PID: 7}, true},
		{&core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, CodeName: "SI_USER", HasSender: true, PID: 9}, false},
		{&core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, CodeName: "SEGV_MAPERR", HasAddr: true}, false},
		{p.Signal, false},
	} {
		x := &examination{p: p, s: &Subject{Process: p, Thread: p.Threads[0]}, fault: fault.Fault{Signal: c.first}}
		if f, ok := x.raised(); ok != c.want ||
			ok && (f.cause != bugs.Killed || f.title != "SIGSEGV, which the process sent to itself") {
			t.Errorf("%s: %v, %+v", c.first.CodeName, ok, f)
		}
	}
}

// code puts instructions into memory, with nothing after them.
func code(b ...byte) []byte { return append(b, make([]byte, 64)...) }
