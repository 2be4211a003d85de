// Package cxx reads as much of C++ as it takes to know the constants and the layout of
// classes that headers declare: it preprocesses, reads declarations, evaluates constant
// expressions and lays out classes as the ABI of x86-64 and arm64 Linux does.
//
// A Preprocessor makes tokens of headers; Parse makes scopes of tokens; an Env, which is a scope with
// the arguments of templates, evaluates expressions and finds classes. Nothing
// is evaluated until it is asked for.
//
// Files: token.go, preproc.go and expand.go (the preprocessor), decl.go, members.go, statement.go
// and angle.go (declarations), eval.go and name.go (expressions), types.go, lookup.go and
// layout.go (types, names, classes).
//
// LIMITATIONS: of functions only those are evaluated that consist of conditions and a
// return; partial specialisations of templates and bit fields of the language are not
// understood; a class that needs one has no layout, and says so.
package cxx
