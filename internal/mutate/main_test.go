package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inRepository changes to the top of the repository, where the command runs.
func inRepository(t *testing.T) { t.Chdir("../..") }

func TestOtherThan(t *testing.T) {
	for _, c := range []struct {
		v, want int
		unknown bool
	}{{0, 1, false}, {1, 0, false}, {-1, 0, false}, {8, 16, false}, {-24, -16, false}, {12, 16, false}, {9, 10, false},
		{0x3ff << 10, 0x3fe << 10, false}, {1 << 30, 0, false}, {unknown, 8, true}} {
		if got := otherThan(c.v, c.unknown); got != c.want {
			t.Errorf("%d becomes %d, want %d", c.v, got, c.want)
		}
	}
}

// found returns names and values of the sites in a source, and the source after they were wrapped.
func found(t *testing.T, src string, visit func(*finder, *ast.File)) (list, changed string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := goSites(path, visit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sites {
		list += fmt.Sprintf("%s=%d\n", s.name, s.value)
	}
	return list, strings.ReplaceAll(wrapped(src, sites), path, "x.go")
}

func TestSteps(t *testing.T) {
	got, changed := found(t, `package x
var some = []row{
	{"Map.A", number, "a.h", []step{{V(7, 4), 7<<2}, {V(10, 1), Unknown}}},
	{"Code.C", mixed, "b.h", []step{{V(8, 4), -1}}},
}
var other = []pair{{V(7, 4), 3}}
`, steps)
	if want := fmt.Sprintf("7.4 Map.A=28\n10.1 Map.A=%d\n8.4 Code.C=-1\n", unknown); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	if !strings.Contains(changed, `{{V(7, 4), mutated("x.go:71", 7<<2)}, {V(10, 1), mutated("x.go:89", Unknown)}}`) {
		t.Errorf("changed: %s", changed)
	}
}

func TestLiterals(t *testing.T) {
	got, _ := found(t, `package x
var a = map[string]int{"b": 4, "c": 1 << 3}
var pages = []Page{{Flags: 8, Chunk: 9, Separate: true}}
const no = 3
`, literals)
	if want := "a b=4\na c=8\npages[0] Flags=8\n"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestRows(t *testing.T) {
	got, _ := found(t, `package x
var some = []row{
	{"A.b_", "a.h", []step{{26, 8, 4}, {29, 16, 12}}, []step{{30, 1, 2}}},
	of("c", 24, 20),
	with("d", step{26, 5, 6}),
}
var shared = []step{{26, 7, 8}}
`, rows)
	if want := "A.b_ 26 wide=8\nA.b_ 26 narrow=4\nA.b_ 29 wide=16\nA.b_ 29 narrow=12\nA.b_ libstdc++ 30 wide=1\nA.b_ libstdc++ 30 narrow=2\n" +
		"c wide=24\nc narrow=20\nd 26 wide=5\nd 26 narrow=6\nshared 26 wide=7\nshared 26 narrow=8\n"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestTableSites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tsv")
	if err := os.WriteFile(path, []byte("# head\tof\tit\nA\t12\tx.h:1\nB__c\t-2\ty\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := tsvSites(path)
	if err != nil || len(sites) != 2 || sites[1].name != "B__c" || sites[1].value != -2 || sites[1].line != 3 ||
		sites[0].end-sites[0].start != 2 {
		t.Errorf("%v, %v", sites, err)
	}
}

// TestTargets finds the rows of each target, and tests in each package of its stages.
func TestTargets(t *testing.T) {
	inRepository(t)
	for name, x := range targets {
		sites, err := x.sites()
		if err != nil || len(sites) < 500 {
			t.Errorf("%s: %d rows, %v", name, len(sites), err)
		}
		for _, s := range x.stages {
			if tests, err := filepath.Glob(filepath.Join(s.pkg, "*_test.go")); s.pkg != "" &&
				(err != nil || len(tests) == 0) {
				t.Errorf("%s: no tests in %s", name, s.pkg)
			}
		}
	}
}

// TestOverlay compiles the changed sources of each target.
func TestOverlay(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles")
	}
	inRepository(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range targets {
		sites, err := x.sites()
		if err != nil {
			t.Fatal(err)
		}
		overlay, err := writeOverlay(x, sites, root, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := goCommand(t.Context(), "build", "-overlay", overlay, "./"+x.layout); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTry changes a number of ART that a test of its package holds, and sees that layouts differ with it.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles")
	}
	inRepository(t)
	x := *targets["art"]
	x.stages = x.stages[:1]
	sites, err := x.sites()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := choose(sites, options{only: "JNIEnvExt.vm_ 26 wide"})
	if err != nil || len(chosen) != 1 {
		t.Fatalf("%v, %v", chosen, err)
	}
	b, err := build(t.Context(), &x, sites, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.baseline(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if r := b.try(t.Context(), chosen[0]); r.outcome != caught {
		t.Error(r)
	}
	changed, err := b.dumped(t.Context(), &chosen[0])
	if err != nil || len(changed) == 0 || bytes.Equal(changed, b.layouts) {
		t.Errorf("no layout differs, %v", err)
	}
}

func TestChoose(t *testing.T) {
	sites := []site{{file: "a", name: "X"}, {file: "b", name: "Y"}, {file: "c", name: "Y"}}
	for _, c := range []struct {
		o    options
		want int
	}{{options{}, 3}, {options{only: "Y"}, 2}, {options{sample: 2}, 2}, {options{sample: 9}, 3}} {
		if got, err := choose(sites, c.o); err != nil || len(got) != c.want {
			t.Errorf("%+v: %v, %v", c.o, got, err)
		}
	}
	path := filepath.Join(t.TempDir(), "earlier")
	var text bytes.Buffer
	fmt.Fprintln(&text, result{sites[0], caught, "x"})
	fmt.Fprintln(&text, result{site: sites[1], outcome: missed})
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := choose(sites, options{again: path}); err != nil || len(got) != 1 || got[0].name != "Y" {
		t.Errorf("again: %v, %v", got, err)
	}
}

func TestSummarize(t *testing.T) {
	var out bytes.Buffer
	a, b := site{file: "a.go"}, site{file: "b.go"}
	summarize(&out, []result{{a, caught, ""}, {a, missed, ""}, {a, overruled, ""}, {b, caught, ""}})
	for _, want := range []string{"a.go 3 1 1 1 50.0 %", "b.go 1 1 0 0 100.0 %", "all 4 2 1 1 66.7 %"} {
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", out.String(), want)
		}
	}
}
