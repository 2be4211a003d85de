package e2e

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/internal/grouping"
	"coredbg/triage"
)

// TestSeeds checks the grouping of cores by bug against what their program says: sources/native/seeds.cc.
func TestSeeds(t *testing.T) {
	files := coretest.Live(t)
	lines := map[string]*triage.Line{}
	for _, file := range files {
		s, err := coredbg.Open(file, coredbg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines[file] = triage.NewLine(t.Context(), &s.Target)
		s.Close()
	}
	for i, g := range grouping.All {
		c := grouping.NewCount()
		for _, file := range files {
			bug, _, _ := strings.Cut(filepath.Base(file), ".")
			c.Add(bug, cmp.Or(g.Key(lines[file]), "none: "+file))
		}
		t.Logf("%-16s purity %.3f, completeness %.3f, %d groups of %d bugs, %d cores", g.Name, c.Purity(),
			c.Completeness(), c.Groups(), c.Bugs(), len(files))
		if i > 0 {
			continue
		}
		if c.Purity() < 0.99 || c.Completeness() < 0.95 {
			t.Errorf("%s: purity %.3f, completeness %.3f", g.Name, c.Purity(), c.Completeness())
		}
		for _, file := range files {
			bug, _, _ := strings.Cut(filepath.Base(file), ".")
			l := lines[file]
			if n, bugs := c.Group(bug, l.Coarse); n < 6 || bugs > 1 {
				t.Logf("%s: %s", filepath.Base(file), l.Signature)
			}
		}
	}
}
