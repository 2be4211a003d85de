package golang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestLiveHeap compares the memory of Go's heap with the runtime.MemStats that the program has printed before
// it died.
func TestLiveHeap(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(path, "core"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			text, err := os.ReadFile(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var used, inUse, stacks, system uint64
			if _, err := fmt.Sscanf(string(text), "heap %d inuse %d stacks %d sys %d", &used, &inUse, &stacks,
				&system); err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Found() {
				if r.Name() != "go" {
					continue
				}
				mem, err := r.(runtimes.MemoryOwner).OwnMemory(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var heap, own uint64
				for _, g := range mem.Spans {
					heap += uint64(g.End - g.Start)
				}
				for _, g := range mem.Stacks {
					own += uint64(g.End - g.Start)
				}
				const printed = 64 << 10 // what printing and dying takes, in whole spans
				if mem.Used < used || mem.Used > used+printed {
					t.Errorf("%d bytes are used, the program says %d", mem.Used, used)
				}
				if own < stacks || own > stacks+printed {
					t.Errorf("stacks have %d bytes, the program says %d", own, stacks)
				}
				if heap < inUse || heap > system+printed || heap+printed < system || mem.Used+mem.Free != heap {
					t.Errorf("the heap has %d bytes, %d and %d, the program says %d of %d", heap, mem.Used,
						mem.Free, inUse, system)
				}
				return
			}
			t.Error("there is no runtime of Go")
		})
	}
}
