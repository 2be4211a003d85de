package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/internal/liveset"
)

func TestRead(t *testing.T) {
	of := numbering{}
	first := "mode: set\ncoredbg/walk/a.go:1.2,3.4 2 1\ncoredbg/walk/a.go:5.1,6.2 1 0\ncoredbg/cmd/coredbg/main.go:1.1,2.2 1 1\n"
	a, err := of.read(strings.NewReader(first))
	if err != nil || a.count() != 1 || len(of) != 2 {
		t.Errorf("%v of %v, %v", a, of, err)
	}
	b, err := of.read(strings.NewReader("mode: set\ncoredbg/walk/a.go:5.1,6.2 1 1\ncoredbg/walk/b.go:1.1,2.2 1 1\n"))
	if err != nil || b.beyond(a) != 2 || a.beyond(b) != 1 {
		t.Errorf("%v beyond %v, %v", b, a, err)
	}
	if a.union(b); a.count() != 3 {
		t.Errorf("%v", a)
	}
	if _, err := of.read(strings.NewReader("nonsense\n")); err == nil {
		t.Error("a line that is none is read")
	}
}

// with returns what was measured of cores, each with the blocks up to a number from another.
func with(cores map[string][2]int) (*measured, []string) {
	m := &measured{Cores: map[string]measuredCore{}}
	var names []string
	for name, span := range cores {
		var c measuredCore
		for n := span[0]; n < span[1]; n++ {
			c.Reached.add(n)
		}
		m.Cores[name] = c
		names = append(names, name)
	}
	slices.Sort(names)
	return m, names
}

func TestChoose(t *testing.T) {
	m, names := with(map[string][2]int{
		"c-O2":                  {0, 100},
		"c-O0":                  {0, 90},    // adds nothing
		"cxx-O2":                {10, 20},   // its kind has no other
		"node-24.21.0-plain":    {100, 300}, // in the one below
		"node-24.21.0-deep":     {100, 400},
		"gov8-0.34.0":           {0, 50},    // slow
		"node-26.10.0-shapes":   {400, 402}, // too little
		"embedded-chromium":     {402, 440}, // slow, and needed
		"node-24.21.0-ends-oom": {500, 501},
	})
	chosen, reached, all := choose(m, names)
	want := []string{"c-O2", "cxx-O2", "embedded-chromium", "node-24.21.0-deep", "node-24.21.0-ends-oom"}
	if !slices.Equal(chosen, want) || reached != 439 || all != 441 {
		t.Errorf("%q with %d of %d blocks, want %q", chosen, reached, all, want)
	}
}

// TestCost: with equal blocks the core wins that needs no other release.
func TestCost(t *testing.T) {
	m, names := with(map[string][2]int{"node-24.21.0-deep": {0, 100}, "node-26.10.0-plain": {100, 110},
		"node-24.21.0-plain": {100, 110}})
	chosen, _, _ := choose(m, names)
	if want := []string{"node-24.21.0-deep", "node-24.21.0-plain"}; !slices.Equal(chosen, want) {
		t.Errorf("%q, want %q", chosen, want)
	}
	for name, want := range map[string]string{"goroutines-go1.16.15-O": "1.16.15", "art-11-amd64-demo": "art-11-amd64",
		"c-O2": "", "cut-8k": "", "node-stripped-24.21.0-env": "24.21.0"} {
		if got := releaseOf(name); got != want {
			t.Errorf("%s is made with %q, want %q", name, got, want)
		}
	}
}

func TestConcerns(t *testing.T) {
	for _, c := range []struct {
		entry, pattern string
		want           bool
	}{
		{"walk/", "walk/cfi", true}, {"walk/", "walk", true}, {"walk/", "walk/...", true},
		{"walk", "walk/cfi", false}, {"walk", "walk/...", true}, {"walk/ehabi", "walk/...", true},
		{"walk/ehabi", "walk", false}, {"runtimes/v8/", "runtimes/v8x", false},
	} {
		if got := concerns(c.entry, c.pattern); got != c.want {
			t.Errorf("%s concerns %s: %v", c.entry, c.pattern, got)
		}
	}
	for pkg, want := range map[string]string{"runtimes/v8/frame": "runtimes/v8", "walk/cfi": "walk", "stack": "stack",
		"core/elf/...": "core/elf", "crash/wait": "crash"} {
		if got := house(pkg); got != want {
			t.Errorf("%s is tested with %s, want %s", pkg, got, want)
		}
	}
}

// isNodeStack reports whether a core has the kind "node stacks".
func isNodeStack(name string) bool { return liveset.KindOf(name).Name == "node stacks" }

// TestNamed reads the sets of the module.
func TestNamed(t *testing.T) {
	t.Chdir("../..")
	s, err := readSets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	named := func(args ...string) []string {
		names, err := s.named(args)
		if err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return names
	}
	all := slices.Clone(named("quick"))
	for k := range s.slices() {
		all = append(all, named("slice", strconv.Itoa(k))...)
	}
	if slices.Sort(all); !slices.Equal(all, slices.Sorted(slices.Values(s.all))) {
		t.Errorf("the quick set and the slices have %d names, the whole set %d", len(all), len(s.all))
	}
	some, quick, whole := named("few", "./runtimes/v8/frame"), named("./runtimes/v8/frame"),
		named("all", "coredbg/runtimes/v8/frame")
	if len(some) == 0 || len(some) >= len(quick) || len(quick) >= len(whole) ||
		!slices.ContainsFunc(some, isNodeStack) {
		t.Errorf("%q, %q, %d", some, quick, len(whole))
	}
	for _, args := range [][]string{{"slice", "1000"}, {"slice"}, {"./nowhere"}, {"./chart"}, {"all"}} {
		if names, err := s.named(args); err == nil {
			t.Errorf("%q has %d names", args, len(names))
		}
	}
}

// TestNeeds: a test without a core is left out, and the commands name the others.
func TestNeeds(t *testing.T) {
	t.Chdir("../..")
	var b strings.Builder
	if err := run(t.Context(), &b, []string{"./runtimes/golang"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"TestLiveGoroutines", "  goroutines: goroutines-",
		"go test -short ./runtimes/golang/...", "go run ./internal/live set few ./runtimes/golang >", "quick check, "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b2 := strings.Builder{}
	if err := run(t.Context(), &b2, []string{"tests"}); err != nil ||
		!strings.Contains(b2.String(), "./internal/e2e TestLive\n") || strings.Contains(b2.String(), "Benchmark") {
		t.Errorf("tests: %v\n%s", err, b2.String())
	}
	if strings.Contains(b.String(), "TestLiveJS") {
		t.Errorf("a test without a core is listed:\n%s", b.String())
	}
	for _, args := range [][]string{nil, {"-x"}, {"cover"}, {"set"}} {
		if err := run(context.Background(), &b, args); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestCoresIn(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("truth.json", `{"core": "core", "args": ["-sysroot", "root", "-search", "/lib"]}`)
	if _, _, err := coresIn(dir); err == nil {
		t.Error("there is no core")
	}
	put("a.core", "")
	files, flags, err := coresIn(dir)
	if want := []string{"-sysroot", filepath.Join(dir, "root"), "-search", "/lib"}; err != nil || len(files) != 1 ||
		!slices.Equal(flags, want) {
		t.Errorf("%q %q %v", files, flags, err)
	}
	put("core", "")
	if files, _, err = coresIn(dir); err != nil || len(files) != 1 || filepath.Base(files[0]) != "core" {
		t.Errorf("%q %v", files, err)
	}
}

// TestCommands finds commands that do not exist: such a line measures nothing.
func TestCommands(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range commands {
		for part := range strings.SplitSeq(line, "|") {
			name := strings.Fields(part)[0]
			if !strings.Contains(string(text), "### `"+name+"`\n") {
				t.Errorf("%s is not a command", name)
			}
		}
	}
}
