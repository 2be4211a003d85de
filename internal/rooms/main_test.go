package main

import (
	"os"
	"path/filepath"
	"testing"
)

// What a person can know of a package.
const (
	maxMethods = 80 // of a type
	maxCircle  = 15 // files
)

// TestRooms holds the rooms of the decoders to a size in which each line has its
// place.
func TestRooms(t *testing.T) {
	folders := []string{"../../runtimes/node"}
	for _, house := range []string{"art", "v8"} {
		rooms, err := below("../../runtimes/" + house + "/...")
		if err != nil || len(rooms) < 8 {
			t.Fatal(rooms, err)
		}
		folders = append(folders, rooms...)
	}
	for _, dir := range folders {
		m, err := measure(dir)
		if err != nil {
			t.Fatal(err)
		}
		if m.methods > maxMethods {
			t.Errorf("%s: %s has %d methods", dir, m.largest, m.methods)
		}
		if m.circle > maxCircle {
			t.Errorf("%s: %d of its %d files use each other in a circle", dir, m.circle, m.files)
		}
	}
}

// TestMeasure measures a package of four files, of which three make a circle: by
// a function, a method, and a field.
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
