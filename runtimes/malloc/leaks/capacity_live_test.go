package leaks_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/leaks"
)

// openSession opens the core in a folder, and returns its heaps and the unused capacity in them.
func openSession(t *testing.T, dir string) (s *coredbg.Session, heaps []*block.Heap, unused []block.Span) {
	t.Helper()
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	h, err := s.Native().Malloc(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unused, err = s.Native().Unused(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, block.Heaps(t.Context(), h.All), unused
}

// TestLiveCapacity compares the lost blocks with capacity.cc's own list. Blocks are lost if only the unused
// capacity of a vector leads to them; a struct that looks like a vector holds all its blocks. If the capacity
// is not known, only "dropped" is lost, whose vectors are gone.
func TestLiveCapacity(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, heaps, unused := openSession(t, path)
			blocks, err := s.Native().Blocks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if all := blocks.Unused(); !slices.Equal(unused, all) {
				t.Errorf("unused capacity of %d blocks alone, and of %d with all types", len(unused), len(all))
			}
			lost := map[core.Addr]bool{}
			find := func(unused []block.Span) {
				clear(lost)
				_, err := leaks.Find(t.Context(), s.Process, heaps,
					leaks.Options{Unused: unused, Lost: func(a core.Addr, _ uint64) { lost[a] = true }})
				if err != nil {
					t.Fatal(err)
				}
			}
			find(unused)
			f, err := os.Open(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			listed, wrong := map[string]int{}, map[string]int{}
			for lines := bufio.NewScanner(f); lines.Scan(); {
				var state, tag string
				var at uint64
				if _, err := fmt.Sscanf(lines.Text(), "%s 0x%x %s", &state, &at, &tag); err != nil {
					continue
				}
				listed[state]++
				if lost[core.Addr(at)] != (state == "lost") {
					wrong[state+" "+tag]++
				}
			}
			if len(wrong) > 0 || listed["lost"] < 80 || listed["held"] < 80 {
				t.Errorf("of %v, wrong: %v", listed, wrong)
			}
			if len(lost) != listed["lost"] {
				t.Errorf("%d blocks are lost, %d of them listed", len(lost), listed["lost"])
			}
			if find(nil); len(lost) != 28 {
				t.Errorf("%d blocks are lost without the vectors' capacity, want 28", len(lost))
			}
		})
	}
}
