package e2e

import (
	"testing"

	"coredbg/crash"
	hotspot "coredbg/runtimes/hotspot/frame"
	v8 "coredbg/runtimes/v8/frame"
)

// TestTaskCommand: package crash knows the kinds of tasks by their names in the runtimes.
func TestTaskCommand(t *testing.T) {
	for kind, want := range map[string]string{hotspot.VirtualKind: "::javathreads -g", v8.CallKind: "::promises -p",
		"another": "::stacks -a"} {
		if got := crash.TaskCommand(kind); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
