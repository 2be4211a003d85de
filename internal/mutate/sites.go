package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"strconv"
	"strings"
)

// A site is one number of a table.
type site struct {
	file       string // relative to the top of the repository
	line       int
	name       string // "8.4 Code.Body"
	value      int
	other      int  // what it is changed to
	start, end int  // of the number's text in the file, in bytes
	hidden     bool // layouts do not show it
}

// id is what the changed sources know the site by.
func (s site) id() string { return fmt.Sprintf("%s:%d", s.file, s.start) }

// String says where the site is, and its old and new value.
func (s site) String() string {
	return fmt.Sprintf("%s:%d %s %d -> %d", s.file, s.line, s.name, s.value, s.other)
}

// unknown is the number that the tables write as Unknown.
const unknown = math.MinInt32

// otherThan returns a number that an offset, a mask, a shift or a flag is not: the next
// word for offsets, the other value of a flag, a mask without its lowest bit.
func otherThan(v int, isUnknown bool) int {
	switch {
	case isUnknown:
		return 8
	case v == 0 || v == 1:
		return 1 - v
	case v >= 1<<16:
		return v & (v - 1)
	case v%8 == 0:
		return v + 8
	case v%4 == 0:
		return v + 4
	}
	return v + 1
}

// A finder collects the sites of a source file.
type finder struct {
	fset  *token.FileSet
	file  string
	sites []site
}

// goSites returns the numbers of the tables in a Go file: what visit finds in it.
func goSites(path string, visit func(f *finder, file *ast.File)) ([]site, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &finder{fset: token.NewFileSet(), file: path}
	file, err := parser.ParseFile(f.fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	visit(f, file)
	if len(f.sites) == 0 {
		return nil, fmt.Errorf("%s: no number of a table", path)
	}
	return f.sites, nil
}

// add adds a number's expression under a name; it passes over what is no constant.
func (f *finder) add(name string, e ast.Expr) {
	text := types.ExprString(e)
	isUnknown := text == "Unknown"
	v := unknown
	if !isUnknown {
		tv, err := types.Eval(f.fset, nil, token.NoPos, text)
		if err != nil || tv.Value == nil || tv.Value.Kind() != constant.Int {
			return
		}
		n, _ := constant.Int64Val(tv.Value)
		v = int(n)
	}
	pos := f.fset.Position(e.Pos())
	f.sites = append(f.sites, site{file: f.file, line: pos.Line, name: name, value: v, other: otherThan(v, isUnknown),
		start: pos.Offset, end: f.fset.Position(e.End()).Offset})
}

// steps finds the values of rows by version: {"Code.Flags", mixed, "objects/code.h", []step{{V(7, 4), 44}}}. The name
// of a site has the version first.
func steps(f *finder, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		name, ok := firstText(row.Elts)
		if !ok {
			return true
		}
		ast.Inspect(row, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) != 2 {
				return true
			}
			since, ok := lit.Elts[0].(*ast.CallExpr)
			if !ok || len(since.Args) != 2 {
				return true
			}
			f.add(types.ExprString(since.Args[0])+"."+types.ExprString(since.Args[1])+" "+name, lit.Elts[1])
			return false
		})
		return false
	})
}

// literals finds the numbers in variables that are maps by name, or lists of structures
// whose fields are named.
func literals(f *finder, file *ast.File) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, value := range v.Values {
				if lit, ok := value.(*ast.CompositeLit); ok {
					f.pairs(v.Names[i].Name, lit)
				}
			}
		}
	}
}

// pairs finds the numbers of a literal that have a key. Chunk is left out, as its type is not int.
func (f *finder) pairs(name string, lit *ast.CompositeLit) {
	for i, e := range lit.Elts {
		switch e := e.(type) {
		case *ast.CompositeLit:
			f.pairs(fmt.Sprintf("%s[%d]", name, i), e)
		case *ast.KeyValueExpr:
			if key := strings.Trim(types.ExprString(e.Key), `"`); key != "Chunk" {
				f.add(name+" "+key, e.Value)
			}
		}
	}
}

// rows finds the steps of rows by SDK: of composite literals and of calls that begin with a
// name, and of variables.
func rows(f *finder, file *ast.File) {
	var walk func(name string, n ast.Node)
	walk = func(name string, n ast.Node) {
		ast.Inspect(n, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.ValueSpec:
				for i, v := range x.Values {
					walk(x.Names[i].Name, v)
				}
				return false
			case *ast.CallExpr:
				if text, ok := firstText(x.Args); ok {
					for i, arg := range x.Args[1:] {
						if _, ok := arg.(*ast.BasicLit); ok {
							f.add(text+[]string{" wide", " narrow"}[i], arg)
						} else {
							walk(text, arg)
						}
					}
					return false
				}
			case *ast.CompositeLit:
				if text, ok := firstText(x.Elts); ok && len(x.Elts) == 4 {
					walk(text, x.Elts[2])
					walk(text+" libstdc++", x.Elts[3])
					return false
				}
				if len(x.Elts) == 3 {
					if since, ok := x.Elts[0].(*ast.BasicLit); ok && since.Kind == token.INT {
						f.add(name+" "+since.Value+" wide", x.Elts[1])
						f.add(name+" "+since.Value+" narrow", x.Elts[2])
						return false
					}
				}
			}
			return true
		})
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			walk("", g)
		}
	}
}

// firstText returns the text of a list's first expression, if that is a string.
func firstText(list []ast.Expr) (string, bool) {
	if len(list) == 0 {
		return "", false
	}
	lit, ok := list[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// tsvSites returns the constants of a generated table.
func tsvSites(path string) ([]site, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []site
	at := 0
	for i, line := range strings.SplitAfter(string(src), "\n") {
		name, rest, ok := strings.Cut(line, "\t")
		text, _, ok2 := strings.Cut(rest, "\t")
		if ok && ok2 && line[0] != '#' {
			v, err := strconv.Atoi(text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
			}
			start := at + len(name) + 1
			out = append(out, site{file: path, line: i + 1, name: name, value: v, other: otherThan(v, false),
				start: start, end: start + len(text)})
		}
		at += len(line)
	}
	return out, nil
}
