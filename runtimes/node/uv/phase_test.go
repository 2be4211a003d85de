package uv

import "testing"

// TestPhase names functions as stacks have them.
func TestPhase(t *testing.T) {
	for _, c := range []struct {
		stack  []string
		name   string
		inside string
	}{
		{[]string{"epoll_pwait", "uv__io_poll", "uv_run", "main"}, "poll", ""},
		{[]string{"abort", "node::Environment::CheckImmediate(uv_check_s*)", "uv_run", "main"}, "check", ""},
		{[]string{"abort", "uv__run_timers", "uv_run", "main"}, "timers", ""},
		{[]string{"v8::internal::MicrotaskQueue::RunMicrotasks", "node::InternalCallbackScope::Close", "uv__run_check",
			"uv_run"}, "check", "microtasks"},
		{[]string{"abort", "node::LoadEnvironment", "main"}, "starting", ""},
		{[]string{"abort", "main"}, "", ""},
	} {
		if p := PhaseOf(c.stack); p.Name != c.name || p.Inside != c.inside {
			t.Errorf("%v: %+v", c.stack, p)
		}
	}
}
