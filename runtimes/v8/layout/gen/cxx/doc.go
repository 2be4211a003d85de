// Package cxx reads as much of C++ as it takes to know the constants and the layout of
// classes that headers declare: it preprocesses, reads declarations, evaluates constant
// expressions and lays out classes as the ABI of x86-64 and arm64 Linux does.
//
// A Preprocessor makes tokens of headers; Parse makes scopes of tokens; an Env, which is a scope with
// the arguments of templates, evaluates expressions and finds classes. Nothing
// is evaluated until it is asked for.
//
// Files, from the lowest up: token.go and angle.go (tokens, brackets in them), scope.go (what is
// declared), eval.go and name.go (expressions), types.go, lookup.go and layout.go (types, names, classes),
// preproc.go and expand.go (the preprocessor, which evaluates conditions), decl.go, members.go and
// statement.go (reading declarations).
//
// LIMITATIONS: of functions only those are evaluated that consist of conditions and a
// return; partial specialisations of templates and bit fields of the language are not
// understood; a class that needs one has no layout, and says so.
package cxx
