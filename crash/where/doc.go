// Package where describes places in words: the object at an address of a process, and the function of a
// frame or a thread.
//
//	address.go    addresses: their symbols, their mappings, their looks
//	frame.go      frames
//	own.go        which frames are the program's own, and which belong to libraries and runtimes
//	threads.go    threads, whose stacks are walked for it
//	languages.go  languages that are not decoded, by their interpreters
package where
