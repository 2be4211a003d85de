//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// defaultSignals makes the programs that a test starts die of signals even if the tests were started with them
// ignored, as by nohup and shells in the background: ignored signals are inherited, caught ones are not.
func defaultSignals(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	t.Cleanup(func() { signal.Stop(c) })
}

// TestSignals ends "coredbg bundle" while it reads its core from a pipe that
// stays open. It is gone at once, and so is all that it wrote.
func TestSignals(t *testing.T) {
	defaultSignals(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		if sig == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue // only Linux has files without names
		}
		t.Run(sig.String(), func(t *testing.T) {
			dir, tmp := t.TempDir(), t.TempDir()
			pipe := filepath.Join(tmp, "core")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("coredbg", "bundle", pipe, "-o", filepath.Join(dir, "out.cdb"))
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if _, err := w.Write(make([]byte, 256<<10)); err != nil { // more than a pipe holds: it has been read from
				t.Fatal(err)
			}
			started := time.Now()
			cmd.Process.Signal(sig)
			watch := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
			err = cmd.Wait()
			watch.Stop()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || sig != syscall.SIGKILL && exit.ExitCode() != exitFatal {
				t.Errorf("it ended with %v", err)
			}
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("it ended after %v", took)
			}
			os.Remove(pipe)
			for _, d := range []string{dir, tmp} {
				if left, _ := os.ReadDir(d); len(left) != 0 {
					t.Errorf("%v is left in %s", left, d)
				}
			}
		})
	}
}
