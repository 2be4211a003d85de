package e2e

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/lang"
)

// TestCutWhileOpen shortens a core that is open. Every later query returns an error that says so, or an
// answer that was known before, and never ends the program.
func TestCutWhileOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("it copies and opens a core of Node many times")
	}
	whole, err := os.ReadFile("../../testdata/cores/node-24.cdb")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"::status", "::stack -v", "::stacks -a", "::threads", "::findstr needle", "1000::ugrep", "<rsp/10X",
		"<rip::dis", "<rsp::whatis", "::jsstack -av", "::findjsobjects", "::findjsobjects -c Array", "::coverage",
		"::objects -v",
		"<rsp,8/naX ! cat", "::walk thread | ::stack", "::jsfunctions",
	} {
		path := filepath.Join(t.TempDir(), "core")
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		s, err := coredbg.Open(path, coredbg.Options{Search: []string{"../../testdata/cores"}, Stdout: &stdout,
			Stderr: &stderr})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 8192); err != nil {
			t.Fatal(err)
		}
		err = s.Run(t.Context(), line)
		var failed *lang.FailedError
		if err != nil && !errors.As(err, &failed) {
			t.Errorf("%s: %v", line, err)
		}
		said := stdout.String() + stderr.String()
		if !strings.Contains(said, "cut short") || strings.Contains(said, "internal error") {
			t.Errorf("%s: it does not say that the core was cut\n%.600s", line, said)
		}
		s.Process.Close()
	}
}
