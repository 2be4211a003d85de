package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/internal/liveset"
)

// TestLiveHangs: the first line of a verdict on a process that hung and was killed says what it waited for,
// and the bug is named by that. The truth is what the programs do (sources/v8/hang.js and waits.mjs,
// sources/native/hang.cc).
func TestLiveHangs(t *testing.T) {
	cases := []struct{ cores, title, signature string }{
		{"node-*-hang-pool", "30 async calls await in query (", "killed | query | handle"},
		{"node-*-hang-lock", "the event loop is blocked by Atomics.wait, called by take (",
			"js-blocked-loop | take | "},
		{"node-*-hang-micro", " blocked by a queue of microtasks that does not end: poll (", "js-blocked-loop | poll"},
		{"node-*-hang-agent", "23 requests wait for a socket of Agent to 127.0.0.1:",
			"killed | onUser | queue of http.Agent"},
		{"deno-waits-*", "260 async calls await in reads (", "killed | reads"},
		{"hang-idle-killed-*", "2 threads wait for a condition, in hang_wait", "killed | hang_wait"},
		{"hang-queue-killed-*", "2 threads wait for a mutex, in hang_queue (", "killed | hang_queue"},
	}
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			s := openLive(t, file)
			for _, c := range cases {
				if !liveset.Is(name, c.cores) {
					continue
				}
				for _, v := range records[struct{ Title, Signature string }](t, s, "::analyze") {
					if !strings.Contains(v.Title, c.title) || !strings.HasPrefix(v.Signature, c.signature) {
						t.Errorf("%q, %q; want %q, %q", v.Title, v.Signature, c.title, c.signature)
					}
				}
			}
		})
	}
}
