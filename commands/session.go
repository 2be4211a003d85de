package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/debuginfod"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/typed"
	"coredbg/stack"
	"coredbg/walk"
)

// A Session is an open core with everything that commands need: the process,
// its symbols, its runtimes, and the state of the language. NewSession makes
// one; the fields may be changed before the first Run.
type Session struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target
	Stacks  *stack.Engine
	Thread  *core.Thread // the current one; nil if the core has no threads
	// Runtimes returns the runtimes of the process, probing for them on the
	// first call; it may be nil.
	Runtimes func() []runtimes.Runtime
	// Probed are the names of the runtimes that are looked for.
	Probed []string

	// Arguments adds the arguments of native frames to a stack of a thread, which was made with o; it may be nil.
	Arguments func(ctx context.Context, t *core.Thread, st *stack.Stack, o stack.Options)
	// Brief gives the frames of a stack of a thread their arguments in a few words; it may be nil.
	Brief func(ctx context.Context, t *core.Thread, st *stack.Stack)
	// Scene returns the source and the values of the thread's current frame (values.Scene); it may be nil.
	Scene func(ctx context.Context, t *core.Thread) *Scene
	// Scenes returns the thread's frames with a number in frames, in their order; it may be nil.
	Scenes func(ctx context.Context, t *core.Thread, frames map[int]bool) []*Scene
	// FrameVariables calls visit for the variables of native frames of all threads, until it returns false;
	// it may be nil.
	FrameVariables func(ctx context.Context, visit func(*typed.Variable) bool)
	// Variables read the variables of frames of managed code, each for its runtime.
	Variables []VariableReader
	// Sources read the source of such frames.
	Sources []SourceReader
	// Held read the source that the process holds, by the names of files.
	Held []HeldSource
	// Files finds files that the process had, or that it was made from; it may be nil.
	Files find.Finder
	// Servers is also in Files and in the source of the symbols; nil if no server is used.
	Servers *debuginfod.Client
	// CauseFinders, in addition to the runtimes, know why the process may have ended.
	CauseFinders []runtimes.CauseFinder
	// LeakRules returns the known leak patterns of the runtimes found and of their embedders; nil if there are
	// no rules.
	LeakRules func() []heap.Rule
	// MadeBy returns the file of the module that made the native object at an address, such as a
	// reference of Node-API; "" if no runtime knows it. It may be nil.
	MadeBy func(a core.Addr) string
	// Noises are the functions that summaries leave out, as the runtimes and
	// languages know them.
	Noises []*runtimes.Noise

	Commands *Registry
	Lang     *lang.Interp

	Out  *out.Writer   // data
	Err  *out.Terminal // talk: warnings, progress
	JSON bool          // records are shown as JSON lines
	Live bool          // each record is written at once: a user watches

	// Disasm returns the instruction at a, of memory or of the object file,
	// and its length in bytes.
	Disasm func(a core.Addr, file bool) (text string, size int, err error)
	// Shelling is called before a shell command takes the terminal, and its result afterwards; it may be nil.
	Shelling func() (restore func())
	// Watch is called to run each line, and may show its progress: the work in do is reported to the
	// core.WithProgress value in the context. It may be nil.
	Watch func(ctx context.Context, do func(ctx context.Context))
	// Other opens another core, with the same places for its files, to compare with this
	// one; it may be nil. The caller closes it.
	Other func(path string) (*Session, error)
	// System is the machine that the session runs on.
	System System
	// Partial is set once something could not be shown because it is missing
	// or unreadable; batch runs then end in exit code 3.
	Partial bool

	// Confined is set where the lines are not typed by the user: commands open no file that a line names, write
	// none and run no program.
	Confined bool

	// Questions are the questions that ::help answers.
	Questions []Question
	// Guess returns the line that shows what a text means in the language of the process, such as
	// "sessions[0].user"; "" if it means nothing there. left is the part of the text that the line does not answer.
	// It may be nil.
	Guess func(text string, sure bool) (line, left string)
	// Program returns the line to run instead of a whole line that is a program in the language of the process; ""
	// for other lines. It may be nil.
	Program func(text string) string
	// Aliases are words that stand for lines.
	Aliases Aliases

	// Examined is the memory that ::examine showed last.
	Examined Examined

	// Prompt is what the debugger asks for a line with.
	Prompt string

	chosen chosenFrame
	native *Native // nil until it is asked for

	// asked gets the records of Ask; nil if people read them.
	asked           func(Record) error
	log             *out.Log
	logName         string
	head            string // the heading last written
	warnedTruncated bool   // WarnCut has spoken
	// kept is what packages of commands keep in the session: see Keep.
	kept map[reflect.Type]any
	// translated are the words of other debuggers whose meaning was said.
	translated map[string]bool
	// shellHead is the heading last written to a shell command.
	shellHead string
}

// NewSession returns a session over p with plain text going to stdout and
// warnings to stderr. The current thread is the one that crashed.
func NewSession(p *core.Process, r *Registry, stdout, stderr io.Writer) *Session {
	s := &Session{Process: p, Commands: r, Out: out.NewBuffered(stdout), Err: out.NewTerminal(stderr), System: OS{}}
	if len(p.Threads) > 0 {
		s.Thread = p.Threads[0]
	}
	s.Lang = lang.New(host{s})
	s.Lang.Open = s.OpenFile
	return s
}

// Close closes the core and all files that were opened for it.
func (s *Session) Close() error { return s.Process.Close() }

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
	outer := s.asked
	defer func() { s.asked = outer }()
	var ended error
	s.asked = func(r Record) error {
		if ended == nil {
			ended = emit(r)
		}
		return ended
	}
	return s.runTo(ctx, lang.Source{Text: line}, func(r lang.Record) error { return s.asked(Plain(r)) })
}

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
	if s.Watch != nil {
		do := run
		run = func(ctx context.Context) { s.Watch(ctx, do) }
	}
	if core.Guard(func() { run(ctx) }) != nil {
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

// Shortened returns an error if the core's file was shortened while it was open.
func (s *Session) Shortened() error {
	for _, c := range s.Process.Closers {
		if c, ok := c.(core.CutSource); ok {
			if err := c.Cut(); err != nil {
				return fmt.Errorf("%s was cut short while it was open: %w", s.Process.Path, err)
			}
		}
	}
	return nil
}

// Warn reports something that is missing from a result: as a line of Err and,
// with JSON, as a record in its place among the others.
func (s *Session) Warn(err error) { s.report("warning", err) }

// Fail reports a failure; see Warn.
func (s *Session) Fail(err error) { s.report("error", err) }

func (s *Session) report(kind string, err error) {
	if core.Fault(err) != nil || core.CannotKnow(err) {
		s.Partial = true
	}
	if s.JSON && s.asked == nil {
		s.Out.JSON(FailureOf(kind, err))
	}
	if s.asked != nil {
		s.asked(FailureOf(kind, err))
		return
	}
	s.Out.Flush()
	WriteError(s.errWriter(), err)
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

// lost describes the memory written by the process that the core lacks; "" if it has most of it. Most cores
// lack a little: memory that the kernel shares with a process, and memory that the process asked to be left
// out.
func (s *Session) lost() string {
	if s.Process.Truncated {
		return "it is truncated"
	}
	lost, all := uint64(0), uint64(0)
	for _, m := range s.Process.Mappings {
		own := m.Path == "" || m.Path == "[heap]" || strings.HasPrefix(m.Path, "[stack")
		if size := uint64(m.End - m.Start); own && m.Prot&core.Write != 0 {
			all += size
			lost += size - min(size, m.Dumped)
		}
	}
	if lost <= all/2 {
		return ""
	}
	return fmt.Sprintf("of %d KiB that the process could write, %d are not in it", all>>10, lost>>10)
}

// note writes something that is not a failure to Err.
func (s *Session) note(text string) {
	s.Out.Flush()
	fmt.Fprintf(s.errWriter(), "coredbg: %s\n", out.Clean(text, false))
}

func (s *Session) errWriter() io.Writer {
	if s.log != nil {
		return s.log.Tee(s.Err)
	}
	return s.Err
}

// Typed copies a line that was typed at the prompt to the log, if there is one.
func (s *Session) Typed(line string) {
	if s.log != nil {
		s.log.Typed(s.Prompt, line)
	}
}

// LogName returns the name of the log, or "" if there is none.
func (s *Session) LogName() string { return s.logName }

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
	s.Out.SetLog(s.log)
	return err
}

// show writes a record as text or as a JSON line to w.
func (s *Session) show(r lang.Record, w *out.Writer, head *string) error {
	if s.JSON {
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
	if headed(r) {
		head = fmt.Sprintf("%T", Plain(r))
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
	for _, r := range s.Found() {
		if t, ok := r.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}

// Found returns the runtimes of the process.
func (s *Session) Found() []runtimes.Runtime {
	if s.Runtimes == nil {
		return nil
	}
	return s.Runtimes()
}

// Native returns the memory of the process's allocators.
func (s *Session) Native() *Native {
	if s.native == nil {
		s.native = &Native{process: s.Process, symbols: s.Symbols, stacks: s.Stacks, found: s.Found,
			variables: s.FrameVariables, warnings: s}
	}
	return s.native
}

// RuntimeNames returns the names of the runtimes of the process.
func (s *Session) RuntimeNames() (names []string) {
	for _, r := range s.Found() {
		names = append(names, r.Name())
	}
	return names
}
