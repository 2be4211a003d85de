package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveFull: the verdict on a program that died of std::bad_alloc names the blocks that fill its memory,
// as many as full.cc says.
func TestLiveFull(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var out bytes.Buffer
			s, err := coredbg.Open(filepath.Join(path, "core"), coredbg.Options{Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Run(t.Context(), "::analyze"); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var sessions, size int
			for line := range strings.Lines(string(text)) {
				fmt.Sscanf(line, "%d sessions of %d", &sessions, &size)
			}
			_, rest, ok := strings.Cut(out.String(), "of it in ")
			var blocks, of int
			if _, err := fmt.Sscanf(rest, "%d blocks of %d bytes", &blocks, &of); !ok || err != nil || of != size ||
				blocks < sessions || blocks >= sessions+1000 {
				t.Errorf("%d blocks of %d bytes, the program had %d of %d: %s", blocks, of, sessions, size, &out)
			}
			if !strings.Contains(rest, "such as Session") {
				t.Errorf("the class is not named: %s", &out)
			}
		})
	}
}
