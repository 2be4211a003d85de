package sync

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// TestLockSites follows code with loops, handlers and nested locks to dex pcs.
func TestLockSites(t *testing.T) {
	code := []uint16{
		0x001d,         // 0 monitor-enter v0
		0x011d,         // 1 monitor-enter v1
		0x0212,         // 2 const/4 v2, 0
		0x0238, 0x0004, // 3 if-eqz v2, 7
		0x011e, // 5 monitor-exit v1
		0x0228, // 6 goto 8
		0x011e, // 7 monitor-exit v1
		0x001e, // 8 monitor-exit v0
		0x000e, // 9 return-void
		0x030d, // 10 move-exception v3 (of no try)
		0x0327, // 11 throw v3
	}
	b, err := os.ReadFile(filepath.Join("..", "dex", "testdata", "debug.dex"))
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, make([]byte, -len(b)&3)...)
	c := dex.Code{Insns: core.Addr(len(b)), Units: uint32(len(code))}
	for _, u := range code {
		b = append(b, byte(u), byte(u>>8))
	}
	f, err := dex.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	for pc, want := range map[uint32][]lockSite{
		0: nil, 1: {{0, 0}}, 2: {{0, 0}, {1, 1}}, 5: {{0, 0}, {1, 1}}, 6: {{0, 0}}, 8: {{0, 0}}, 9: nil,
		10: nil, 99: nil,
	} {
		if got := lockSites(f, &c, pc); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", pc, got, want)
		}
	}
}
