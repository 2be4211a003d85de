//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestExportSignals interrupts each kind of export at several moments: what is left is the
// whole file or nothing, and whoever else is on the machine cannot read it.
func TestExportSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens cores many times")
	}
	defaultSignals(t)
	cores, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	for command, bundle := range map[string]string{"heapsnapshot": "node-24.cdb", "hprof": "art-14-graph.cdb", "heapprof": "node-24.cdb", "heapmap": "node-24.cdb"} {
		t.Run(command, func(t *testing.T) {
			stopped := 0
			for _, delay := range []time.Duration{20, 100, 200, 400, 600, 800} {
				dir, tmp := t.TempDir(), t.TempDir()
				out := filepath.Join(dir, "out")
				cmd := exec.Command("coredbg", "-S", "-e", "::"+command+" -o "+out, filepath.Join(cores, bundle))
				cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(delay * time.Millisecond)
				cmd.Process.Signal(syscall.SIGINT)
				err := cmd.Wait()
				st, gone := os.Stat(out)
				switch {
				case err != nil && gone == nil:
					t.Errorf("after %v ms: it ended with %v, and left a file", int64(delay), err)
				case err != nil:
					stopped++
				case gone != nil || st.Size() == 0 || st.Mode().Perm() != 0o600:
					t.Errorf("after %v ms: it ended well, with %v, %v", int64(delay), st, gone)
				}
				if gone == nil {
					os.Remove(out)
				}
				for _, d := range []string{dir, tmp} {
					if left, _ := os.ReadDir(d); len(left) != 0 {
						t.Errorf("after %v ms %v is left in %s", int64(delay), left, d)
					}
				}
			}
			if stopped == 0 {
				t.Error("none was interrupted")
			}
		})
	}
}
