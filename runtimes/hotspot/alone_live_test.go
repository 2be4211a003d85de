package hotspot_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
)

// TestLiveAlone opens cores that hold libjvm, as JVMs write them by default, without any file: no libjvm, no
// JDK. Commands print the same as with the files, and stacks and counts are the JVM's own.
func TestLiveAlone(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var with, without bytes.Buffer
			whole := openJVM(t, dir, coredbg.Options{Stdout: &with})
			alone, err := coredbg.Open(filepath.Join(dir, "core"),
				coredbg.Options{Stdout: &without, Sysroot: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { alone.Close() })
			for _, line := range []string{"::jvm -ap", "::javathreads", "::jstackdump", "::javamonitors", "::deadlock",
				"::javaheap", "::heapstat",
				"::leaks", "::javaclass -s Grid", "::javaprint Grid.kept"} {
				with.Reset()
				without.Reset()
				err1, err2 := whole.Run(t.Context(), line), alone.Run(t.Context(), line)
				if err1 != nil || err2 != nil {
					t.Errorf("%s: %v, without files %v", line, err1, err2)
				}
				if with.Len() == 0 && line != "::leaks" || with.String() != without.String() {
					t.Errorf("%s prints %d bytes with the files and others without (%d)", line,
						with.Len(), without.Len())
				}
			}
			checkGrid(t, dir, alone)
			g := graphIn(t, alone)
			if traced(hotSpot(t, alone)) {
				checkTraced(t, counts(t, g, func(id graph.ID) bool { return g.Reachable(id, graph.Certain) }),
					counts(t, g, nil), histogram(t, dir))
				return
			}
			checkHistogram(t, counts(t, g, nil), histogram(t, dir))
		})
	}
}
