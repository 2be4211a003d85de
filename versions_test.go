package coredbg

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// versionsCompared are the comparisons of versions in V8's decoder and its users, outside of the package with the
// rows, by file. A difference between versions of V8 is a row of runtimes/v8/layout instead.
var versionsCompared = map[string]int{
	"runtimes/v8/bytecode/table.go": 3, // the lists of bytecodes and intrinsics are data, with versions of their own
	"runtimes/v8/fit/imageless.go":  2, // whether a text in memory is a version of V8 at all
	"runtimes/v8/inspect/spoken.go": 2, // releases of Node, which the rows do not know
}

// TestVersionsCompared counts comparisons of versions, and refuses others.
func TestVersionsCompared(t *testing.T) {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == "testdata" || path == "runtimes/v8/layout") {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		list, err := comparedVersions(path)
		if len(list) > 0 {
			found[filepath.ToSlash(path)] = list
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, list := range found {
		if len(list) > versionsCompared[path] {
			t.Errorf("%s compares versions; ask the layout for a number or a trait of runtimes/v8/layout:\n%s", path,
				strings.Join(list, "\n"))
		}
	}
	for path, n := range versionsCompared {
		if len(found[path]) < n {
			t.Errorf("%s compares %d versions, and not %d: lower the bound", path, len(found[path]), n)
		}
	}
}

// comparedVersions returns the comparisons of versions in a file of V8's decoder or of one that uses it, with
// their lines.
func comparedVersions(path string) (list []string, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	users := []string{"coredbg/runtimes/v8/layout", "coredbg/runtimes/v8"}
	uses := func(s *ast.ImportSpec) bool {
		p, err := strconv.Unquote(s.Path.Value)
		return err == nil && slices.Contains(users, p)
	}
	if !strings.HasPrefix(filepath.ToSlash(path), "runtimes/v8/") && !slices.ContainsFunc(file.Imports, uses) {
		return nil, nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && comparesVersions(e) {
			list = append(list, fset.Position(n.Pos()).String()+": "+types.ExprString(e))
		}
		return true
	})
	return list, nil
}

// ofVersion matches an operand that is a version or its number. Comparing with the zero version asks only
// whether one is known.
var ofVersion = regexp.MustCompile(`(\.(Major|Minor)|\bV\([0-9a-zA-Z., ]+\))$`)

// comparesVersions reports whether an expression is itself a comparison of versions.
func comparesVersions(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		return ok && (slices.Contains([]string{"AtLeast", "Before"}, s.Sel.Name) && len(e.Args) > 0 ||
			s.Sel.Name == "Distance")
	case *ast.BinaryExpr:
		ordered := []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}
		return slices.Contains(ordered, e.Op) && (ofVersion.MatchString(types.ExprString(e.X)) ||
			ofVersion.MatchString(types.ExprString(e.Y)))
	}
	return false
}

// TestComparesVersions tells comparisons from other expressions.
func TestComparesVersions(t *testing.T) {
	for text, want := range map[string]bool{
		"l.Version.AtLeast(9, 0)": true, "v.Before(twoNumbers(s))": true, "v.Distance(w)": true, "v.Major == 8": true,
		"8 < v.Minor":                 true,
		"t.Version == layout.V(8, 4)": true, "t.Version == layout.V(x.ver.Major, x.ver.Minor)": true,
		"v == layout.Version{}": false, "l.Frame.ReceiverFirst == 1": false, "v.Outside() < 0": false,
		"v.Major + 1": false,
	} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := comparesVersions(e); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
