package crash

import "coredbg/crash/bugs"

// maxEvidences bounds the sentences of evidence of one kind.
const maxEvidences = 3

// A finding is what a rule says.
type finding struct {
	cause    bugs.Cause
	title    string
	sure     bugs.Confidence
	evidence []string
	next     []string
	// settled means that how the process ended is certain, and only why it was to end is not: no other rule is asked.
	settled bool
}

// hang makes a finding one about a process that does not go on.
func (f *finding) hang(c bugs.Cause, title string, words, next []string) {
	f.cause, f.sure, f.next = c, bugs.Certain, next
	f.title = title + "; " + f.title
	f.evidence = append(words, f.evidence...)
}

// A filling is the objects that fill a managed heap.
type filling struct {
	suspects []bugs.Suspect
	said     []string // a sentence for each, or why it is not known
	known    bool     // whether the heap was asked
	extent   bugs.Extent
}
