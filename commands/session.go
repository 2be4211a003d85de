package commands

import (
	"context"
	"errors"
	"io"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Session is an open core: the process, the shell that lines are given to, and the host that shows what they
// answer. NewSession makes one; the fields may be changed before the first Run.
type Session struct {
	Target
	Shell
	Host

	// Other opens another core, with the same places for its files, to compare with this
	// one; it may be nil. The caller closes it.
	Other func(path string) (*Session, error)
}

// NewSession returns a session over p with plain text going to stdout and
// warnings to stderr. The current thread is the one that crashed.
func NewSession(p *core.Process, r *Registry, stdout, stderr io.Writer) *Session {
	s := &Session{Target: Target{Process: p}, Shell: Shell{Commands: r},
		Host: Host{Out: out.NewBuffered(stdout), Err: out.NewTerminal(stderr), System: OS{}}}
	s.LeftOut = s.Warn
	if len(p.Threads) > 0 {
		s.Thread = p.Threads[0]
	}
	s.Lang = lang.New(langHost{s})
	s.Lang.Open = s.OpenFile
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
	return s.runTo(ctx, src, nil)
}

// Ask runs a line as Run does, and hands its records to emit: the commands' records, and a *Failure for each
// error and warning. Once emit returns an error it gets no more records.
func (s *Session) Ask(ctx context.Context, line string, emit func(Record) error) error {
	var ended error
	give := func(r Record) error {
		if ended == nil {
			ended = emit(r)
		}
		return ended
	}
	defer s.Listen(func(r Remark) bool {
		f := r.Failure()
		if f != nil {
			give(f)
		}
		return f != nil
	})()
	return s.runTo(ctx, lang.Source{Text: line}, func(r lang.Record) error { return give(Plain(r)) })
}

// Collect evaluates a line, hands its records to emit, and returns its remarks. The terminal shows nothing of it.
func (s *Session) Collect(ctx context.Context, line string, emit func(lang.Record) error) (said []Remark, err error) {
	defer s.Listen(func(r Remark) bool {
		if len(said) < maxRemarks {
			said = append(said, r)
		}
		return true
	})()
	err = s.Lang.Eval(ctx, line, emit)
	return said, err
}

// maxRemarks bounds the remarks of a line that are kept.
const maxRemarks = 1 << 16

// runTo runs a script or a line. Its records go to emit, or to Out if that is nil.
func (s *Session) runTo(ctx context.Context, src lang.Source, emit func(lang.Record) error) error {
	s.head = ""
	var err error
	run := func(ctx context.Context) {
		if s.Servers != nil {
			defer s.Servers.Within(ctx)()
		}
		err = s.Lang.RunTo(ctx, src, emit)
	}
	if core.Guard(func() { s.watched(ctx, run) }) != nil {
		s.Fail(s.cutError())
		err = &lang.FailedError{Count: 1}
	}
	if flushed := s.seen(s.Out.Flush()); flushed != nil && !errors.Is(flushed, lang.ErrStop) &&
		!errors.Is(flushed, lang.ErrEnough) {
		err = errors.Join(err, flushed)
	}
	return err
}

// cutError says which file was shortened while it was open; see core.Guard.
func (s *Session) cutError() error {
	s.Partial = true
	if err := s.Shortened(); err != nil {
		return err
	}
	return core.ErrCut
}

// WarnCut says once how the core was cut short, if it was: what a command is
// about to show of all threads is what is left.
func (s *Session) WarnCut() {
	if s.warnedTruncated {
		return
	}
	s.warnedTruncated = true
	for _, text := range s.Process.Cut {
		s.Warn(errors.New(text))
	}
}

// SetLog copies all output and typed lines to w as well, until it is called with nil.
func (s *Session) SetLog(w io.WriteCloser, name string) error {
	err := s.Out.Flush()
	if s.log != nil {
		err = errors.Join(err, s.log.Close())
	}
	s.log, s.logName = nil, name
	if w != nil {
		s.log = out.NewLog(w)
	}
	s.setLog(s.log)
	return err
}
