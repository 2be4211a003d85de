// Package pattern matches regular expressions of JavaScript.
//
// The chain: a parser reads the source of an expression (parse.go, class.go for sets of characters) into functions
// that each match a part and then call what follows (match.go), over the code units of a text. Each step is counted,
// as an expression of a core may take exponential time.
//
// Source: ECMA-262, 2025, "RegExp (Regular Expression) Objects" and annex B.1.2.
//
// LIMITATIONS: properties of characters come from Go's tables; the flag v has no sets of strings.
package pattern
