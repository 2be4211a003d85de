// Package where says in words where something is: what lies at an address of a process, and
// in which function a frame or a thread is.
//
//	address.go    addresses: their symbols, their mappings, what they look like
//	frame.go      frames
//	threads.go    threads, whose stacks are walked for it
//	languages.go  languages that are not decoded, by their interpreters
package where
