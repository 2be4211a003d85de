package main

import (
	"go/ast"
	"go/token"
)

// functions returns the longest function of some files and the one with the highest cyclomatic complexity.
func functions(fset *token.FileSet, files []*ast.File) (longest, branchiest function) {
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if n := lines(fset, fn); n > longest.n {
				longest = function{fn.Name.Name, n}
			}
			if n := branches(fn); n > branchiest.n {
				branchiest = function{fn.Name.Name, n}
			}
		}
	}
	return longest, branchiest
}

// lines returns the lines of a function, without the lines of composite literals in it: these are tables.
func lines(fset *token.FileSet, fn *ast.FuncDecl) int {
	span := func(n ast.Node) int { return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line }
	n := span(fn) + 1
	ast.Inspect(fn, func(x ast.Node) bool {
		l, ok := x.(*ast.CompositeLit)
		if ok {
			n -= span(l)
		}
		return !ok
	})
	return n
}

// branches returns the cyclomatic complexity of a function, including the functions in it: one, and one more
// for each if, loop, case, && and ||.
func branches(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
