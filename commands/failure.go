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
		f.Command = of.command.Title()
	}
	if core.CannotKnow(err) {
		f.Kind = "unknown"
	}
	if errors.Is(err, lang.ErrUsage) {
		f.Kind = "usage"
	}
	var usage *UsageError
	if errors.As(err, &usage) {
		f.Command, f.Usage = usage.Command.Title(), usage.Command.Usage()
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
	var usage *UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "coredbg: %s\n", out.Clean(err.Error(), true))
		return
	}
	for _, line := range out.ErrorLines(err) {
		fmt.Fprintf(w, "coredbg: %s\n", line)
	}
}

// A commandError is an error of a command, whose name its record has.
type commandError struct {
	command *Command
	err     error
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
func LacksJava(s *Session, none error) error {
	if u, ok := RuntimeOf[runtimes.UndecodedJava](s); ok {
		return core.Unknown(u)
	}
	return none
}
