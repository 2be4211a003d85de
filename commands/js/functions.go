package js

import (
	"cmp"
	"context"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
)

var jsfunctionsCommand = commands.Command{
	Name: "jsfunctions", Module: target.Module, Often: "nsl", Addr: commands.AddrNone,
	Options: []commands.Option{
		commands.RawOption,
		{Letter: 'X', Help: "show where the bytecode and the machine code of each function lie"},
		{Letter: 's', Arg: "file", Help: "only functions of scripts whose name has this in it"},
		{Letter: 'n', Arg: "name", Help: "only functions whose name has this in it"},
		{Letter: 'x', Arg: "addr", Help: "only functions whose code, for the interpreter or the machine, holds the address"},
		{Letter: 'l', Help: "list each closure"},
	},
	Summary: "list the functions on the heap",
	Detail: `A row is a function of the source with the number of closures that were made of it
and the best code there is for it: lazy if it was never run or its bytecode was
dropped. A pipe gets the first closure of each, or the SharedFunctionInfo if there is
none; with -l every closure. Functions that nothing refers to any more may be among
them until V8 sweeps the heap.`,
	EmptyText: "no function has that name, file or code",
	Example:   "::jsfunctions -s main.js -n cb",
	SeeAlso:   []string{"jsfunction", "jssource", "jsscripts", "v8code", "v8bytecode"},
	Run:       runFunctions,
}

// functionRow is a row of ::jsfunctions.
type functionRow struct {
	_        out.Record `record:"jsfunctions" cols:"Object Closures Tier shown"`
	Object   core.Addr  `json:"addr" dot:"always" col:"FUNC,16,right"`
	Shared   core.Addr  `json:"shared"`
	Name     string     `json:"name"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Column   int        `json:"column,omitempty"`
	Closures int        `json:"count" col:"CLOSURES,8,right"`
	Tier     string     `json:"tier,omitempty" col:"CODE,11,zero=-"`
	Bytecode core.Addr  `json:"bytecode,omitzero"`
	Codes    []codeSpan `json:"code,omitempty"`
	madeFrom
	places bool   // -X
	shown  string `col:"NAME and PLACE"`
}

// codeSpan is where machine code of a function lies.
type codeSpan struct {
	Word  core.Addr `json:"addr"`
	Tier  string    `json:"tier"`
	Start core.Addr `json:"start"`
	Size  uint64    `json:"size"`
}

func runFunctions(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	var at core.Addr
	if a, ok := c.Opt('x'); ok {
		n, err := c.Value(a)
		if err != nil {
			return err
		}
		at = core.Addr(n)
	}
	list, err := target.Functions(ctx, v)
	if err != nil {
		return err
	}
	for i := range list {
		f := &list[i]
		if at != 0 && !v.Frames.Runs(f, at) {
			continue
		}
		place, made := original(c, v, &f.Function)
		if !has(c.Str('s'), f.File, place.File) || !has(c.Str('n'), f.Name, place.Name) {
			continue
		}
		if err := emitFunction(c, f, &place, made); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether one of two texts has a part.
func has(part, a, b string) bool { return strings.Contains(a, part) || strings.Contains(b, part) }

func emitFunction(c *commands.Call, f *heap.SharedFunction, at *runtimes.SourceFrame, made madeFrom) error {
	r := functionRow{Object: core.Addr(f.Shared), Shared: core.Addr(f.Shared), Name: at.Name,
		File: at.File, Line: at.Line,
		Column: at.Column, madeFrom: made, Closures: len(f.Closures), Tier: f.Tier, Bytecode: core.Addr(f.Bytecode),
		places: c.Flag('X')}
	for _, x := range f.Codes {
		r.Codes = append(r.Codes, codeSpan{core.Addr(x.Word), x.Tier, core.Addr(x.Start), x.Size})
	}
	if !c.Flag('l') {
		if len(f.Closures) > 0 {
			r.Object = core.Addr(f.Closures[0])
		}
		return c.Emit(&r)
	}
	for _, a := range f.Closures {
		row := r
		row.Object = core.Addr(a)
		if err := c.Emit(&row); err != nil {
			return err
		}
	}
	return nil
}

// Prepare implements out.Preparer.
func (r *functionRow) Prepare() {
	r.shown = inspect.Printable(cmp.Or(r.Name, "(anonymous)"))
	if r.File != "" {
		r.shown += " (" + position(r.File, r.Line, r.Column) + ")"
	}
	if r.Unmapped {
		r.shown += " (" + stack.Unmapped + ")"
	}
}

// Details writes what -X adds.
func (r *functionRow) Details(w *out.Writer) {
	if !r.places {
		return
	}
	if r.Bytecode != 0 {
		w.Printf("%26s bytecode %x\n", "", uint64(r.Bytecode))
	}
	for _, x := range r.Codes {
		w.Printf("%26s %s code %x, instructions %x to %x\n", "", x.Tier, uint64(x.Word), uint64(x.Start),
			uint64(x.Start)+x.Size)
	}
}

var jsscriptsCommand = commands.Command{
	Name: "jsscripts", Module: target.Module, Addr: commands.AddrNone,
	Args:    "[name]",
	Summary: "list the scripts that V8 has compiled",
	Detail: `Lists id, kind, length of the source in characters (UTF-16 code units), lines, and how
many of its functions are on the heap. With a name only scripts whose name has it in it. The source
of Node's own scripts is in the node binary.`,
	Example: "::jsscripts main.js",
	SeeAlso: []string{"jsfunctions", "jssource"},
	Run:     runScripts,
}

// scriptRecord is a script.
type scriptRecord struct {
	_         out.Record `record:"jsscript" cols:"Word ID Kind Length Lines Functions Name"`
	Word      core.Addr  `json:"addr" col:"SCRIPT,16,right" dot:"always"`
	ID        int        `json:"id" col:"ID,5,right"`
	Name      string     `json:"name" col:"NAME"`
	Kind      string     `json:"script_type,omitempty" col:"TYPE,9,zero=-"`
	Source    core.Addr  `json:"source,omitzero"`
	Length    *int       `json:"length,omitempty" col:"LENGTH,8,right,zero=-"` // of the source, in characters
	Lines     int        `json:"lines,omitempty" col:"LINES,6,right,zero=-"`
	Functions int        `json:"functions" col:"FUNCS,5,right"` // that are on the heap
}

func newScript(s *object.ScriptInfo) *scriptRecord {
	r := &scriptRecord{Word: core.Addr(s.Word), ID: s.ID, Name: s.Name, Kind: s.Type, Source: core.Addr(s.Source),
		Lines: s.Lines, Functions: s.Functions}
	if s.Length >= 0 {
		r.Length = &s.Length
	}
	return r
}

func runScripts(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	part := ""
	if len(c.Args) > 0 {
		part = c.Text(c.Args[0])
	}
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	list, err := h.Scripts(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		if !strings.Contains(s.Name, part) {
			continue
		}
		if err := c.Emit(newScript(&s)); err != nil {
			return err
		}
	}
	return nil
}

// walkFunctions yields the closures of all functions.
func walkFunctions(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	list, err := h.Functions(ctx)
	for i := range list {
		for _, a := range list[i].Closures {
			if !yield(a) {
				return nil
			}
		}
	}
	return err
}

// walkScripts yields the scripts.
func walkScripts(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	list, err := h.Scripts(ctx)
	for i := range list {
		if !yield(core.Addr(list[i].Word)) {
			return nil
		}
	}
	return err
}
