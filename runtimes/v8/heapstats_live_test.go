package v8_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/heap"
)

// A heapTruth is what v8.getHeapStatistics() and v8.getHeapSpaceStatistics()
// said in the process, right before it died.
type heapTruth struct {
	Heap   map[string]uint64 `json:"heap"`
	Spaces []struct {
		Name      string `json:"space_name"`
		Size      uint64 `json:"space_size"`
		Used      uint64 `json:"space_used_size"`
		Available uint64 `json:"space_available_size"`
		Physical  uint64 `json:"physical_space_size"`
	} `json:"spaces"`
}

// TestHeapStatistics: testdata/cores/sources/v8/limits.js.
func TestHeapStatistics(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(dir, "statistics.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want []heapTruth
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			seen := map[core.Addr]bool{}
			var got []*heap.HeapStatistics
			for _, th := range p.Threads {
				a, ok := v.Objects.Isolate(th)
				if !ok || seen[a] {
					continue
				}
				seen[a] = true
				s, err := v.Heaps.HeapStatistics(a)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, s)
			}
			if len(got) != len(want) {
				t.Fatalf("%d isolates, want %d", len(got), len(want))
			}
			for i := range got {
				compareStatistics(t, got[i], want[i])
			}
		})
	}
}

// sinceTruth is how many bytes a program may have allocated at most between its
// account and its death: it writes a file and throws out a stack.
const sinceTruth = 64 << 10

// compareStatistics checks that limits and counts are exact. A value that changes with every allocation may
// differ by as much as the death allocated.
func compareStatistics(t *testing.T, got *heap.HeapStatistics, want heapTruth) {
	t.Helper()
	compare := func(name string, got heap.HeapStatistic, want uint64) {
		var grown int64
		switch {
		case !got.Known:
			t.Errorf("%s: unknown, want %d", name, want)
			return
		case strings.Contains(name, "available"):
			grown = int64(want - got.Value)
		case strings.Contains(name, "used_heap"), strings.Contains(name, "space_used"),
			strings.Contains(name, "physical"):
			grown = int64(got.Value - want)
		case name == "total_allocated_bytes":
			// Counts areas for allocation as they are handed out: see GetTotalAllocatedBytes.
			grown = min(int64(got.Value-want), sinceTruth)
		default:
			if got.Value != want {
				t.Errorf("%s: %d, want %d", name, got.Value, want)
			}
			return
		}
		if grown < 0 || grown > sinceTruth {
			t.Errorf("%s: %d, want %d and at most %d bytes more in use", name, got.Value, want, sinceTruth)
		}
	}
	for _, x := range got.Heap {
		// Node 25 does not take this number from GetHeapStatistics.
		if w, ok := want.Heap[x.Name]; ok && (x.Known || x.Name != "total_allocated_bytes") {
			compare(x.Name, x, w)
		}
	}
	// The account of limits.js: --max-old-space-size=96 --max-semi-space-size=2,
	// the worker's resourceLimits.
	limits := map[string]bool{}
	for _, x := range got.Heap[len(got.Heap)-2:] {
		limits[fmt.Sprintf("%s %d", x.Name, x.Value)] = x.Known
	}
	if want.Heap["heap_size_limit"] == 102<<20 && (!limits["max_old_generation_size 100663296"] ||
		!limits["max_semi_space_size 2097152"]) {
		t.Errorf("limits: %v", limits)
	}
	for i, s := range want.Spaces {
		if i >= len(got.Spaces) || got.Spaces[i].Name != s.Name {
			t.Errorf("space %d is not %s", i, s.Name)
			continue
		}
		for k, w := range []uint64{s.Size, s.Used, s.Available, s.Physical} {
			compare(s.Name+" "+got.Spaces[i].Sizes[k].Name, got.Spaces[i].Sizes[k], w)
		}
	}
	if len(got.Spaces) != len(want.Spaces) {
		t.Errorf("%d spaces, want %d", len(got.Spaces), len(want.Spaces))
	}
}
