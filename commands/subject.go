package commands

import "coredbg/runtimes"

// A Subject is a question that programs of several languages answer, each by a command of its own.
type Subject uint8

// The subjects.
const (
	Threads Subject = iota + 1 // the threads that a language adds to the system's
	Locks                      // who holds a lock, who waits for it
	Stack                      // of one thread
	Stacks                     // of all threads
	Values                     // the object at an address, or a variable by its name
)

// A View is a line that shows a subject in processes that run a language.
type View struct {
	Language runtimes.Language
	Subject  Subject
	Line     string // "::goroutines -g"; "" is the command without arguments
}
