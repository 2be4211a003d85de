package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A Session is an open core with everything that commands need: the process,
// its symbols, its runtimes, and the state of the language. NewSession makes
// one; the fields may be changed before the first Run.
type Session struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target
	Stacks  *Stacker
	Thread  *core.Thread // the current one; nil if the core has none
	// Runtimes returns the runtimes of the process, probing for them on the
	// first call; it may be nil.
	Runtimes func() []runtimes.Runtime

	Commands *Registry
	Lang     *lang.Interp

	Out  *out.Writer // data
	Err  io.Writer   // talk: warnings, progress
	JSON bool        // records are shown as JSON lines
	Live bool        // each record is written at once: somebody watches

	// Disasm returns the instruction at a, of memory or of the object file,
	// and its length in bytes.
	Disasm func(a core.Addr, file bool) (text string, size int, err error)
	// Shelling is called before a shell command takes the terminal, and what
	// it returns afterwards; it may be nil.
	Shelling func() (restore func())
	// Partial is set once something could not be shown because it is missing
	// or unreadable; batch runs then end in exit code 3.
	Partial bool

	// Prompt is what the debugger asks for a line with.
	Prompt string

	log     *out.Log
	logName string
	head    string // the heading last written
	// shellHead is the heading last written to a shell command.
	shellHead string
}

// NewSession returns a session over p with plain text going to stdout and
// warnings to stderr. The current thread is the one that crashed.
func NewSession(p *core.Process, r *Registry, stdout, stderr io.Writer) *Session {
	s := &Session{Process: p, Commands: r, Out: out.NewBuffered(stdout), Err: stderr}
	if len(p.Threads) > 0 {
		s.Thread = p.Threads[0]
	}
	s.Lang = lang.New(host{s})
	return s
}

// Run runs one line as typed. Records go to Out, failures to Err. The error
// is a *lang.FailedError if statements failed, and else lang.ErrQuit or the
// error of ctx.
func (s *Session) Run(ctx context.Context, line string) error {
	return s.RunSource(ctx, lang.Source{Text: line})
}

// RunSource runs a script or a line; see Run.
func (s *Session) RunSource(ctx context.Context, src lang.Source) error {
	s.head = ""
	err := s.Lang.Run(ctx, src)
	if flushed := s.seen(s.Out.Flush()); flushed != nil && !errors.Is(flushed, lang.ErrStop) && !errors.Is(flushed, lang.ErrEnough) {
		err = errors.Join(err, flushed)
	}
	return err
}

// Warn writes a failure to Err.
func (s *Session) Warn(err error) {
	if core.Fault(err) != nil {
		s.Partial = true
	}
	s.Out.Flush()
	text := out.Clean(err.Error(), true)
	fmt.Fprintf(s.errWriter(), "coredbg: %s\n", strings.TrimRight(text, "\n"))
}

func (s *Session) errWriter() io.Writer {
	if s.log != nil {
		return s.log.Tee(s.Err)
	}
	return s.Err
}

// LogName returns the name of the log, or "" if there is none.
func (s *Session) LogName() string { return s.logName }

// SetLog copies all output to w as well, until it is called with nil.
func (s *Session) SetLog(w io.WriteCloser, name string) error {
	err := s.Out.Flush()
	if s.log != nil {
		err = errors.Join(err, s.log.Close())
	}
	s.log, s.logName = nil, name
	if w != nil {
		s.log = out.NewLog(w)
	}
	s.Out.SetLog(s.log)
	return err
}

// show writes a record as text or as a JSON line to w.
func (s *Session) show(r lang.Record, w *out.Writer, head *string) error {
	if s.JSON {
		return w.JSON(r)
	}
	if h, ok := r.(Header); ok {
		if kind := fmt.Sprintf("%T", r); *head != kind {
			*head = kind
			h.Header(w)
		}
	} else {
		*head = ""
	}
	switch r := r.(type) {
	case Record:
		r.Text(w)
	case *lang.Line:
		writeLine(w, r)
	case fmt.Stringer:
		w.Printf("%s\n", r)
	default:
		return fmt.Errorf("a record of %T has no text", r)
	}
	if s.Live {
		w.Flush()
	}
	if err := w.Err(); err != nil { // no other record will fare better
		return lang.Abort(fmt.Errorf("writing output: %w", err))
	}
	return nil
}

// Render returns a record's plain text.
func (s *Session) Render(r lang.Record) string {
	var b strings.Builder
	head, text := "none", *s
	text.JSON, text.Live = false, false
	if h, ok := r.(Header); ok {
		head = fmt.Sprintf("%T", h)
	}
	text.show(r, out.NewWriter(&b), &head)
	return b.String()
}

// seen turns a pager's answer into what ends a command or a line.
func (s *Session) seen(err error) error {
	switch {
	case errors.Is(err, out.ErrQuit):
		s.Out.Forget()
		return lang.ErrStop
	case errors.Is(err, out.ErrAbort):
		s.Out.Forget()
		return lang.ErrEnough
	}
	return err
}

// RuntimeOf returns the first runtime of the session that is a T.
func RuntimeOf[T any](s *Session) (T, bool) {
	var none T
	if s.Runtimes == nil {
		return none, false
	}
	for _, r := range s.Runtimes() {
		if t, ok := r.(T); ok {
			return t, true
		}
	}
	return none, false
}

// writeLine writes what a format command printed.
func writeLine(w *out.Writer, l *lang.Line) {
	if l.Title != "" {
		w.Paint(out.Symbol, "%s", l.Title)
		w.Printf("\n")
	}
	ink := out.Addr
	if l.Symbol != "" {
		ink = out.Symbol
	}
	w.Paint(ink, "%s", l.Label)
	w.Printf("%s", l.Body())
}
