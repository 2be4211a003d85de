package uv

import (
	"slices"
	"strings"
)

// A LoopPhase is what the event loop of a thread is doing.
type LoopPhase struct {
	// "timers", "pending", "idle", "prepare", "poll", "check", "closing"; "starting", "stopped", "between";
	// "" if unknown
	Name string
	// Inside says what runs in it: "microtasks", "nextTick"; "" if neither is
	// on the stack.
	Inside string
	// By is the function on the stack that shows it.
	By string
}

// loopPhases are the functions of libuv that run the phases of uv_run
// (src/unix/core.c), and of Node that run what comes before and after.
var loopPhases = []struct{ function, phase string }{
	{"uv__run_timers", "timers"}, {"uv__run_pending", "pending"}, {"uv__run_idle", "idle"},
	{"uv__run_prepare", "prepare"}, {"uv__io_poll", "poll"}, {"uv__run_check", "check"},
	{"uv__run_closing_handles", "closing"}, {"uv__finish_close", "closing"},
	// Callbacks of phases whose function was inlined into uv_run.
	{"node::Environment::RunTimers", "timers"}, {"node::Environment::CheckImmediate", "check"},
	{"uv_run", "between"},
	{"node::EmitProcessBeforeExit", "stopped"}, {"node::EmitProcessExit", "stopped"},
	{"node::LoadEnvironment", "starting"}, {"node::worker::Worker::Run", "starting"},
}

// PhaseOf returns the phase of the event loop from the names of the native
// functions on a thread's stack, innermost first.
func PhaseOf(functions []string) LoopPhase {
	var p LoopPhase
	for _, p2 := range loopPhases {
		i := slices.IndexFunc(functions, func(f string) bool { return base(f) == p2.function })
		if i < 0 {
			continue
		}
		p.Name, p.By = p2.phase, p2.function
		break
	}
	for _, f := range functions {
		switch b := base(f); {
		case strings.HasSuffix(b, "MicrotaskQueue::RunMicrotasks"):
			p.Inside = "microtasks"
		case b == "node::InternalCallbackScope::Close" && p.Inside == "":
			p.Inside = "nextTick"
		}
	}
	return p
}

// base cuts the parameters off a demangled name.
func base(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 {
		name = name[:i]
	}
	return name
}
