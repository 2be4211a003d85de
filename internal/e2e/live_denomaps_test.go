package e2e

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
	"coredbg/core/coretest"
)

// TestLiveDenoMaps: frames and promises of TypeScript in Deno are where Deno itself says that they are, by the map
// that is left in its memory; a bundle of the core has what that takes, and one without the heap marks what runs as
// generated.
func TestLiveDenoMaps(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Trace  []string
				Awaits string
			}
			readJSON(t, filepath.Join(dir, "truth.json"), &truth)
			paths := []string{filepath.Join(dir, "core")}
			bundled := strings.HasSuffix(dir, "-2.9.6") // which takes a while
			if bundled {
				whole, _ := writeBundle(t, dir, coredbg.Options{}, coredbg.BundleOptions{})
				paths = append(paths, whole)
			}
			for _, path := range paths {
				s := openLive(t, path)
				type stack struct{ Stack string }
				got := records[stack](t, s, "::jsstack -e")
				if len(got) != 1 {
					t.Fatalf("%d stacks", len(got))
				}
				// The innermost function has gone on since it said its stack.
				lines := strings.Split(got[0].Stack, "\n")[2:]
				want := truth.Trace[1:] // at most as many as Error.stackTraceLimit
				if lines = lines[:min(len(lines), len(want))]; strings.Join(lines, "\n") != strings.Join(want, "\n") {
					t.Errorf("%s: the stack is\n%s\nwant\n%s", path, strings.Join(lines, "\n"),
						strings.Join(want, "\n"))
				}
				if text := printed(t, s, "::promises -p"); !strings.Contains(text, " "+truth.Awaits+"\n") {
					t.Errorf("%s: ::promises has no %s:\n%s", path, truth.Awaits, text)
				}
				if text := printed(t, s, "::status"); strings.Contains(text, "generated") ||
					!strings.Contains(text, "blocked by spin (file://") {
					t.Errorf("%s: ::status: %s", path, text)
				}
			}
			if !bundled {
				return
			}
			stacks, _ := writeBundle(t, dir, coredbg.Options{}, coredbg.BundleOptions{Stacks: true})
			if text := printed(t, openLive(t, stacks), "::jsstack"); !strings.Contains(text,
				"generated code, no source map") {
				t.Errorf("without the heap:\n%s", text)
			}
		})
	}
}

// printed returns what a command prints.
func printed(t *testing.T, s *coredbg.Session, line string) string {
	t.Helper()
	var b bytes.Buffer
	s.JSON, s.Out = false, out.NewBuffered(&b)
	if err := s.Run(t.Context(), line); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return b.String()
}
