package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Host is where a session runs: the terminal that shows its records and remarks, the machine's clock and shell,
// and the files that it may open.
type Host struct {
	Out     *out.Writer   // data
	Err     *out.Terminal // talk: remarks, progress
	JSON    bool          // records are shown as JSON lines
	Live    bool          // each record is written at once: a user watches
	Partial bool          // something could not be shown: it is missing or unreadable; see exit code 3
	// Confined is set where the lines are not typed by the user: commands open no file that a line names, write
	// none and run no program.
	Confined bool
	// System is the machine that the session runs on.
	System System
	// Ticker shows the progress of each line; it may be nil.
	Ticker Ticker

	hear func(Remark) // gets the remarks; nil if the terminal does
	copy *out.Log     // of the terminal's output; nil if there is none
}

// A Ticker shows on the terminal how far long work is.
type Ticker interface {
	// Run calls do, and may show its progress: the work in do reports to the core.WithProgress value in its context.
	Run(ctx context.Context, do func(ctx context.Context))
	// Hold keeps the display away until release is called: a shell command has the terminal.
	Hold() (release func())
}

// watched calls do, whose progress the ticker shows.
func (h *Host) watched(ctx context.Context, do func(ctx context.Context)) {
	if h.Ticker == nil {
		do(ctx)
		return
	}
	h.Ticker.Run(ctx, do)
}

// Warn reports something that is missing from a result: as a line of Err and,
// with JSON, as a record in its place among the others.
func (h *Host) Warn(err error) { h.report(Warned, err) }

// Fail reports a failure; see Warn.
func (h *Host) Fail(err error) { h.report(Failed, err) }

func (h *Host) report(kind RemarkKind, err error) {
	if core.Fault(err) != nil || core.CannotKnow(err) {
		h.Partial = true
	}
	h.tell(Remark{Kind: kind, Err: err})
}

// note says something that is not a failure.
func (h *Host) note(text string) { h.tell(Remark{Kind: Noted, Text: text}) }

// Print says a line as it is, such as one that a program of the user prints.
func (h *Host) Print(text string) { h.tell(Remark{Kind: Printed, Text: text}) }

// Listen hands remarks to hear until stop is called. One that hear does not take goes to the listener before it, and
// from the last one to the terminal.
func (h *Host) Listen(hear func(Remark) (taken bool)) (stop func()) {
	before := h.hear
	h.hear = func(r Remark) {
		switch {
		case hear(r):
		case before != nil:
			before(r)
		default:
			h.write(r)
		}
	}
	return func() { h.hear = before }
}

// tell hands a remark to who listens, or writes it.
func (h *Host) tell(r Remark) {
	if h.hear != nil {
		h.hear(r)
		return
	}
	h.write(r)
}

// write writes a remark to the terminal and the log.
func (h *Host) write(r Remark) {
	if f := r.Failure(); f != nil && h.JSON {
		h.Out.JSON(f)
	}
	h.Out.Flush()
	var w io.Writer = h.Err
	if h.copy != nil && r.Kind != Printed {
		w = h.copy.Tee(w)
	}
	r.write(w)
}

// setLog copies what the terminal shows to a log; nil ends that.
func (h *Host) setLog(l *out.Log) {
	h.copy = l
	h.Out.SetLog(l)
}

// show writes a record as text or as a JSON line to w.
func (h *Host) show(r lang.Record, w *out.Writer, head *string) error {
	if h.JSON {
		return w.JSON(Plain(r))
	}
	table := headed(r)
	w.CutNames(table)
	if kind := fmt.Sprintf("%T", Plain(r)); !table {
		*head = ""
	} else if *head != kind {
		*head = kind
		WriteHeader(w, r)
	}
	if err := WriteText(w, r); err != nil {
		return err
	}
	if h.Live {
		w.Flush()
	}
	if err := w.Err(); err != nil { // no other record will fare better
		return lang.Abort(fmt.Errorf("writing output: %w", err))
	}
	return nil
}

// Render returns a record's plain text.
func (h *Host) Render(r lang.Record) string {
	var b strings.Builder
	head := "none"
	if headed(r) {
		head = fmt.Sprintf("%T", Plain(r))
	}
	(&Host{}).show(r, out.NewWriter(&b), &head)
	return b.String()
}

// seen turns a pager's answer into what ends a command or a line.
func (h *Host) seen(err error) error {
	switch {
	case errors.Is(err, out.ErrQuit):
		h.Out.Forget()
		return lang.ErrStop
	case errors.Is(err, out.ErrAbort):
		h.Out.Forget()
		return lang.ErrEnough
	}
	return err
}

// OpenFile opens a file that a line names.
func (h *Host) OpenFile(path string) (*os.File, error) {
	if h.Confined {
		return nil, fmt.Errorf("%w: no file that a line names is opened here", ErrConfined)
	}
	return os.Open(path)
}

// MayWrite returns an error if no command may write a file.
func (h *Host) MayWrite() error {
	if h.Confined {
		return fmt.Errorf("%w: nothing is written here", ErrConfined)
	}
	return nil
}
