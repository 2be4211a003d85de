package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
	"coredbg/internal/liveset"
	v8 "coredbg/runtimes/v8"
	"coredbg/stack"
)

// TestLiveWithoutImages: a core that is brought to another machine alone, without the program and
// its libraries, has the stack that the program wrote.
func TestLiveWithoutImages(t *testing.T) {
	for _, path := range coretest.Live(t) {
		if strings.Contains(path, "/node-12.0.0-") {
			continue // its bytecodes are known by its image alone: TestLiveUnreadImages
		}
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth liveCore
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openAlone(t, path)
			stacks := slices.Collect(s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}))
			checkJSFrames(t, stacks[0], truth.JS, truth.Above)
			for _, w := range truth.Workers {
				checkWorker(t, stacks[1:], w)
			}
		})
	}
}

// openAlone opens a core without the program and its libraries.
func openAlone(t *testing.T, path string) *commands.Session {
	t.Helper()
	s, err := coredbg.Open(path, coredbg.Options{Sysroot: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Close() })
	if _, err := v8.Among(s.Process, s.Runtimes()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLiveEmbeddersWithoutImages is the same for programs other than Node: the stack and the counts.
func TestLiveEmbeddersWithoutImages(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth embedded
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openAlone(t, path)
			// V8 has not made the positions of some functions. If only the image knows the version's
			// bytecodes, they are unknown: in three functions.
			checkQuiet(t, s, path, &truth, 3)
			v, err := v8.Among(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			checkGraphHas(t, v, truth.Made)
		})
	}
}

// TestLiveUnreadImages: where no text of the process has V8's version, or there is no table of that, it is said.
func TestLiveUnreadImages(t *testing.T) {
	why := map[string]string{
		"embedded-workerd-*":  "nothing in memory says which version it is",
		"embedded-deno-2.5.7": "no table of V8 14.0 fits",
		"node-12.0.0-*":       "no table of V8 7.4 fits",
	}
	for _, path := range coretest.Live(t) {
		s, err := coredbg.Open(path, coredbg.Options{Sysroot: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Process.Close() })
		_, err = v8.Among(s.Process, s.Runtimes())
		for kind, want := range why {
			if liveset.Is(filepath.Base(filepath.Dir(path)), kind) &&
				(err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		}
	}
}
