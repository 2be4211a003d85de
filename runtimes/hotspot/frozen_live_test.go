package hotspot_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
)

// TestLiveFrozen: the 200 objects that only variables of parked virtual threads have are reachable, each by a
// frame of a thread of its own, and the objects that such threads have dropped are not in the heap any more
// (sources/hotspot/Frozen.java, after a System.gc).
func TestLiveFrozen(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var text bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &text})
			g := graphIn(t, s)
			cargoes, dropped, holders, first := 0, 0, map[string]bool{}, core.Addr(0)
			g.Each(func(id graph.ID, at core.Addr) bool {
				if !g.Reachable(id, graph.Stacked) {
					return true
				}
				switch g.Type(id).Class {
				case "Frozen$Dropped":
					dropped++
				case "Frozen$Cargo":
					cargoes, first = cargoes+1, at
					for _, r := range g.Roots(id) {
						if r.Thread != nil && r.Thread.Task != nil {
							holders[r.Thread.String()] = true
						}
					}
				}
				return true
			})
			if cargoes != 200 || len(holders) != 200 || dropped > 1 {
				t.Errorf("%d objects are held by %d virtual threads, %d that were dropped are reachable; want 200 by 200, and one at most", cargoes, len(holders), dropped)
			}
			if err := s.Run(t.Context(), fmt.Sprintf("%x::gcroot", uint64(first))); err != nil {
				t.Fatal(err)
			}
			if want := regexp.MustCompile(`a frame at [0-9a-f]+, of virtual thread \d+`); !want.MatchString(text.String()) {
				t.Errorf("::gcroot does not name the thread:\n%s", text.String())
			}
		})
	}
}
