package heap

import (
	"runtime"
	"testing"
)

// TestBuildMemory bounds what a graph allocates, which ::leaks, ::heapstat -r and ::heapsnapshot rest on, in
// bytes an object. Blocks that a step has done with are used again by the next, so that all that Build
// allocates is little more than what it keeps.
func TestBuildMemory(t *testing.T) {
	src := newGrid(400_000)
	var before, built, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	g, err := Build(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&built)
	runtime.GC()
	runtime.ReadMemStats(&after)
	n := float64(g.Len())
	allocated, kept := float64(built.TotalAlloc-before.TotalAlloc)/n, float64(after.HeapAlloc-before.HeapAlloc)/n
	t.Logf("%.1f bytes an object are allocated, %.1f kept", allocated, kept)
	if g.Len() != src.objects || allocated > mostAllocated || kept > mostKept {
		t.Errorf("of %d objects: %.1f bytes for each are allocated, want %d at most; %.1f are kept, want %d", g.Len(),
			allocated, mostAllocated, kept, mostKept)
	}
	runtime.KeepAlive(g)
}

const (
	mostAllocated = 45
	mostKept      = 38
)
