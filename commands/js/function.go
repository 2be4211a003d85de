package js

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
)

var jsfunctionCommand = commands.Command{
	Name: "jsfunction", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{commands.RawOption},
	Summary: "show what function a JSFunction is",
	Detail: `Shows the name, the kind and the place where the function begins. If the script has a source
map, that place is in the original file, and the line "runs" has the place in the script. -raw shows
the place in the script only.`,
	Example: "::jsprint -b T.closure | ::jsfunction",
	SeeAlso: []string{"jssource", "jsclosure", "v8function"},
	Run:     runFunction,
}

var v8functionCommand = commands.Command{
	Name: "v8function", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{commands.RawOption,
		{Letter: 'd', Help: "also the variables that its context and those around it hold"}},
	Summary: "show the parts of a JSFunction of V8",
	Detail: `Shows the SharedFunctionInfo, Context, Script and BytecodeArray of a function, for
the commands that take those.`,
	Example: "::jsprint -b T.fn | ::v8function -d",
	SeeAlso: []string{"jsfunction", "v8scopeinfo", "v8context"},
	Run:     runFunction,
}

// functionRecord describes a function.
type functionRecord struct {
	_        out.Record `record:"jsfunction"`
	Object   core.Addr  `json:"addr" dot:"always"`
	Name     string     `json:"name"`
	Kind     string     `json:"kind"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Column   int        `json:"column,omitempty"`
	Start    *int       `json:"start,omitempty"` // characters of the script
	End      *int       `json:"end,omitempty"`
	Shared   core.Addr  `json:"shared,omitempty"`
	Context  core.Addr  `json:"context,omitempty"`
	Script   core.Addr  `json:"script,omitempty"`
	Bytecode core.Addr  `json:"bytecode,omitempty"`
	Target   core.Addr  `json:"target,omitempty"` // of a bound function
	madeFrom

	internal bool
}

// madeFrom has the place of the code that runs, where another place is shown by a source map.
type madeFrom struct {
	// the code was generated, and no source map has its original place
	Unmapped  bool                `json:"unmapped,omitempty"`
	Generated *runtimes.Generated `json:"generated,omitempty"` // what runs
}

// runsText writes them below a place.
func (m *madeFrom) runsText(w *out.Writer) {
	switch {
	case m.Generated != nil:
		w.Printf("    runs       %s\n", position(m.Generated.File, m.Generated.Line, m.Generated.Column))
	case m.Unmapped:
		w.Printf("    %s\n", stack.Unmapped)
	}
}

// original returns the name and place of a function by the source map of its script, unless -raw was given.
func original(c *commands.Call, v *v8.V8, f *object.Function) (at runtimes.SourceFrame, made madeFrom) {
	if c.Flag('R') {
		return runtimes.SourceFrame{Name: f.Name, File: f.File, Line: f.Line, Column: f.Column}, made
	}
	at = v.Original(f)
	return at, madeFrom{at.Unmapped, at.Generated}
}

func runFunction(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	f, err := v.Objects.Function(target.Tagged(v, c.Dot))
	if err != nil {
		return err
	}
	at, made := original(c, v, f)
	r := &functionRecord{Object: core.Addr(f.Word), Name: at.Name, Kind: f.Type, File: at.File, Line: at.Line,
		Column: at.Column, madeFrom: made, Shared: core.Addr(f.Shared), Context: core.Addr(f.Context),
		Script:   core.Addr(f.Script),
		Bytecode: core.Addr(f.Bytecode), Target: core.Addr(f.Target), internal: c.Command.Name == "v8function"}
	if f.Start >= 0 {
		r.Start, r.End = &f.Start, &f.End
	}
	if err := c.Emit(r); err != nil || !r.internal || !c.Flag('d') || f.Target != 0 {
		return err
	}
	return runContexts(ctx, c)
}

// Text writes the facts, one on a line.
func (r *functionRecord) Text(w *out.Writer) {
	name := r.Name
	if name == "" {
		name = "(anonymous)"
	}
	w.Printf("%x: %s %s\n", uint64(r.Object), strings.ToLower(r.Kind[:1])+r.Kind[1:], inspect.Printable(name))
	if r.File != "" {
		w.Printf("    defined at %s\n", position(r.File, r.Line, r.Column))
		r.runsText(w)
	} else if r.Target == 0 {
		w.Printf("    not written in JavaScript\n")
	}
	line := func(label string, a core.Addr) {
		if a != 0 {
			w.Printf("    %-9s %x\n", label, uint64(a))
		}
	}
	line("target", r.Target)
	if r.internal {
		line("shared", r.Shared)
		line("context", r.Context)
		line("script", r.Script)
		line("bytecode", r.Bytecode)
		if r.Start != nil {
			w.Printf("    %-9s characters %d to %d\n", "source", *r.Start, *r.End)
		}
	}
}

var jssourceCommand = commands.Command{
	Name: "jssource", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{commands.RawOption,
		{Letter: 'n', Arg: "lines", Help: "show this many lines before and after it"}},
	Summary: "show the source of a function",
	Detail: `Shows the function's lines, with their numbers. If the script has a source map with the original
text, the lines are the original's. -raw shows the script's. Node's own functions have their source in the node binary.`,
	Example: "::jsprint -b T.fn | ::jssource -n 2",
	SeeAlso: []string{"jsfunction", "jsstack"},
	Run:     runSource,
}

// maxSourceLines bounds the lines of one function that are shown.
const maxSourceLines = 5000

// sourceRecord is a stretch of a script.
type sourceRecord struct {
	_      out.Record `record:"jssource"`
	Object core.Addr  `json:"addr" dot:"always"`
	Name   string     `json:"name,omitempty"`
	File   string     `json:"file"`
	Line   int        `json:"line"`
	Lines  []string   `json:"lines"`
	madeFrom
	Note   string `json:"note,omitempty"`   // why the lines are the script's although it has a source map
	Source string `json:"source,omitempty"` // the function alone, as it runs
}

func runSource(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	around, err := c.Int('n', 0)
	if err != nil {
		return err
	}
	f, err := v.Objects.Function(target.Tagged(v, c.Dot))
	if err != nil {
		return err
	}
	if f.Target != 0 {
		return fmt.Errorf("%x is a bound function; its target is %x", uint64(f.Word), uint64(f.Target))
	}
	r := &sourceRecord{Object: core.Addr(f.Word), Name: f.Name, File: f.File}
	if !r.original(c, v, f, around) {
		if err := r.script(v, f, around); err != nil {
			return err
		}
	}
	const most = 1 << 18
	if r.Source, err = v.Objects.Source(f.Script, f.Start, f.End, most); err != nil {
		c.Warn("%v", err)
	}
	return c.Emit(r)
}

// original takes the function's lines from the original text in the source map. It returns false if there are
// no such lines.
func (r *sourceRecord) original(c *commands.Call, v *v8.V8, f *object.Function, around int) bool {
	at, made := original(c, v, f)
	r.madeFrom = madeFrom{Unmapped: made.Unmapped}
	first, last, ok := v.OriginalLines(f, &at)
	switch {
	case !ok && made.Generated != nil:
		r.Note = "the source map says that it begins at " + position(at.File, at.Line, at.Column) +
			", and not where it ends"
		return false
	case !ok:
		return false
	}
	for _, l := range v.SourceLines(&at, first-around, min(last+around, first-around+maxSourceLines)) {
		if len(r.Lines) == 0 {
			r.Line = l.Number
		}
		r.Lines = append(r.Lines, l.Text)
	}
	if len(r.Lines) == 0 {
		r.Note = "the source map has the place " + position(at.File, at.Line, at.Column) + ", and not the text"
		return false
	}
	r.Name, r.File, r.madeFrom = at.Name, at.File, made
	return true
}

// script takes the lines of the script.
func (r *sourceRecord) script(v *v8.V8, f *object.Function, around int) error {
	first, last, err := v.Objects.SourceLines(f)
	if err != nil {
		return err
	}
	shown := min(last+around, first-around+maxSourceLines)
	r.Lines, r.Line, err = v.Objects.Lines(f.Script, first-around, shown)
	if len(r.Lines) == 0 {
		return err
	}
	return nil
}

// Text writes the lines with their numbers.
func (r *sourceRecord) Text(w *out.Writer) {
	w.Printf("file: %s\n", inspect.Printable(r.File))
	r.runsText(w)
	if r.Note != "" {
		w.Printf("    %s\n", inspect.Printable(r.Note))
	}
	w.Printf("\n")
	for i, l := range r.Lines {
		w.Printf("%6d %s\n", r.Line+i, out.Clean(strings.ReplaceAll(l, "\t", "    "), false))
	}
}

// position writes a place in a script. A line of 0 is one that is not known,
// as in Node's own scripts where the node binary is not at hand.
func position(file string, line, column int) string {
	if line == 0 {
		return inspect.Printable(file)
	}
	return fmt.Sprintf("%s:%d:%d", inspect.Printable(file), line, column)
}
