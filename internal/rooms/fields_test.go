package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// late are the function fields that are assigned after their struct was made, from another package. A room
// gets what it needs in its constructor: this list may become shorter, not longer.
var late = []string{
	"runtimes/v8/amend: layout.StringResource",
	"runtimes/v8/fit: layout.Cage",
	"runtimes/v8/fit: layout.PageMetadata",
	"runtimes/v8/fit: layout.StringResource",
	"runtimes/v8/fit: layout.Trusted",
	"runtimes/v8/fit: layout.TrustedAt",
	"runtimes/v8/page: machine.Calls",
	"runtimes/v8/page: machine.How",
	"runtimes/v8/page: machine.Loads",
}

// TestFieldsBoundLate checks that no other exported function field of a runtime's rooms is assigned from outside its
// package, by another room or by the root, which wires them.
func TestFieldsBoundLate(t *testing.T) {
	const root = "../.."
	folders, err := below(root + "/runtimes/...")
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram("coredbg", root)
	var got []string
	for _, dir := range append(folders, root) {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		list, err := p.bound(filepath.ToSlash(name), "runtimes")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, list...)
	}
	for _, x := range got {
		if !slices.Contains(late, x) {
			t.Errorf("%s is assigned after its struct was made", x)
		}
	}
	for _, x := range late {
		if !slices.Contains(got, x) {
			t.Errorf("%s is not assigned any more: take it from the list", x)
		}
	}
}

// TestBound finds assignments from another package, also where that does not import the field's package and where the
// field's type has a name. It finds neither a literal nor the package's own assignment nor another struct's field.
func TestBound(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/room/r.go": "package room\n\ntype F func()\n\ntype R struct{ Do func(); Named F; N int; do func() }\n\nfunc (r *R) own() { r.Do = nil }\n",
		"a/hall/h.go": "package hall\n\nimport \"m/a/room\"\n\ntype H struct{ R *room.R; Do func() }\n\nfunc New(f func()) *H { return &H{R: &room.R{Do: f}} }\n",
		"user/u.go":   "package user\n\nimport \"m/a/hall\"\n\ntype own struct{ Do func() }\n\nfunc f() { h := hall.New(f); h.R.Named, h.R.N = f, 1; (h.R.Do) = f; var o own; o.Do = f }\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := newProgram("m", root)
	for dir, want := range map[string]string{"user": "user: room.Do user: room.Named", "a/room": "", "a/hall": ""} {
		got, err := p.bound(dir, "a")
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v", dir, got, err)
		}
	}
}
