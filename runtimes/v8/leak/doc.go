// Package leak recognizes leaks of JavaScript programs: promises that never settle, contexts that only
// the program holds, and variables that a shared context keeps although no function uses them.
//
// Files: rules.go (promises, contexts), sharedcontext.go and sharers.go (variables of shared contexts).
//
// LIMITATIONS: a variable counts as used if a function that may use it has no source text, or calls eval.
package leak
