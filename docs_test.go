package coredbg_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sources calls visit with the Go files of the module's packages, without tests and tools for
// development.
func sources(t *testing.T, visit func(path, text string)) {
	t.Helper()
	for _, p := range listPackages(t) {
		dir := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "coredbg"), "/")
		if strings.HasPrefix(dir, "internal/") || strings.HasPrefix(dir, "bench/") ||
			strings.HasPrefix(dir, "testdata/") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			visit(filepath.ToSlash(f), string(text))
		}
	}
}

// TestRoomsNamed holds the package comment of a house to its rooms.
func TestRoomsNamed(t *testing.T) {
	for house, rooms := range houses {
		text, err := os.ReadFile(filepath.Join(filepath.FromSlash(strings.TrimPrefix(house, "coredbg/")), "doc.go"))
		if err != nil || !strings.Contains(string(text), "below") {
			continue // it has no list
		}
		for _, room := range rooms {
			if !regexp.MustCompile(`(?m)^//\t(.*, )?` + regexp.QuoteMeta(room) + `(,| |$)|; ` + regexp.QuoteMeta(room) +
				` `).Match(text) {
				t.Errorf("the comment of %s does not name %s", house, room)
			}
		}
	}
}

// TestConventions compares the statement of docs/design.md about init with the code.
func TestConventions(t *testing.T) {
	design, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	sources(t, func(path, text string) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if strings.Contains(text, "\nfunc init() {") && !strings.Contains(string(design), "`"+dir+"`") {
			t.Errorf("%s has an init, and docs/design.md does not say so", path)
		}
	})
	for _, m := range regexp.MustCompile("`([a-z0-9]+/[a-z0-9/]+)`").FindAllStringSubmatch(string(design), -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("docs/design.md names %s, which does not exist", m[1])
		}
	}
}
