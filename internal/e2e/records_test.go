package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/stack"
	"coredbg/walk"
)

// TestRecordsLead walks the cores of managed runtimes without the tables and
// instructions of native code: the runtimes' own records must lead to every
// managed frame that the whole walk finds, in the same order.
func TestRecordsLead(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens many cores")
	}
	node, _ := filepath.Glob("../../testdata/cores/node-*.cdb")
	art, _ := filepath.Glob("../../testdata/cores/art-*.cdb")
	if len(node) < 2 || len(art) < 5 {
		t.Fatalf("%d cores of Node, %d of ART", len(node), len(art))
	}
	for _, path := range append(node, art...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			s, err := coredbg.Open(path, coredbg.Options{Sysroot: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			blind := stack.Engine{Process: s.Process, Symbols: s.Symbols, Runtimes: s.Runtimes,
				Walk: walk.NewTarget(s.Process, walk.Options{RecordsOnly: true}).Walk}
			all, kept := 0, 0
			for _, th := range s.Process.Threads {
				want, got := managed(t, s.Stacks, th), managed(t, &blind, th)
				all += len(want)
				for _, f := range want {
					for len(got) > 0 && got[0] != f {
						got = got[1:]
					}
					if len(got) == 0 {
						t.Errorf("thread %d lost %s", th.TID, f)
						break
					}
					kept++
					got = got[1:]
				}
			}
			if t.Logf("%d of %d managed frames", kept, all); all == 0 {
				t.Error("no managed frames")
			}
		})
	}
}

// managed returns the managed frames of a thread.
func managed(t *testing.T, s *stack.Engine, th *core.Thread) (out []string) {
	rec := s.Thread(t.Context(), th, stack.Options{ManagedOnly: true})
	for i := range rec.Frames {
		if f := &rec.Frames[i]; stack.Managed(f) {
			out = append(out, fmt.Sprintf("%s %s:%d %s", f.Name, f.File, f.Line, f.Tier))
		}
	}
	return out
}
