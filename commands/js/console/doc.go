// Package console evaluates what is typed into the console of a browser or of Node: expressions and statements over the
// variables of the current frame, the globals and the variables of the program's modules. It also knows the words and
// functions of such consoles that another command answers.
//
//	console.go   what a name means, and where expressions are evaluated
//	parse.go     what is typed, as a tree
//	run.go       what evaluating shows and keeps
//	kept.go      variables that were typed before
//	require.go   modules that the process has loaded
//	ask.go       answers without a function of the heap: a console's functions, import.meta
//	location.go  the same of a page: its address
//	guess.go     lines for expressions as people type them
//	program.go   the line for a whole program
//	outside.go   lines for memory outside the heap
//	lasting.go   the lines for calls that would act on the process
package console
