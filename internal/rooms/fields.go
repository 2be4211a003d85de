package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A program is packages of a module with the types of their expressions. Packages of other modules are empty: the type
// of an expression that needs one is unknown.
type program struct {
	module, root string // the module's path and its folder
	fset         *token.FileSet
	files        map[string][]*ast.File // by the path of the package
	packages     map[string]*types.Package
	info         *types.Info
}

func newProgram(module, root string) *program {
	return &program{module, root, token.NewFileSet(), map[string][]*ast.File{}, map[string]*types.Package{},
		&types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}}
}

// Import implements types.Importer.
func (p *program) Import(name string) (*types.Package, error) {
	if pkg := p.packages[name]; pkg != nil {
		return pkg, nil
	}
	dir, ok := strings.CutPrefix(name+"/", p.module+"/")
	if !ok {
		pkg := types.NewPackage(name, path.Base(name))
		pkg.MarkComplete()
		p.packages[name] = pkg
		return pkg, nil
	}
	paths, err := filepath.Glob(filepath.Join(p.root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range paths {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files[name] = append(p.files[name], f)
	}
	conf := types.Config{Importer: p, Error: func(error) {}} // errors concern packages of other modules
	pkg, _ := conf.Check(name, p.fset, p.files[name], p.info)
	p.packages[name] = pkg
	return pkg, nil
}

// bound returns the assignments in the package of a folder to exported function fields of other packages
// below under, as "folder: package.Field". A field that a composite literal sets is not bound later and does
// not count.
func (p *program) bound(dir, under string) (list []string, err error) {
	name := path.Join(p.module, dir)
	pkg, err := p.Import(name)
	if err != nil {
		return nil, err
	}
	for _, f := range p.files[name] {
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, l := range a.Lhs {
				sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
				if !ok || p.info.Selections[sel] == nil {
					continue
				}
				field := p.info.Selections[sel].Obj()
				_, function := field.Type().Underlying().(*types.Signature)
				if of := field.Pkg(); function && field.Exported() && of != pkg &&
					strings.HasPrefix(of.Path(), path.Join(p.module, under)+"/") {
					list = append(list, dir+": "+path.Base(of.Path())+"."+field.Name())
				}
			}
			return true
		})
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
