package commands

import (
	"fmt"
	"io"
	"strings"

	"coredbg/commands/out"
)

// A RemarkKind says what a remark is.
type RemarkKind uint8

// The kinds of remarks.
const (
	Noted   RemarkKind = iota // nothing failed
	Warned                    // a part of a result is missing
	Failed                    // a statement failed
	Printed                   // a program of the user said it
)

// A Remark is a message of a session: anything it says that is not a record.
type Remark struct {
	Kind RemarkKind
	Text string // of a remark without an error
	Err  error  // what failed, or is missing
}

// Failure returns the record of a failure or of a missing part; nil for other remarks.
func (r *Remark) Failure() *Failure {
	switch r.Kind {
	case Warned:
		return FailureOf("warning", r.Err)
	case Failed:
		return FailureOf("error", r.Err)
	}
	return nil
}

// Lines returns what the remark says to people. The lines have no unprintable characters.
func (r *Remark) Lines() []string {
	if r.Err == nil {
		return []string{out.Clean(r.Text, false)}
	}
	return strings.Split(strings.Join(errorTexts(r.Err), "\n"), "\n")
}

// write writes the remark for people.
func (r *Remark) write(w io.Writer) {
	switch {
	case r.Err != nil:
		WriteError(w, r.Err)
	case r.Kind == Printed:
		fmt.Fprintf(w, "%s\n", out.Clean(r.Text, false))
	default:
		fmt.Fprintf(w, "coredbg: %s\n", out.Clean(r.Text, false))
	}
}
