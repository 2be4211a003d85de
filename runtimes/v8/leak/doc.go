// Package leak recognizes ways in which programs of JavaScript leak: promises that never settle, contexts that only
// the program holds, and variables that a shared context keeps although no function uses them.
//
// Files: rules.go (promises, contexts), sharedcontext.go and sharers.go (variables of shared contexts).
//
// LIMITATIONS: a variable counts as used if a function that may use it has no source text, or calls eval.
package leak
