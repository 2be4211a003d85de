package commands

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// A Failure is what went wrong, as a record for programs: of type "error" if a
// statement failed, of type "warning" if only a part of its result is missing.
type Failure struct {
	Type    string `json:"type" record:"error,warning"`
	Message string `json:"message"`
	// usage, syntax, memory: it could not be read; unknown: it cannot be known from this core; open: the core
	// could not be opened; failed
	Kind    string     `json:"kind"`
	Command string     `json:"command,omitempty"` // whose it is
	Usage   string     `json:"usage,omitempty"`   // how the command is called
	Near    string     `json:"near,omitempty"`    // the token that was not expected
	Source  string     `json:"source,omitempty"`  // of the statement, where the input is not a terminal
	Line    int        `json:"line,omitempty"`
	Addr    *core.Addr `json:"addr,omitempty"`   // that could not be read, which may be 0
	Reason  string     `json:"reason,omitempty"` // why not: one of core.Gap
}

// String returns what people are told.
func (f *Failure) String() string { return f.Message }

// FailureOf returns the record of an error: kind is "error", or "warning" if only a part of a result is
// missing.
func FailureOf(kind string, err error) *Failure {
	f := &Failure{Type: kind, Kind: "failed"}
	var place *lang.PlaceError
	if errors.As(err, &place) {
		f.Source, f.Line = place.Source, place.Line
		err = place.Err
	}
	f.Message = strings.TrimRight(err.Error(), "\n")
	var of *commandError
	if errors.As(err, &of) {
		f.Command = of.title
	}
	if core.CannotKnow(err) {
		f.Kind = "unknown"
	}
	if errors.Is(err, lang.ErrUsage) {
		f.Kind = "usage"
	}
	var usage *UsageError
	if errors.As(err, &usage) {
		f.Command, f.Usage = usage.Title, usage.Usage
		f.Message = usage.Msg
		if f.Message == "" {
			f.Message = "wrong usage"
		}
	}
	var syntax *lang.SyntaxError
	if errors.As(err, &syntax) {
		f.Kind, f.Message, f.Near = "syntax", syntax.Msg, syntax.Near
	}
	if fault := core.Fault(err); fault != nil {
		f.Kind, f.Addr, f.Reason = "memory", &fault.Addr, fault.Gap.String()
	}
	return f
}

// WriteError writes what an error says for people: a line for each of those joined
// in it, and how the command is called where that was not understood.
func WriteError(w io.Writer, err error) {
	for _, text := range errorTexts(err) {
		fmt.Fprintf(w, "coredbg: %s\n", text)
	}
}

// errorTexts returns what an error says for people: a text for each of those joined in it. Only how a command is
// called has a line of its own in such a text.
func errorTexts(err error) []string {
	var usage *UsageError
	if errors.As(err, &usage) {
		return []string{out.Clean(err.Error(), true)}
	}
	return out.ErrorLines(err)
}

// A UsageError says that a command was called in a way that it does not know.
// It ends the pipeline.
type UsageError struct {
	Title string // of the command
	Usage string // how it is called
	Msg   string // may be empty
}

// Error returns the message and the command's usage.
func (e *UsageError) Error() string {
	s := "Usage: " + e.Usage
	if e.Msg != "" {
		s = e.Title + ": " + out.Clean(e.Msg, false) + "\n" + s
	}
	return s
}

// Is makes a UsageError one of lang.ErrUsage.
func (e *UsageError) Is(target error) bool { return target == lang.ErrUsage }

// A commandError is an error of a command, whose name its record has.
type commandError struct {
	title string
	err   error
}

func (e *commandError) Error() string { return e.err.Error() }
func (e *commandError) Unwrap() error { return e.err }

// WriteFailure writes the record of an error before there is a session to
// report it in.
func WriteFailure(w io.Writer, err error) error {
	f := FailureOf("error", err)
	f.Kind = "open"
	return out.NewWriter(w).JSON(f)
}

// LacksJava returns the error of a command for Java: why the Java virtual machine in the process cannot be
// decoded, or none if there is no such machine.
func LacksJava(s RuntimeFinder, none error) error {
	if u, ok := RuntimeOf[runtimes.UndecodedJava](s); ok {
		return core.Unknown(u)
	}
	return none
}
