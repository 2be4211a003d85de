package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/triage"
)

// TestSiteFolder: a site appears whole or not at all, is its owner's alone, and replaces only a site.
func TestSiteFolder(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "site")
	g := triage.Groups{Whole: true}
	core := filepath.Join(top, "core.1")
	g.Add(&triage.Line{Core: core, Status: triage.Read, Coarse: "k", Signature: "abort | f", Cause: "abort"})
	if err := os.WriteFile(core+".html", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listed := func() string {
		all, err := os.ReadDir(top)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range all {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := writeSite(interrupted, g.Bugs(), folder, false); err == nil || listed() != "core.1.html" {
		t.Errorf("interrupted: %v, %s", err, listed())
	}
	if err := writeSite(t.Context(), g.Bugs(), folder, false); err != nil || listed() != "core.1.html site" {
		t.Fatalf("%v, %s", err, listed())
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(pages) != 2 {
		t.Fatalf("%v, %v", pages, err)
	}
	for _, p := range pages {
		if st, err := os.Stat(p); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", p, st.Mode(), err)
		}
	}
	text, err := os.ReadFile(pages[0])
	if err != nil || !strings.Contains(string(text), `"report":"./../core.1.html"`) {
		t.Errorf("%v: no link to the report in %s", err, pages[0])
	}
	if err := writeSite(t.Context(), g.Bugs(), folder, false); err == nil ||
		!strings.Contains(err.Error(), "is not empty (-force replaces a site)") {
		t.Errorf("without -force: %v", err)
	}
	if err := writeSite(t.Context(), g.Bugs(), folder, true); err != nil || listed() != "core.1.html site" {
		t.Errorf("with -force: %v, %s", err, listed())
	}
	if err := os.WriteFile(filepath.Join(folder, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeSite(t.Context(), g.Bugs(), folder, true); err == nil ||
		!strings.Contains(err.Error(), "holds mine.txt: it is not replaced") {
		t.Errorf("another file: %v", err)
	}
}
