// Package names finds what a name means in a program of JavaScript: a variable that the current frame sees, a global,
// what a module of the program has, or the error that the stack refers to.
//
//	scope.go   the variables that a frame sees, and the globals
//	module.go  the variables, exports, functions and classes of modules
//	thrown.go  errors, and the reason if a name means nothing
package names
