package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// late are the function fields that are assigned after their struct was made, from another package. A room
// gets what it needs in its constructor: this list may become shorter, not longer. Trusted in layout/gen is
// another field of the same name.
var late = []string{
	".: v8.Awaited",
	".: v8.Callbacks",
	".: v8.LastTurn",
	".: v8.Locations",
	".: v8.PackedBy",
	".: v8.SourceMaps",
	".: v8.WorkerName",
	".: v8.WorkerNames",
	"runtimes/v8/amend: layout.StringResource",
	"runtimes/v8/heap: machine.Calls",
	"runtimes/v8/heap: machine.How",
	"runtimes/v8/heap: machine.Loads",
	"runtimes/v8/layout/gen: layout.Trusted",
	"runtimes/v8: layout.Cage",
	"runtimes/v8: layout.PageMetadata",
	"runtimes/v8: layout.StringResource",
	"runtimes/v8: layout.Trusted",
	"runtimes/v8: layout.TrustedAt",
}

// TestFieldsBoundLate checks that no other exported function field of a runtime's rooms is assigned from outside its
// package, by another room or by the root, which wires them.
func TestFieldsBoundLate(t *testing.T) {
	const root = "../.."
	folders, err := below(root + "/...")
	if err != nil {
		t.Fatal(err)
	}
	var files []source
	for _, dir := range folders {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, p := range paths {
			if strings.HasSuffix(p, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, source{filepath.ToSlash(name), f})
		}
	}
	var rooms []source
	for _, s := range files {
		if strings.HasPrefix(s.dir, "runtimes/") {
			rooms = append(rooms, s)
		}
	}
	fields := funcFields(rooms)
	var got []string
	for _, s := range files {
		if s.dir == "." || strings.HasPrefix(s.dir, "runtimes/") {
			got = append(got, bound("coredbg", s, fields)...)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
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

// TestBound finds an assignment from another package, and neither a literal nor the package's own.
func TestBound(t *testing.T) {
	parse := func(text string) *ast.File {
		f, err := parser.ParseFile(token.NewFileSet(), "f.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	room := source{"room", parse("package room\n\ntype R struct{ Do func(); N int; do func() }\n\nfunc (r *R) own() { r.Do = nil }\n")}
	user := source{"user", parse("package user\n\nimport \"m/room\"\n\nfunc f() { r := &room.R{Do: f}; r.Do, r.N = f, 1 }\n")}
	fields := funcFields([]source{room, user})
	if got := bound("m", user, fields); !slices.Equal(got, []string{"user: room.Do"}) {
		t.Errorf("%q", got)
	}
	if got := bound("m", room, fields); got != nil {
		t.Errorf("%q", got)
	}
}
