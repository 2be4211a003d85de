package coredbg_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sources calls visit with the Go files of the module's packages, without tests and tools for
// development.
func sources(t *testing.T, visit func(path, text string)) {
	t.Helper()
	for _, p := range listPackages(t) {
		dir := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "coredbg"), "/")
		if strings.HasPrefix(dir, "internal/") || strings.HasPrefix(dir, "bench/") || strings.HasPrefix(dir, "testdata/") {
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
			if !regexp.MustCompile(`(?m)^//\t(.*, )?` + regexp.QuoteMeta(room) + `(,| |$)|; ` + regexp.QuoteMeta(room) + ` `).Match(text) {
				t.Errorf("the comment of %s does not name %s", house, room)
			}
		}
	}
}

// TestConventions compares the statements of docs/design.md about errors and init with the code.
func TestConventions(t *testing.T) {
	design, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^type ([A-Z]\w*Error) struct`)
	named := regexp.MustCompile("`(\\w+\\.[A-Z]\\w*Error)`")
	var all []string
	sources(t, func(path, text string) {
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			all = append(all, filepath.Base(dir)+"."+m[1])
		}
		if strings.Contains(text, "\nfunc init() {") && !strings.Contains(string(design), "`"+dir+"`") {
			t.Errorf("%s has an init, and docs/design.md does not say so", path)
		}
	})
	for _, e := range all {
		if !strings.Contains(string(design), "`"+e+"`") {
			t.Errorf("docs/design.md does not name %s", e)
		}
	}
	for _, m := range named.FindAllStringSubmatch(string(design), -1) {
		if !slices.Contains(all, m[1]) {
			t.Errorf("docs/design.md names %s, which does not exist", m[1])
		}
	}
}
