package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveHeldBlocks: no block of the heap of C is lost that a live object of Node, the JVM, Python or Go
// with C has by what the program has written down.
func TestLiveHeldBlocks(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth, err := os.ReadFile(filepath.Join(dir, "worlds.txt"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			type lost struct {
				Type  string
				Addr  string
				Size  uint64
				Used  int
				Bytes uint64
			}
			list := records[lost](t, s, "::findleaks -v")
			if n := len(list); n == 0 || list[n-1].Used < 10 {
				t.Fatalf("%v", list)
			}
			held := 0
			for line := range strings.Lines(string(truth)) {
				f := strings.Fields(line)
				at, err := strconv.ParseUint(f[1], 0, 64)
				if err != nil {
					t.Fatalf("truth %q", line)
				}
				held++
				for _, x := range list {
					if a, err := strconv.ParseUint(x.Addr, 0, 64); err == nil && a <= at && at < a+x.Size {
						t.Errorf("%s is called lost, in the block at %s", strings.TrimSpace(line), x.Addr)
					}
				}
			}
			if held == 0 {
				t.Error("nothing is written down")
			}
		})
	}
}
