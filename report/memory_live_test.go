package report

import (
	"debug/elf"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveMemory: owners have the core's memory among them. The truth is the program headers of the core, as
// debug/elf reads them: what the process had mapped, and how much of that the core has. No owner comes twice,
// and the boxes of the treemap are the touched memory.
func TestLiveMemory(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			mapped, inFile := loaded(t, filepath.Join(dir, "core"))
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			rows, err := records[memoryRow](t.Context(), s, "::memory")
			if err != nil {
				t.Fatal(err)
			}
			var sum, inCore, touched uint64
			owners := map[string]bool{}
			for _, r := range rows {
				if r.Type != "memory" {
					continue
				}
				if owners[r.Owner] || r.Touched > r.InCore || r.InCore > r.Size {
					t.Errorf("%+v", r)
				}
				owners[r.Owner] = true
				sum, inCore, touched = sum+r.Size, inCore+r.InCore, touched+r.Touched
			}
			if sum != mapped || inCore != inFile {
				t.Errorf("owners have %d bytes, %d in the core; the headers have %d and %d", sum, inCore,
					mapped, inFile)
			}
			boxes := uint64(0)
			for _, n := range memoryTree(rows).Children {
				boxes += n.Own
				for _, k := range n.Children {
					boxes += k.Own
				}
			}
			if boxes != touched || touched == 0 {
				t.Errorf("the boxes have %d bytes, owners %d", boxes, touched)
			}
		})
	}
}

// loaded returns the sums of a core's program headers.
func loaded(t *testing.T, name string) (mapped, inFile uint64) {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			mapped += p.Memsz
			inFile += p.Filesz
		}
	}
	return mapped, inFile
}
