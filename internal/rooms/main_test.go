package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Limits for the size of a package that a person can understand.
const (
	maxMethods = 80 // of a type
	maxCircle  = 15 // files
)

// TestRooms bounds the size of all packages of the module.
func TestRooms(t *testing.T) {
	const root = "../.."
	folders, err := below(root + "/...")
	if err != nil || len(folders) < 80 {
		t.Fatal(len(folders), err)
	}
	measured := 0
	for _, dir := range folders {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if strings.HasSuffix(name, "test") || strings.HasPrefix(name+"/", "fleet/") {
			continue // fakes for tests serve every layer; fleet is a module of its own
		}
		m, err := measure(dir)
		if err != nil {
			t.Fatal(err)
		}
		if m.files > 0 {
			measured++
		}
		if m.methods > maxMethods {
			t.Errorf("%s: %s has %d methods", name, m.largest, m.methods)
		}
		if m.circle > maxCircle {
			t.Errorf("%s: %d of its %d files use each other in a circle", name, m.circle, m.files)
		}
	}
	if measured < 80 {
		t.Errorf("only %d packages have been measured", measured)
	}
}

// TestMeasure measures a package of four files. Three of them make a circle: by a function, a method,
// and a field.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":      "package p\n\nimport \"os\"\n\ntype T struct{ n int }\n\nfunc (T) one() { two(os.Args) }\n",
		"b.go":      "package p\n\nfunc two([]string) { (&T{}).three() }\n",
		"c.go":      "package p\n\nfunc (t *T) three() { t.n++ }\n",
		"d.go":      "package p\n\nfunc four() { two(nil) }\n",
		"a_test.go": "package p\n\nfunc (T) five() { four() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := measure(dir)
	if want := (measured{files: 4, circle: 3, largest: "T", methods: 2}); err != nil || m != want {
		t.Errorf("%+v, %v, want %+v", m, err, want)
	}
}
