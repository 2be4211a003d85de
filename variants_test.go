package coredbg_test

import (
	"slices"
	"testing"
)

// maxVariants is how many packages may be compiled once more for the tests of one package.
const maxVariants = 6

// TestFewVariants bounds what is compiled twice. An external test of a package that has internal tests, too, sees the
// package with these in it: the go command compiles the package again, and each package between the two that imports
// it. A test that needs most of the debugger belongs to a package without internal tests, or to internal/e2e.
func TestFewVariants(t *testing.T) {
	imports := map[string][]string{}
	pkgs := listPackages(t)
	for _, p := range pkgs {
		imports[p.ImportPath] = p.Imports
	}
	for _, p := range pkgs {
		if len(p.TestGoFiles) == 0 || len(p.XTestImports) == 0 {
			continue
		}
		again := map[string]bool{p.ImportPath: true} // whether a package imports p
		for _, name := range p.XTestImports {
			reaches(imports, name, again)
		}
		var list []string
		for name, is := range again {
			if is {
				list = append(list, name)
			}
		}
		if slices.Sort(list); len(list) > maxVariants {
			t.Errorf("%s: %d packages are compiled again for its external tests: %v", p.ImportPath, len(list), list)
		}
	}
}

// reaches notes whether a package imports one that is known to, and for each package on the way.
func reaches(imports map[string][]string, name string, known map[string]bool) bool {
	if is, ok := known[name]; ok {
		return is
	}
	known[name] = false
	for _, imp := range imports[name] {
		if reaches(imports, imp, known) {
			known[name] = true
		}
	}
	return known[name]
}
