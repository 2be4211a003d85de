//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSiteInterrupted ends "coredbg groups -html" after its first pages. It is gone at once, and so is all
// that it wrote.
func TestSiteInterrupted(t *testing.T) {
	defaultSignals(t)
	var lines strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&lines, `{"type":"triage","status":"read","core":"/cores/%d","coarse":"k%[1]d","signature":"abort | f%[1]d","cause":"abort","rules":8}`+"\n", i)
	}
	input := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(input, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		top := t.TempDir()
		cmd := exec.Command("coredbg", "groups", "-html", filepath.Join(top, "site"), input)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watch := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		for until := time.Now().Add(50 * time.Second); ; time.Sleep(time.Millisecond) {
			if pages, _ := filepath.Glob(filepath.Join(top, ".site-*", "bug-*.html")); len(pages) > 0 {
				break
			}
			if time.Now().After(until) {
				t.Fatal("no page appears")
			}
		}
		started := time.Now()
		cmd.Process.Signal(sig)
		err := cmd.Wait()
		watch.Stop()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFatal {
			t.Errorf("%v: it ended with %v", sig, err)
		}
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%v: it ended after %v", sig, took)
		}
		if left, _ := os.ReadDir(top); len(left) != 0 {
			t.Errorf("%v: %v is left", sig, left)
		}
	}
}
