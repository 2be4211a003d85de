// Package library has V8's own functions and well-known functions of Node, written in Go.
// Each file has its own, by the names that lead to them from the global object (tables.go; library.go
// puts them together).
//
// They are for objects, functions and numbers (objects.go, reflect.go, functions.go, proxy.go, numbers.go, math.go,
// bigint.go), errors (errorclass.go), arrays (arrays.go, views.go for typed ones), JSON (json.go, parsejson.go),
// strings (texts.go, characters.go) and regular expressions (regexp.go and replace.go, over package pattern), Maps
// and Sets (collections.go, sets.go), iterators and functions that wait (iterators.go, coroutine.go), promises
// (promise.go, combine.go), dates (date.go), texts of locales (locale.go, localedate.go), and for Node and
// browsers (buffer.go, paths.go, hosted.go; url.go, over urlparse.go and punycode.go). Globals that are not in the
// core are made of them (made.go).
//
// Source: ECMA-262, 2025; Node's lib/buffer.js and lib/path.js. Versions: any.
//
// LIMITATIONS: a function ends in an error if it needs the clock, a random number or another class of Intl, or if it
// changes an array of the program.
package library
