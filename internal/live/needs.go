package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/internal/liveset"
)

// packagesOf returns the folders that patterns of packages name, below the module's: "walk/cfi"
// for "./walk/cfi" and "coredbg/walk/cfi", "walk/..." for all below walk.
func packagesOf(patterns []string) (packages []string, err error) {
	for _, p := range patterns {
		p = path.Clean(strings.TrimPrefix(filepath.ToSlash(p), "coredbg/"))
		if st, err := os.Stat(strings.TrimSuffix(p, "/...")); err != nil || !st.IsDir() {
			return nil, fmt.Errorf("there is no package %s", p)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		return nil, errUsage
	}
	return packages, nil
}

// concerns reports whether a kind's entry, a package or a folder of packages, has a package
// that a pattern names.
func concerns(entry, pattern string) bool {
	folder, below := strings.CutSuffix(pattern, "/...")
	if below && strings.HasPrefix(entry+"/", folder+"/") {
		return true
	}
	all, ok := strings.CutSuffix(entry, "/")
	return folder == strings.TrimSuffix(entry, "/") || ok && strings.HasPrefix(folder, all+"/")
}

// kindsFor returns the kinds of cores that run the code of packages.
func kindsFor(packages []string) (kinds []*liveset.Kind) {
	for i := range liveset.Kinds {
		k := &liveset.Kinds[i]
		if slices.ContainsFunc(k.For, func(entry string) bool {
			return slices.ContainsFunc(packages, func(p string) bool { return concerns(entry, p) })
		}) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// coresFor returns the names, out of some, of the cores that run the code of packages.
func coresFor(packages, from []string) (names []string) {
	kinds := kindsFor(packages)
	for _, name := range from {
		if slices.Contains(kinds, liveset.KindOf(name)) {
			names = append(names, name)
		}
	}
	return names
}

// few returns one core of each kind that is not slow to get: the one that most tests use.
func few(names []string) (some []string) {
	used := func(name string) (n int) {
		for _, row := range liveset.Tests {
			if len(liveset.Matching([]string{name}, row.Kinds...)) > 0 {
				n++
			}
		}
		return n
	}
	most, at := map[*liveset.Kind]int{}, map[*liveset.Kind]int{}
	for _, name := range names {
		k := liveset.KindOf(name)
		if k == nil || k.Slow() {
			continue
		}
		n := used(name)
		switch i, ok := at[k]; {
		case !ok:
			at[k], most[k] = len(some), n
			some = append(some, name)
		case n > most[k]:
			some[i], most[k] = name, n
		}
	}
	return some
}

// house returns the folder that a package is tested with: a house of rooms, such as
// runtimes/v8 for runtimes/v8/frame, or the package itself.
func house(pkg string) string {
	pkg = strings.TrimSuffix(pkg, "/...")
	part := strings.Split(pkg, "/")
	switch n := len(part); {
	case n > 1 && (part[0] == "walk" || part[0] == "crash"):
		return part[0]
	case n > 2:
		return path.Join(part[:2]...)
	}
	return pkg
}

// testsFor returns the rows of the table that matter for a change in packages and have one of the
// cores: the tests of their houses and the tests from one end to the other. The walk's tests
// show a change in core, too.
func testsFor(packages, cores []string) (rows []liveset.Test) {
	houses := []string{"internal/e2e", "cmd/coredbg"}
	for _, p := range packages {
		houses = append(houses, house(p))
		if strings.HasPrefix(p+"/", "core/") {
			houses = append(houses, "walk")
		}
	}
	for _, row := range liveset.Tests {
		in := slices.ContainsFunc(houses, func(h string) bool { return strings.HasPrefix(row.Package+"/", h+"/") })
		if in && strings.HasPrefix(row.Name, "Test") && len(liveset.Matching(cores, row.Kinds...)) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// printNeeds prints the tests and the cores for a change in packages, and the commands that
// check it.
func printNeeds(w io.Writer, s *sets, packages []string, all bool) error {
	from, of := s.quick, "the quick set"
	if all {
		from, of = s.all, "the whole set"
	}
	cores := coresFor(packages, from)
	rows := testsFor(packages, cores)
	if len(cores) == 0 || len(rows) == 0 {
		return fmt.Errorf("no live core is for %s: go test %s", strings.Join(packages, ", "), goTest(packages))
	}
	fmt.Fprintf(w, "tests\n")
	for _, pkg := range packagesIn(rows) {
		fmt.Fprintf(w, "  %s: %s\n", pkg, strings.Join(namesIn(rows, pkg), " "))
	}
	fmt.Fprintf(w, "\ncores of %s: %d\n", of, len(cores))
	for _, k := range kindsFor(packages) {
		var names []string
		for _, name := range cores {
			if liveset.KindOf(name) == k {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(w, "  %s: %s\n", k.Name, strings.Join(names, " "))
		}
	}
	fmt.Fprintf(w, "\nfilter\n  %s\n", filter(cores))
	some := few(coresFor(packages, s.quick))
	fmt.Fprintf(w, "\nquick check, cores: %d\n", len(some))
	fmt.Fprintf(w, "  go test -short %s\n", goTest(packages))
	fmt.Fprintf(w, "  go run ./cmd/coredbg corpus check -dir testdata/cores\n")
	printLive(w, "set few "+dotted(packages), testsFor(packages, some))
	fmt.Fprintf(w, "\nfuller check, cores: %d\n", len(cores))
	fmt.Fprintf(w, "  go test ./...\n")
	set := "set " + dotted(packages)
	if all {
		set = "set all " + dotted(packages)
	}
	printLive(w, set, rows)
	return nil
}

// printLive prints the commands that make the cores of a set and test them.
func printLive(w io.Writer, set string, rows []liveset.Test) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "  go run ./internal/live %s >$HOME/.cache/coredbg/set\n", set)
	fmt.Fprintf(w, "  testdata/cores/make live $HOME/.cache/coredbg/live @$HOME/.cache/coredbg/set\n")
	fmt.Fprintf(w, "  COREDBG_LIVE=$HOME/.cache/coredbg/live COREDBG_LIVE_SET=$HOME/.cache/coredbg/set go test %s -run '^(%s)$'\n", dotted(packagesIn(rows)), strings.Join(namesIn(rows, ""), "|"))
}

// packagesIn returns the packages of rows.
func packagesIn(rows []liveset.Test) (packages []string) {
	for _, row := range rows {
		if !slices.Contains(packages, row.Package) {
			packages = append(packages, row.Package)
		}
	}
	return packages
}

// namesIn returns the names of the tests in rows: of one package, or of all if it is "".
func namesIn(rows []liveset.Test, pkg string) (names []string) {
	for _, row := range rows {
		if (pkg == "" || row.Package == pkg) && !slices.Contains(names, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}

// goTest returns the packages to test for a change in packages, as the go command takes them.
func goTest(packages []string) string {
	var out []string
	for _, p := range packages {
		if p = "./" + house(p) + "/..."; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// dotted returns packages as the go command takes them.
func dotted(packages []string) string { return "./" + strings.Join(packages, " ./") }

// filter returns an extended regular expression for names.
func filter(names []string) string {
	return "^(" + strings.ReplaceAll(strings.Join(names, "|"), ".", `\.`) + ")$"
}
