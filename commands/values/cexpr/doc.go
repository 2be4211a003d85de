// Package cexpr parses the expressions of C that debuggers take: arithmetic, members,
// elements, casts, sizeof, registers and gdb's "@".
//
// A lexer (lex.go) splits the text into tokens, and a parser (parse.go) makes a tree of them.
//
// Source: ISO C17, 6.5; GDB manual, "Expressions" and "Artificial Arrays".
//
// LIMITATIONS: calls and assignments are parsed, so that they can be refused by name. The arguments of a
// template have to stand in one name without spaces around "<" and ">".
package cexpr
