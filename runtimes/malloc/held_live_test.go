package malloc_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/class"
)

// TestLiveHeld compares the classes of blocks with held.cc's own list.
func TestLiveHeld(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(path, "core"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			b, err := s.Native().Blocks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			n, unknown := 0, 0
			for lines := bufio.NewScanner(f); lines.Scan(); {
				want, place, ok := strings.Cut(lines.Text(), "\t")
				var at uint64
				if _, err := fmt.Sscanf(place, "0x%x", &at); !ok || err != nil {
					continue
				}
				n++
				got, ok := b.At(core.Addr(at))
				switch {
				case !ok:
					t.Errorf("%v: no block, should be %q", core.Addr(at), want)
				case got.Name == want:
				case want == "Leaf" && got.Kind == class.None:
					unknown++ // only a variable of a frame leads to it, which an optimised program may keep nowhere
				default:
					t.Errorf("%v: %q by %q, should be %q", core.Addr(at), got.Name, got.Kind, want)
				}
			}
			if n < 300 || unknown > 1 {
				t.Errorf("%d blocks, %d not known", n, unknown)
			}
		})
	}
}
