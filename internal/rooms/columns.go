package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"strings"
)

const (
	tabWidth = 4
	longText = 30 // columns of a literal that may make its line too long
)

// wide returns the lines of a Go file that have more columns than max. Lines of texts do not count: those of
// a string of several lines, those with a long string or tag, and indented ones of a comment, which are
// tables and drawings.
func wide(path string, max int) (lines []int, err error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	all := strings.Split(string(src), "\n")
	texts := textLines(src)
	for i, line := range all {
		line = strings.ReplaceAll(line, "\t", strings.Repeat(" ", tabWidth))
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "//")
		table := comment && (strings.HasPrefix(text, "  ") || strings.HasPrefix(text, "\t"))
		if len([]rune(line)) > max && !texts[i+1] && !table {
			lines = append(lines, i+1)
		}
	}
	return lines, nil
}

// textLines returns the lines that a long literal is in.
func textLines(src []byte) map[int]bool {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(src))
	out := map[int]bool{}
	var s scanner.Scanner
	for s.Init(f, src, nil, 0); ; {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		n := strings.Count(lit, "\n")
		if tok != token.STRING || n == 0 && len(lit) < longText {
			continue
		}
		for i := range n + 1 {
			out[f.Line(pos)+i] = true
		}
	}
}
