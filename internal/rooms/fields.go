package main

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
)

// A source is a parsed file, by the path of its folder in the module.
type source struct {
	dir  string
	file *ast.File
}

// funcFields returns the exported fields of exported structs whose type is a function: by field name, the
// folders that declare one.
func funcFields(files []source) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			st, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range st.Fields.List {
				if _, ok := f.Type.(*ast.FuncType); !ok {
					continue
				}
				for _, name := range f.Names {
					if name.IsExported() {
						if out[name.Name] == nil {
							out[name.Name] = map[string]bool{}
						}
						out[name.Name][s.dir] = true
					}
				}
			}
			return true
		})
	}
	return out
}

// bound returns the assignments to function fields of packages of the module that a file imports, as
// "folder: package.Field". A field that a composite literal sets is not bound later and does not count. Only
// names are compared: a field of another package with the same name may be taken for one.
func bound(module string, s source, fields map[string]map[string]bool) (list []string) {
	imported := map[string]bool{}
	for _, i := range s.file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			imported[p] = true
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN {
			return true
		}
		for _, l := range a.Lhs {
			sel, ok := l.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			for dir := range fields[sel.Sel.Name] {
				if dir != s.dir && imported[path.Join(module, dir)] {
					list = append(list, s.dir+": "+path.Base(dir)+"."+sel.Sel.Name)
				}
			}
		}
		return true
	})
	return list
}
