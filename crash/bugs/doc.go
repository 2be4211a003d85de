// Package bugs has the words for bugs: their kinds, the confidence that a process died of one, and the
// name of the same bug in other cores. It looks at no process, only at kinds and at frames.
//
//	causes.go      the kinds of bugs, the confidences
//	signature.go   the name of a bug: frames without noise, names without their variable parts
//	coarse.go      the names in the coarse key: allocators and destructors give way to their callers
//	suspect.go     the name of a full heap's bug: class and holder
//	undecoded.go   the name of a bug in a language that is not decoded: by the program's command line
//	signature.txt  the rules for this
package bugs
