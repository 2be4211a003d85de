// Package syntax parses functions of JavaScript.
//
// The chain: a lexer (lex.go, literals.go) splits a text into tokens as the parser asks
// for them (tokens.go), for only the parser knows where a slash begins a regular expression; the
// parser (parser.go) makes a tree (tree.go) of expressions (expression.go, member.go, primary.go), statements
// (statement.go), functions and classes (function.go).
//
// For a function's own variables, locals.go lists the extents and the places of their values;
// calls.go lists the calls that a function makes, free.go the variables of others that it refers to.
//
// Source: ECMA-262, 2025, "ECMAScript Language: Expressions" to "Functions and Classes".
//
// LIMITATIONS: no modules, no escapes in names; what is an early error
// in the language may pass here, as the engine has compiled what it is given.
package syntax
