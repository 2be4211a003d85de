// Package star turns Starlark functions (a small dialect of Python) that a session loads into
// commands. A function command_NAME(records, *args) becomes ::NAME. It gets the records of the
// pipeline as dictionaries, and the operands as strings; it returns the records to hand on. Its
// help is its docstring.
//
// A file sees nothing of the machine: it opens no files, loads no others and has no network and no clock. A
// call is bounded by steps, and by the memory that the process uses meanwhile.
//
// The chain: Load runs a file once and freezes what it defined; each function becomes a commands.Command whose sink
// collects records as JSON, turns them into values (record.go), calls the function and emits what it returns.
//
// Files: star.go loads and calls; record.go turns records into values and back; bounded.go bounds what one
// operation may make.
//
// LIMITATIONS: memory is looked at every few milliseconds, so operations may take some more before the call
// ends. "x *= y" is for names alone. A function gets all records at once: an endless pipeline never reaches
// it.
package star

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"coredbg/commands"
	"coredbg/commands/lang"
)

// The bounds of a file and of a call.
const (
	MaxFile    = 1 << 20   // bytes
	maxSteps   = 50 << 20  // of the interpreter
	maxMemory  = 256 << 20 // bytes that the process may grow by
	maxRecords = 1 << 20   // that a function gets or returns
	lookEvery  = 5 * time.Millisecond
)

const (
	module = "user"
	prefix = "command_"
)

// Load runs the text of a file and adds its commands to a session. It returns their names. A
// function whose name coredbg has is left out, and named in the error.
func Load(s *commands.Session, name, text string) (names []string, err error) {
	if len(text) > MaxFile {
		return nil, fmt.Errorf("%s: %d bytes are too many", name, len(text))
	}
	t := &starlark.Thread{Name: name, Print: printer(s)}
	defer watch(context.Background(), t)()
	o := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}
	globals, err := run(o, t, name, text, predeclared(s))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, explained(err))
	}
	globals.Freeze()
	var list []commands.Command
	var taken []string
	for _, key := range globals.Keys() {
		word, ok := strings.CutPrefix(key, prefix)
		f, is := globals[key].(*starlark.Function)
		if !ok || !is || word == "" {
			continue
		}
		if c, there := s.Commands.Command(word); there && c.Module != module {
			taken = append(taken, "::"+word)
			continue
		}
		list = append(list, command(word, f))
		names = append(names, word)
	}
	s.Commands.Add(list...)
	if len(taken) > 0 {
		return names, fmt.Errorf("%s: left out, as coredbg has such a command: %s", name, strings.Join(taken, " "))
	}
	return names, nil
}

// run runs a file, with its products bounded.
func run(o *syntax.FileOptions, t *starlark.Thread, name, text string,
	names starlark.StringDict) (starlark.StringDict, error) {
	f, err := o.Parse(name, text, 0)
	if err != nil {
		return nil, err
	}
	if err := bound(f); err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(f, names.Has)
	if err != nil {
		return nil, err
	}
	return program.Init(t, names)
}

// command makes a command of a function.
func command(name string, f *starlark.Function) commands.Command {
	summary, detail, _ := strings.Cut(strings.TrimSpace(f.Doc()), "\n")
	c := commands.Command{Name: name, Module: module, Addr: commands.AddrOptional, RawArgs: true,
		Args: operands(f), Silent: true,
		Summary: strings.TrimSuffix(strings.TrimSpace(summary), "."), Detail: dedent(detail), Example: "::" + name}
	if c.Summary == "" {
		c.Summary = "a command of " + f.Position().Filename()
	}
	c.Filter = func(ctx context.Context, call *commands.Call) (lang.Sink, error) {
		return &sink{ctx: ctx, call: call, f: f}, nil
	}
	return c
}

// operands returns the operands of a function as usage shows them.
func operands(f *starlark.Function) string {
	var list []string
	for i := range f.NumParams() {
		name, _ := f.Param(i)
		switch rest := f.HasVarargs() && i == f.NumParams()-1-f.NumKwonlyParams(); {
		case i == 0 && !rest:
		case rest:
			list = append(list, "["+name+" ...]")
		case f.ParamDefault(i) != nil:
			list = append(list, "["+name+"]")
		default:
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}

// dedent takes the indentation of a docstring away that its lines share.
func dedent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	least := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " ")); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(max(least, 0), len(l)):], " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// A sink collects the records of a pipeline for one call of a function.
type sink struct {
	ctx  context.Context
	call *commands.Call
	f    *starlark.Function
	in   []starlark.Value
}

// Put takes a record.
func (x *sink) Put(r lang.Record) error {
	if len(x.in) == maxRecords {
		return fmt.Errorf("::%s gets more than %d records", x.call.Command.Name, maxRecords)
	}
	v, err := valueOf(r)
	x.in = append(x.in, v)
	return err
}

// Close calls the function and emits the records that it returns.
func (x *sink) Close() error {
	s := x.call.Session
	args := starlark.Tuple{starlark.NewList(x.in)}
	for _, a := range x.call.Args {
		args = append(args, starlark.String(x.call.Text(a)))
	}
	t := &starlark.Thread{Name: x.call.Command.Name, Print: printer(s)}
	t.SetLocal(contextKey, x.ctx)
	defer watch(x.ctx, t)()
	result, err := starlark.Call(t, x.f, args, nil)
	if err != nil {
		return fmt.Errorf("::%s: %w", x.call.Command.Name, explained(err))
	}
	list, err := results(result)
	if err != nil {
		return fmt.Errorf("::%s: %w", x.call.Command.Name, err)
	}
	for _, v := range list {
		r, err := newRecord(x.call.Command.Name, v)
		if err != nil {
			return fmt.Errorf("::%s: %w", x.call.Command.Name, err)
		}
		if err := x.call.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// contextKey is the thread-local name of the context of a call.
const contextKey = "context"

// printer shows a file's own output, which is not part of the records.
func printer(s *commands.Session) func(*starlark.Thread, string) {
	return func(_ *starlark.Thread, text string) { s.Print(text) }
}

// explained adds the place of an error.
func explained(err error) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) || len(failed.CallStack) == 0 {
		return err
	}
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if pos := failed.CallStack[i].Pos; pos.Line > 0 {
			return fmt.Errorf("line %d: %w", pos.Line, err)
		}
	}
	return err
}

// watch bounds what a thread does until the returned function is called: its steps, the memory of the process, and ctx.
func watch(ctx context.Context, t *starlark.Thread) (stop func()) {
	t.SetMaxExecutionSteps(maxSteps)
	t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel("it takes too many steps") }
	done := make(chan struct{})
	before := heapBytes()
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				t.Cancel("it was interrupted")
				return
			case <-tick.C:
				if heapBytes() > before+maxMemory {
					t.Cancel("it takes too much memory")
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// heapBytes returns the bytes of the objects in Go's heap.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// predeclared are the names that a file has besides Starlark's own: json, math, and run(LINE), which returns
// the records of a line.
func predeclared(s *commands.Session) starlark.StringDict {
	return starlark.StringDict{"json": json.Module, "math": math.Module, "run": starlark.NewBuiltin("run", runLine(s)),
		"range": starlark.NewBuiltin("range", boundedRange), times: starlark.NewBuiltin(times, multiply)}
}

type builtin = func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error)

// runLine is run(LINE): the records of the line, as a list.
func runLine(s *commands.Session) builtin {
	return func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		var line string
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &line); err != nil {
			return nil, err
		}
		ctx, ok := t.Local(contextKey).(context.Context)
		if !ok {
			return nil, errors.New("run: only a command runs lines, not the file itself")
		}
		was := s.Confined
		s.Confined = true
		defer func() { s.Confined = was }()
		var list []starlark.Value
		err := s.Lang.Eval(ctx, line, func(r lang.Record) error {
			if len(list) == maxRecords {
				return lang.ErrStop
			}
			v, err := valueOf(r)
			list = append(list, v)
			return err
		})
		return starlark.NewList(slices.Clip(list)), err
	}
}
