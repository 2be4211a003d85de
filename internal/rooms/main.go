// Command rooms measures the walls of packages: the files of each, the methods of its largest type, the
// files of its largest circle of uses, and its longest and its most branched function.
//
//	go run ./internal/rooms                     all packages
//	go run ./internal/rooms runtimes/art/...    these
//
// A file uses another one if it names what that one declares: a type, a function,
// a method, a field, a constant or a variable. Tests and generated files are left out. Lines of a table inside
// a function do not count as the function's.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	w := os.Stdout
	fmt.Fprintf(w, "%-28s %6s %7s  %-24s %7s %6s %9s\n", "PACKAGE", "FILES", "CIRCLE", "LARGEST TYPE", "METHODS",
		"LINES", "BRANCHES")
	patterns := os.Args[1:]
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	for _, pattern := range patterns {
		folders, err := below(pattern)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, dir := range folders {
			m, err := measure(dir)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			if m.files > 0 {
				fmt.Fprintf(w, "%-28s %6d %7d  %-24s %7d %6d %9d\n", dir, m.files, m.circle, m.largest, m.methods,
					m.longest.n, m.branchiest.n)
			}
		}
	}
}

// below expands a pattern to folders. A pattern ending in "/..." matches every folder below it except
// the ones the go command ignores.
func below(pattern string) ([]string, error) {
	root, all := strings.CutSuffix(pattern, "/...")
	if !all {
		return []string{pattern}, nil
	}
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && (d.Name() == "testdata" || d.Name()[0] == '.') {
			return fs.SkipDir
		}
		if err == nil && d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// A measured is what a package was found to be.
type measured struct {
	files   int
	circle  int    // files of the largest circle; 1 if there is none
	largest string // the type with the most methods
	methods int

	longest    function // by lines
	branchiest function // by cyclomatic complexity
}

// A function is a function with one of its figures.
type function struct {
	name string
	n    int
}

// measure reads the package of a folder. It does not read imported packages: the names of the package
// itself are known without them.
func measure(dir string) (measured, error) {
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return measured{}, err
	}
	var files []*ast.File
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return measured{}, err
		}
		if ast.IsGenerated(f) {
			continue
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: nothing{}, Error: func(error) {}}
	pkg, _ := conf.Check(dir, fset, files, info) // its errors concern packages that are not imported
	m := measured{files: len(files)}
	m.largest, m.methods = largest(files)
	m.longest, m.branchiest = functions(fset, files)
	uses := map[string]map[string]bool{}
	for _, f := range files {
		uses[fset.Position(f.Pos()).Filename] = map[string]bool{}
	}
	for id, obj := range info.Uses {
		if obj.Pkg() == pkg && obj.Pos().IsValid() {
			uses[fset.Position(id.Pos()).Filename][fset.Position(obj.Pos()).Filename] = true
		}
	}
	m.circle = circle(uses)
	return m, nil
}

// nothing is an importer of empty packages.
type nothing struct{}

// Import implements types.Importer.
func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// largest returns the type that has the most methods, and their number.
func largest(files []*ast.File) (name string, methods int) {
	count := map[string]int{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			t := fn.Recv.List[0].Type
			if p, ok := t.(*ast.StarExpr); ok {
				t = p.X
			}
			if g, ok := t.(*ast.IndexExpr); ok {
				t = g.X
			}
			if id, ok := t.(*ast.Ident); ok {
				count[id.Name]++
			}
		}
	}
	for n, c := range count {
		if c > methods || c == methods && n < name {
			name, methods = n, c
		}
	}
	return name, methods
}

// circle returns the number of files of the largest set whose members all lead to each other (Tarjan's
// strongly connected components).
func circle(uses map[string]map[string]bool) (most int) {
	index, low := map[string]int{}, map[string]int{}
	var stack []string
	var visit func(string)
	visit = func(f string) {
		index[f], low[f] = len(index)+1, len(index)+1
		stack = append(stack, f)
		for to := range uses[f] {
			if index[to] == 0 {
				visit(to)
				low[f] = min(low[f], low[to])
			} else if slices.Contains(stack, to) {
				low[f] = min(low[f], index[to])
			}
		}
		if low[f] == index[f] {
			i := slices.Index(stack, f)
			most = max(most, len(stack)-i)
			stack = stack[:i]
		}
	}
	for f := range uses {
		if index[f] == 0 {
			visit(f)
		}
	}
	return most
}
