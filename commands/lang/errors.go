package lang

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
)

// The errors that steer evaluation. Everything else that a command returns is
// an ordinary failure: it is reported, and a loop or pipeline goes on with the
// next element.
var (
	// ErrUsage marks an error as wrong usage; it ends the pipeline.
	ErrUsage = errors.New("usage")
	// ErrAbort marks an error as one that ends the pipeline.
	ErrAbort = errors.New("aborted")
	// ErrStop is Emit's result when the consumer wants no more records. A command that gets it returns at once;
	// it is not a failure.
	ErrStop = errors.New("no more wanted")
	// ErrEnough ends the whole line without being a failure: the user at the
	// pager has seen enough.
	ErrEnough = errors.New("enough")
	// ErrQuit asks the debugger to end.
	ErrQuit = errors.New("quit")
)

// Abort returns err as one that ends the pipeline.
func Abort(err error) error { return &marked{err, ErrAbort} }

// usage returns an error that ends the pipeline as wrong usage.
func usage(format string, args ...any) error {
	return &marked{fmt.Errorf(format, args...), ErrUsage}
}

// A marked error is one of a kind without saying so.
type marked struct{ err, kind error }

func (m *marked) Error() string   { return m.err.Error() }
func (m *marked) Unwrap() []error { return []error{m.err, m.kind} }

// A SyntaxError says that a line cannot be read as a statement.
type SyntaxError struct {
	Off  int    // byte offset in the text
	Near string // the token that was not expected; "" at the end
	Msg  string
}

// Error returns the message; the place is added by the caller that knows the source.
func (e *SyntaxError) Error() string {
	if e.Near == "" {
		return e.Msg
	}
	return fmt.Sprintf("%s near %q", e.Msg, e.Near)
}

// A PlaceError is an error with the place where it arose: in a script, or in one of
// several commands.
type PlaceError struct {
	Source string // name of the file or command, or "(stdin)"
	Line   int    // counted from 1; 0 in what is not a script
	Err    error
}

// Error returns the error as MDB writes it, with the place at the end of its
// first line: "text on line 3 of FILE near tok", "text in COMMAND".
func (e *PlaceError) Error() string {
	msg, near := e.Err.Error(), ""
	var s *SyntaxError
	if errors.As(e.Err, &s) && s.Near != "" {
		near = fmt.Sprintf(" near %q", s.Near)
		msg = strings.TrimSuffix(msg, near)
	}
	first, rest, more := strings.Cut(msg, "\n")
	if more {
		rest = "\n" + rest
	}
	place := "in " + e.Source
	if e.Line > 0 {
		place = fmt.Sprintf("on line %d of %s", e.Line, e.Source)
	}
	return fmt.Sprintf("%s %s%s%s", first, place, near, rest)
}

// Unwrap returns the error without its place.
func (e *PlaceError) Unwrap() error { return e.Err }

// ends reports whether an error ends a loop or pipeline instead of costing one
// element of it.
func ends(err error) bool {
	for _, end := range []error{ErrUsage, ErrAbort, ErrStop, ErrEnough, ErrQuit} {
		if errors.Is(err, end) {
			return true
		}
	}
	var s *SyntaxError
	return errors.As(err, &s)
}

// readError says what failed at a, without saying the place twice.
func readError(what string, a core.Addr, err error) error {
	if fault := core.Fault(err); fault != nil && fault.Addr == a {
		return fmt.Errorf("%s at %w", what, err)
	}
	return fmt.Errorf("%s at %v: %w", what, a, err)
}
