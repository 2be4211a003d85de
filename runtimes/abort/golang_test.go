package abort

import (
	"testing"

	"coredbg/runtimes"
)

// TestGoCaller: the caller is the program's, not a package that ends the program for Go's runtime.
func TestGoCaller(t *testing.T) {
	for _, c := range []struct {
		functions []string
		want      string
	}{
		{[]string{"runtime.throw", "main.(*Cache).get"}, "main.(*Cache).get"},
		{[]string{"runtime.fatal", "internal/runtime/maps.fatal", "runtime.mapassign_fast64", "main.(*Cache).put"},
			"main.(*Cache).put"},
		{[]string{"runtime.fatal", "sync.fatal", "sync.(*Mutex).unlockSlow", "sync.(*Mutex).Unlock", "main.release"},
			"main.release"},
		{[]string{"runtime.fatal", "internal/sync.fatal", "internal/sync.(*Mutex).unlockSlow", "sync.(*RWMutex).Unlock",
			"", "main.release"}, "main.release"},
		{[]string{"runtime.gopanic", "panic", "sync.(*WaitGroup).Add", "syncer.run"}, "syncer.run"},
		{[]string{"runtime.throw", "runtime.checkdead"}, ""},
	} {
		crash := &runtimes.Crash{}
		for _, f := range c.functions {
			crash.Frames = append(crash.Frames, runtimes.CrashFrame{Function: f})
		}
		if got := goCaller(crash, 0); got != c.want {
			t.Errorf("%q: %q, want %q", c.functions, got, c.want)
		}
	}
}
