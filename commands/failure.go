package commands

import (
	"errors"
	"io"
	"strings"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A failure is what went wrong, as a record for programs: of type "error" if a
// statement failed, of type "warning" if only a part of its result is missing.
type failure struct {
	Type    string    `json:"type"`
	Message string    `json:"message"`
	Command string    `json:"command,omitempty"` // that was called in a way it does not know
	Usage   string    `json:"usage,omitempty"`
	Near    string    `json:"near,omitempty"` // the token that was not expected
	Source  string    `json:"source,omitempty"`
	Line    int       `json:"line,omitempty"`
	Addr    core.Addr `json:"addr,omitzero"` // that could not be read
	Reason  string    `json:"reason,omitempty"`
}

func failureOf(kind string, err error) *failure {
	f := &failure{Type: kind}
	var place *lang.PlaceError
	if errors.As(err, &place) {
		f.Source, f.Line = place.Source, place.Line
		err = place.Err
	}
	f.Message = strings.TrimRight(err.Error(), "\n")
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
		f.Message, f.Near = syntax.Msg, syntax.Near
	}
	if fault := core.Fault(err); fault != nil {
		f.Addr, f.Reason = fault.Addr, fault.Gap.String()
	}
	return f
}

// WriteFailure writes the record of an error before there is a session to
// report it in.
func WriteFailure(w io.Writer, err error) error {
	return out.NewWriter(w).JSON(failureOf("error", err))
}
