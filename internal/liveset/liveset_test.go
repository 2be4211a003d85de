package liveset

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// listed asks testdata/cores/make for the names of the whole set.
var listed = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("bash", root+"/testdata/cores/make", "list").Output()
})

// allNames returns the names of the whole set.
func allNames(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	out, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	names := Names(string(out))
	if len(names) < 1000 {
		t.Fatalf("%d names", len(names))
	}
	return names
}

// TestTests holds the table to the tests and to the cores: each row's test is there, and
// each of its kinds has a core.
func TestTests(t *testing.T) {
	names := allNames(t)
	functions := map[string][]string{} // by package
	seen := map[string]bool{}
	for _, row := range Tests {
		if key := row.Package + " " + row.Name; seen[key] {
			t.Errorf("%s has two rows", key)
		} else {
			seen[key] = true
		}
		if functions[row.Package] == nil {
			functions[row.Package] = testsIn(t, filepath.Join(root, row.Package))
		}
		if !slices.Contains(functions[row.Package], row.Name) {
			t.Errorf("%s has no %s", row.Package, row.Name)
		}
		for _, kind := range row.Kinds {
			if len(Matching(names, kind)) == 0 {
				t.Errorf("%s %s: no core is of the kind %s", row.Package, row.Name, kind)
			}
		}
	}
}

// testsIn returns the names of the tests and benchmarks in a folder.
func testsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

// TestKinds holds the kinds to the cores: each core belongs to a kind, each kind has a core, and
// a test uses one of its cores.
func TestKinds(t *testing.T) {
	names := allNames(t)
	of := map[string][]string{}
	for _, name := range names {
		if k := KindOf(name); k == nil {
			t.Errorf("%s is of no kind", name)
		} else {
			of[k.Name] = append(of[k.Name], name)
		}
	}
	for _, k := range Kinds {
		if len(of[k.Name]) == 0 {
			t.Errorf("no core is of the kind %s", k.Name)
		}
		if !slices.ContainsFunc(Tests, func(row Test) bool { return len(Matching(of[k.Name], row.Kinds...)) > 0 }) {
			t.Errorf("no test uses the kind %s", k.Name)
		}
		for _, pkg := range k.For {
			if _, err := os.Stat(filepath.Join(root, pkg)); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
	for _, name := range slow {
		if !slices.ContainsFunc(Kinds, func(k Kind) bool { return k.Name == name }) {
			t.Errorf("%s is slow and no kind", name)
		}
	}
}

// TestQuick holds the quick set to the cores: each name exists, and each kind that is not
// slow to get has one.
func TestQuick(t *testing.T) {
	text, err := os.ReadFile(root + "/testdata/cores/quick")
	if err != nil {
		t.Fatal(err)
	}
	quick, names := Names(string(text)), allNames(t)
	if len(quick) > MostQuick {
		t.Errorf("the quick set has %d cores, more than %d", len(quick), MostQuick)
	}
	kinds := map[string]bool{}
	for i, name := range quick {
		if !slices.Contains(names, name) || slices.Contains(quick[:i], name) {
			t.Errorf("there is no %s, or twice", name)
		}
		if k := KindOf(name); k != nil {
			kinds[k.Name] = true
		}
	}
	for _, k := range Kinds {
		if !kinds[k.Name] && !k.Slow() {
			t.Errorf("the quick set has no core of the kind %s", k.Name)
		}
	}
}

// TestSlices: the slices have each name once, and one name more moves no other.
func TestSlices(t *testing.T) {
	for k := range 40 {
		pair := Slice([]string{"node-16.20.2-maps-off", "node-16.20.2-maps-esbuild"}, k, 40)
		if len(pair) == 1 {
			t.Errorf("slice %d has %s without the core that its truth is in", k, pair[0])
		}
	}
	names := allNames(t)
	n := Slices(names)
	var all []string
	for k := range n {
		some := Slice(names, k, n)
		if len(some) < SliceSize/2 || len(some) > 2*SliceSize {
			t.Errorf("slice %d of %d has %d names", k, n, len(some))
		}
		more := Slice(append(slices.Clone(names), "another"), k, n)
		if more = slices.DeleteFunc(more, func(s string) bool { return s == "another" }); !slices.Equal(some, more) {
			t.Errorf("slice %d changes with one more name", k)
		}
		all = append(all, some...)
	}
	if slices.Sort(all); !slices.Equal(all, slices.Sorted(slices.Values(names))) {
		t.Errorf("the slices have %d names, the set %d", len(all), len(names))
	}
}

// TestOnlyTheTable finds tests that look for live cores by themselves.
func TestOnlyTheTable(t *testing.T) {
	allowed := []string{"cmd/coredbg/script_test.go", "runtimes/art/stacks_live_test.go"}
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if !bytes.Contains(text, []byte("Getenv(\"COREDBG_LIVE"+"\")")) {
			return err
		}
		found++
		if rel, _ := filepath.Rel(root, path); !slices.Contains(allowed, filepath.ToSlash(rel)) {
			t.Errorf("%s reads COREDBG_LIVE: take the cores from coretest.Live", rel)
		}
		return err
	})
	if err != nil || found != len(allowed) {
		t.Errorf("%d files read COREDBG_LIVE, %v", found, err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"node-24-deep/core", "node-26-deep/core", "art-11/core", "macho-files/a",
		"macho-files/b", "failed/node-26-oom/core"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		part  string // "-": no such file
		kind  string
		found int
		ok    bool
	}{
		{"-", "node-*-deep/core", 2, true},
		{"-", "lldb-*", 0, false},
		{"-", "node-*-oom", 0, true},
		{"", "node-*-deep/core", 2, true},
		{"", "lldb-*", 0, true},
		{"# some\nnode-24-deep\n", "node-*-deep/core", 1, true},
		{"node-24-deep\n", "art-*", 0, true}, // it belongs to another part
		{"node-24-deep\nlldb-1\n", "lldb-*/core", 0, false},
		{"node-24-deep\nnode-26-oom\n", "node-*-oom", 0, true},
		{"macho-files/b\n", "macho-files/*", 1, true},
		{"macho-files/c\n", "macho-files/*", 0, false},
		{"macho-x\n", "macho-files/*", 0, true},
	} {
		path := filepath.Join(dir, "part")
		os.Remove(path)
		if c.part != "-" {
			if err := os.WriteFile(path, []byte(c.part), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		check := func(list string) {
			s, err := Open(dir, list)
			if err != nil {
				t.Fatal(err)
			}
			found, err := s.Find(c.kind)
			if len(found) != c.found || (err == nil) != c.ok || s.Whole() != (c.part == "-") {
				t.Errorf("part %q, %s: %q, %v", c.part, c.kind, found, err)
			}
		}
		check("")
		if len(Names(c.part)) > 0 && c.part != "-" { // the same list, given with a whole set
			list := filepath.Join(t.TempDir(), "list")
			if err := os.Rename(path, list); err != nil {
				t.Fatal(err)
			}
			check(list)
		}
	}
	for _, list := range []string{os.DevNull, filepath.Join(dir, "nothing")} {
		if _, err := Open(dir, list); err == nil {
			t.Errorf("%s is a list", list)
		}
	}
}

// TestRecipesNamedOnce: make sources all recipes into one shell, where the last function of a name is the one
// that runs.
func TestRecipesNamedOnce(t *testing.T) {
	recipes, err := filepath.Glob("../../testdata/cores/make.d/*.sh")
	if err != nil || len(recipes) < 5 {
		t.Fatal(recipes, err)
	}
	begins := regexp.MustCompile(`(?m)^([a-z_0-9]+)\(\)`)
	in := map[string]string{}
	for _, path := range recipes {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range begins.FindAllStringSubmatch(string(text), -1) {
			if other, twice := in[m[1]]; twice {
				t.Errorf("%s is in %s and in %s", m[1], filepath.Base(other), filepath.Base(path))
			}
			in[m[1]] = path
		}
	}
	if len(in) < 100 {
		t.Errorf("only %d functions were found", len(in))
	}
}
