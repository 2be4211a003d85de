package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// TestLiveEngines compares the engine and the version with the program's own output.
func TestLiveEngines(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want struct{ Engine, Version string }
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || want.Engine == "" {
				t.Fatal(want, err)
			}
			path := filepath.Join(dir, "core")
			src, err := file.Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := elfcore.Open(src, path, elfcore.Options{Files: elf.Disk{}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			r, err := Probe(t.Context(), runtimes.Target{Process: p, Symbols: sym.NewTable(p)})
			if err != nil || r == nil {
				t.Fatalf("Probe: %v, %v", r, err)
			}
			if r.Name() != want.Engine || r.Version() != want.Version {
				t.Errorf("%s %s, want %s %s", r.Name(), r.Version(), want.Engine, want.Version)
			}
		})
	}
}
