package lang

import (
	"context"
	"errors"
	"fmt"
	"io"

	"coredbg/core"
)

// A stage is a command with its arguments evaluated, ready to run any number
// of times.
type stage struct {
	name   string
	size   byte
	words  []Word
	args   []Arg
	traits Traits
}

// A span is where a pipeline's first command runs: an address, and how often.
type span struct {
	addr  uint64
	given bool
	count uint64
}

// prepare evaluates the arguments of a pipeline, with dot as it is before the
// pipeline runs, and looks up its commands.
func (in *Interp) prepare(cmds []Cmd) ([]stage, error) {
	var stages []stage
	for _, c := range cmds {
		c = in.whole(c)
		s := stage{name: c.Name, size: c.Size, words: c.Args}
		for _, w := range c.Args {
			a, err := in.expr.arg(w)
			if err != nil {
				return nil, err
			}
			s.args = append(s.args, a)
		}
		if !own(c.Name) {
			t, err := in.host.Command(c.Name)
			if err != nil {
				return nil, err
			}
			s.traits = t
		}
		stages = append(stages, s)
	}
	return stages, nil
}

// whole takes an option that follows a name without a blank for a part of it, if there
// is such a command: "::objects-like".
func (in *Interp) whole(c Cmd) Cmd {
	if !c.Joined || len(c.Args) == 0 || len(c.Args[0]) != 1 {
		return c
	}
	name := c.Name + c.Args[0][0].Text
	if _, err := in.host.Command(name); err == nil {
		c.Name, c.Args = name, c.Args[1:]
	}
	return c
}

// own reports whether a command is part of the language itself.
func own(name string) bool {
	switch name {
	case "/", `\`, "?", "=", "@", ">", "$<", "$<<":
		return true
	}
	return false
}

// A feed is one stage of a running pipeline but the first: it runs the stage
// for each record that is put into it, and hands the results on.
type feed struct {
	ctx   context.Context
	in    *Interp
	stage *stage
	next  Sink
	ran   bool
	done  bool
	at    place // where the stage left dot
}

// emitter is the end of a pipeline.
type emitter func(Record) error

func (e emitter) Put(r Record) error { return e(r) }
func (e emitter) Close() error       { return nil }

// pipe runs a pipeline. Records flow as they are made: a stage runs for a
// record before the stage to its left goes on, with a dot of its own.
func (in *Interp) pipe(ctx context.Context, stages []stage, at span, show func(Record) error) error {
	var next Sink = emitter(show)
	sinks := []Sink{next}
	var lastFeed *feed
	for i := len(stages) - 1; i > 0; i-- {
		s := &stages[i]
		if s.traits.Filter {
			f, err := in.host.Open(ctx, &Invocation{Name: s.name, Args: s.args, Count: 1, First: true, Emit: next.Put})
			if err != nil {
				return err
			}
			next = f
		} else {
			f := &feed{ctx: ctx, in: in, stage: s, next: next}
			if i == len(stages)-1 {
				lastFeed = f
			}
			next = f
		}
		sinks = append(sinks, next)
	}
	err := in.first(ctx, &stages[0], at, len(stages) > 1, next)
	if errors.Is(err, ErrStop) {
		err = nil
	}
	for i := len(sinks) - 1; i >= 0 && err == nil; i-- {
		if err = sinks[i].Close(); errors.Is(err, ErrStop) {
			err = nil
		}
	}
	if lastFeed != nil && lastFeed.ran {
		in.expr.at = lastFeed.at
	}
	return err
}

// first runs the first stage of a pipeline as often as its count says.
func (in *Interp) first(ctx context.Context, s *stage, at span, piped bool, next Sink) error {
	if at.given {
		in.expr.at.dot = at.addr
	}
	if at.count == 0 {
		return nil
	}
	if s.traits.Filter {
		return in.alone(ctx, s, at, next)
	}
	if s.name == "$<" || s.name == "$<<" {
		in.Vars.Set("9", at.count)
	}
	inv := Invocation{Name: s.name, Given: at.given, First: true, Feeds: piped, Count: 1, Args: s.args,
		Emit: next.Put}
	if s.traits.TakesCount {
		inv.Count, at.count = at.count, 1
	}
	for n := at.count; n > 0; n-- {
		inv.Dot = core.Addr(in.expr.at.dot)
		err := in.call(ctx, s, &inv, piped)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case ends(err):
			return err
		default:
			in.fail(err)
			if in.expr.at.inc == 0 { // it would fail the same way each time
				return nil
			}
		}
		if n > 1 {
			in.expr.at.dot += in.expr.at.inc
		}
		inv.First = false
	}
	return nil
}

// alone runs a filter at the head of a pipeline: its only input is the address
// before it.
func (in *Interp) alone(ctx context.Context, s *stage, at span, next Sink) error {
	f, err := in.host.Open(ctx, &Invocation{Name: s.name, Args: s.args, Count: at.count, First: true, Emit: next.Put})
	if err != nil {
		return err
	}
	if at.given {
		if err := f.Put(Value{V: at.addr, radix: in.expr.radix}); err != nil {
			return err
		}
	}
	return f.Close()
}

// Put runs the stage at the record's addresses.
func (f *feed) Put(r Record) error {
	if f.done {
		return ErrStop
	}
	addrs, err := f.in.addresses(f.ctx, r)
	if err != nil {
		return err
	}
	for _, a := range addrs {
		if err := f.run(r, a); err != nil {
			f.done = true
			return err
		}
	}
	return nil
}

func (f *feed) run(r Record, a core.Addr) error {
	in := f.in
	before := in.expr.at
	in.expr.at.dot = uint64(a)
	inv := Invocation{Name: f.stage.name, Dot: a, Given: true, Piped: true, First: !f.ran,
		Count: 1, Args: f.stage.args, Input: r, Emit: f.next.Put}
	_, last := f.next.(emitter)
	err := in.call(f.ctx, f.stage, &inv, !last)
	f.ran = true
	f.at = in.expr.at
	in.expr.at = before
	switch {
	case err == nil:
		return nil
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case ends(err):
		return err
	}
	in.fail(err)
	return nil
}

// Close does nothing: the stage ran for all it was given.
func (f *feed) Close() error { return nil }

// call runs a stage once.
func (in *Interp) call(ctx context.Context, s *stage, inv *Invocation, piped bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	in.expr.at.last = uint64(inv.Dot)
	switch s.name {
	case "/", "?", "=":
		return in.format(ctx, s, inv, piped)
	case `\`, "@":
		return fmt.Errorf("%s: a core has no physical address space", s.name)
	case ">":
		return in.assign(s, inv)
	case "$<", "$<<":
		return in.script(ctx, s, inv)
	}
	return in.host.Run(ctx, inv)
}

// addresses returns where the next stage runs for a record: at its address or,
// for text, at the values of its lines.
func (in *Interp) addresses(ctx context.Context, r Record) ([]core.Addr, error) {
	if m, ok := r.(Multi); ok {
		return m.Addrs(), nil
	}
	if t, ok := r.(TextRecord); ok {
		return in.textAddresses(t.PipeText())
	}
	if a, ok := r.Addr(); ok {
		return []core.Addr{a}, nil
	}
	return nil, Abort(errors.New("the left side of \"|\" has no address to pass on"))
}

// textAddresses reads text as expressions, one a line or statement.
func (in *Interp) textAddresses(text string) ([]core.Addr, error) {
	var all []core.Addr
	p := NewParser(text)
	p.names = &in.expr
	for p.More() {
		s, err := p.Next()
		if err != nil {
			return nil, err
		}
		if s.Empty() {
			continue
		}
		if s.Addr == nil || s.Count != nil || len(s.Stages) > 0 || s.HasShell {
			return nil, &SyntaxError{Off: s.Off, Near: s.String(), Msg: "syntax error: a pipe carries expressions"}
		}
		v, err := in.expr.value(s.Addr)
		if err != nil {
			return nil, Abort(err)
		}
		all = append(all, core.Addr(v))
	}
	return all, nil
}

// shell runs the statement's shell command with the records of its pipeline as
// input.
func (in *Interp) shell(ctx context.Context, s *Stmt, stages []stage, at span) error {
	if len(stages) == 0 {
		return in.host.Shell(ctx, s.Shell, nil)
	}
	return in.host.Shell(ctx, s.Shell, func(w io.Writer) error {
		return in.pipe(ctx, stages, at, func(r Record) error { return in.host.Show(r, w) })
	})
}
