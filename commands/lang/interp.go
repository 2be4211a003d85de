package lang

import (
	"context"
	"errors"
	"fmt"
	"os"

	"coredbg/core"
)

// An Interp runs statements. It holds the state of the language: dot, the
// increment, the radix, the variables and the previous command. It is not safe
// for concurrent use.
type Interp struct {
	Vars *Vars
	// RepeatLast makes an empty line run the previous command again at the
	// next location.
	RepeatLast bool
	// Include is the list of folders where $< and $<< look for scripts.
	Include []string
	// Open opens a script; nil stands for os.Open.
	Open func(path string) (*os.File, error)

	host  Host
	expr  evaluator
	prev  []stage
	depth int // of evaluations within evaluations

	failures int
	site     PlaceError // where the running statement is, if Source is not ""
	replaced *Source    // what $< put instead of the running source
	// defined are the bodies of commands of the user's own.
	defined map[string]string
}

// maxNesting bounds evaluation within evaluation: ::eval of ::eval, $<< of a
// script that includes itself.
const maxNesting = 64

// New returns an interpreter with radix 16 and dot 0.
func New(h Host) *Interp {
	vars := NewVars()
	return &Interp{Vars: vars, host: h, expr: evaluator{host: h, vars: vars, radix: 16}}
}

// Dot returns the current location.
func (in *Interp) Dot() core.Addr { return core.Addr(in.expr.at.dot) }

// SetDot moves the current location; commands that consume memory, such as
// ::dis and ::dump, use it with SetIncrement.
func (in *Interp) SetDot(a core.Addr) { in.expr.at.dot = uint64(a) }

// SetIncrement sets how far "+" is after dot, in bytes.
func (in *Interp) SetIncrement(n uint64) { in.expr.at.inc = n }

// Radix returns the default radix of input and output.
func (in *Interp) Radix() int { return in.expr.radix }

// SetRadix changes the default radix.
func (in *Interp) SetRadix(r int) error {
	if r < 2 || r > 16 {
		return fmt.Errorf("radix %d is not in 2..16", r)
	}
	in.expr.radix = r
	return nil
}

// Format returns v in the default radix with the radix' prefix, as ::walk
// prints addresses.
func (in *Interp) Format(v uint64) string { return formatRadix(v, in.expr.radix, true) }

// A Source is text to run.
type Source struct {
	Name string // of the file or command, for errors; "" for a line typed or a string
	Text string
	// Script is set for files and redirected input: errors name their line
	// and cost only their statement.
	Script bool
	// Quiet is set for strings that commands evaluate: a bare expression sets
	// dot and runs nothing.
	Quiet bool
	// fatal makes the first failure the result, instead of a report.
	fatal bool
	// Line is the number of the first line, if the text is part of a file.
	Line int
}

// A FailedError says that statements failed. Each failure has been reported.
type FailedError struct{ Count int }

// Error returns the number of failures.
func (e *FailedError) Error() string { return fmt.Sprintf("%d failed", e.Count) }

// Run runs all statements of src and shows their records. Failures are
// reported through the host where they happen; the error is then a
// *FailedError, or else ErrQuit or the context's error.
func (in *Interp) Run(ctx context.Context, src Source) error {
	return in.RunTo(ctx, src, nil)
}

// RunTo is Run with the records going to emit, or shown if that is nil.
func (in *Interp) RunTo(ctx context.Context, src Source, emit func(Record) error) error {
	before := in.failures
	if err := in.source(ctx, &src, emit); err != nil {
		return err
	}
	if in.failures > before {
		return &FailedError{Count: in.failures - before}
	}
	return nil
}

// source runs src and whatever replaces it. Records go to emit, or are shown if
// that is nil.
func (in *Interp) source(ctx context.Context, src *Source, emit func(Record) error) error {
	if in.depth >= maxNesting {
		return Abort(fmt.Errorf("evaluation is nested more than %d deep", maxNesting))
	}
	in.depth++
	outer := in.site
	defer func() { in.depth--; in.site = outer }()
	for s := src; s != nil; s, in.replaced = in.replaced, nil {
		s.fatal = src.fatal
		if err := in.statements(ctx, s, emit); err != nil {
			return err
		}
	}
	return nil
}

// statements runs the statements of src until one replaces it.
func (in *Interp) statements(ctx context.Context, src *Source, emit func(Record) error) error {
	if len(src.Text) > maxText {
		return fmt.Errorf("%s is larger than %d bytes", src.Name, maxText)
	}
	p := NewParser(src.Text)
	p.names = &in.expr
	for first := true; p.More() || first; first = false {
		text := p.rest()
		if run := in.program(p, src); run != "" {
			if err := in.statements(ctx, &Source{Text: run, Quiet: true, fatal: src.fatal}, emit); err != nil {
				return err
			}
			continue
		}
		done, err := in.block(ctx, p, src, emit)
		if !done {
			err = in.next(ctx, p, text, src, emit)
		}
		switch {
		case err == nil:
		case errors.Is(err, ErrQuit), src.fatal:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrEnough):
			return nil
		case errors.Is(err, ErrStop):
		default:
			in.fail(err)
			if !src.Script {
				return nil
			}
		}
		if in.replaced != nil {
			return nil
		}
	}
	return nil
}

// next runs the statement that comes next.
func (in *Interp) next(ctx context.Context, p *Parser, text string, src *Source, emit func(Record) error) error {
	s, err := p.Next()
	in.locate(src, p, s, err)
	read := err == nil
	if !src.Quiet {
		s, err = in.translate(text, s, err, src.Script)
	}
	if !read { // in the words of another debugger, or an error
		p.Skip(err != nil && !src.Script)
	}
	if err == nil {
		err = in.statement(ctx, s, src, emit)
	}
	return err
}

// locate remembers the position of a statement or a syntax error, for failures in it. A command evaluates its
// text at its own position.
func (in *Interp) locate(src *Source, p *Parser, s *Stmt, err error) {
	switch {
	case src.Name == "":
		return
	case !src.Script:
		in.site = PlaceError{Source: src.Name}
		return
	}
	off := 0
	var syntax *SyntaxError
	if s != nil {
		off = s.Off
	} else if errors.As(err, &syntax) {
		off = syntax.Off
	}
	in.site = PlaceError{Source: src.Name, Line: max(src.Line, 1) + p.Line(off)}
}

// fail counts and reports a failure. It only reports an answer that cannot be known.
func (in *Interp) fail(err error) {
	var f *FailedError
	if errors.As(err, &f) { // its failures were reported and counted
		return
	}
	if !core.CannotKnow(err) {
		in.failures++
	}
	if in.site.Source != "" {
		place := in.site
		place.Err = err
		err = &place
	}
	in.host.Warn(err)
}

// statement runs one statement.
func (in *Interp) statement(ctx context.Context, s *Stmt, src *Source, emit func(Record) error) error {
	if s.Empty() {
		if in.RepeatLast && !src.Quiet && !src.Script && len(in.prev) > 0 && src.Text == "" {
			in.expr.at.dot += in.expr.at.inc
			return in.output(ctx, s, in.prev, span{count: 1}, emit)
		}
		return nil
	}
	at := span{count: 1}
	var err error
	if s.Addr != nil {
		if at.addr, err = in.expr.value(s.Addr); err != nil {
			return err
		}
		at.given = true
	}
	if s.Count != nil {
		if at.count, err = in.expr.value(s.Count); err != nil {
			return err
		}
	}
	stages, err := in.prepare(s.Stages)
	if err != nil {
		return err
	}
	if len(stages) == 0 && (s.Addr != nil || s.Count != nil) {
		if s.Addr == nil {
			in.expr.at.dot += in.expr.at.inc
		} else {
			in.expr.at.dot = at.addr
		}
		if src.Quiet {
			return nil
		}
		stages = in.prev
	}
	if len(stages) > 0 && !src.Quiet {
		in.prev = stages
	}
	return in.output(ctx, s, stages, at, emit)
}

// output runs a pipeline and shows its records, or feeds them to a shell.
func (in *Interp) output(ctx context.Context, s *Stmt, stages []stage, at span, emit func(Record) error) error {
	show := emit
	if show == nil {
		show = sticky(func(r Record) error { return in.host.Show(r, nil) })
	}
	if s.HasShell {
		return in.shell(ctx, s, stages, at)
	}
	if len(stages) == 0 {
		return nil
	}
	return in.pipe(ctx, stages, at, show)
}

// sticky makes an output that has ended stay so, for commands that go on all
// the same.
func sticky(show func(Record) error) func(Record) error {
	var ended error
	return func(r Record) error {
		if ended == nil {
			ended = show(r)
		}
		return ended
	}
}

// Eval evaluates text as a command's argument does: records go to emit, bare
// expressions only set dot.
func (in *Interp) Eval(ctx context.Context, text string, emit func(Record) error) error {
	prev := in.prev
	defer func() { in.prev = prev }()
	return in.source(ctx, &Source{Text: text, Quiet: true, fatal: true}, emit)
}

// Type runs text as a typed line, which may use words of other debuggers.
func (in *Interp) Type(ctx context.Context, text string, emit func(Record) error) error {
	prev := in.prev
	defer func() { in.prev = prev }()
	return in.source(ctx, &Source{Text: text, fatal: true}, emit)
}

// Expr evaluates text as one expression.
func (in *Interp) Expr(text string) (uint64, error) {
	e, err := ParseExpr(text)
	if err != nil {
		return 0, err
	}
	return in.expr.value(e)
}
