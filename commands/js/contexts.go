package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var jsclosureCommand = commands.Command{
	Name: "jsclosure", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'a', Help: "also the variables of the scopes around the nearest one that has any"}},
	Summary: "show the variables that a function closes over",
	Detail: `Shows the variables of the nearest scope around the function that V8 keeps in a
context: the ones that an inner function uses. Variables that nothing closes over
live in registers and are gone when their function returned.`,
	Example: "::jsprint -b T.closure | ::jsclosure",
	SeeAlso: []string{"jscontext", "jsfunction"},
	Run:     runClosure,
}

func runClosure(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	if f, err := v.Objects.Function(t); err == nil && f.Target != 0 {
		t = f.Target
	} else if err != nil {
		return err
	}
	list, err := v.Objects.Contexts(t)
	for _, ctx := range list {
		for _, x := range ctx.Variables {
			r := listed(v, x.Name, x.Slot)
			r.kind = "jsclosure"
			r.context = core.Addr(ctx.Word)
			if err := c.Emit(r); err != nil {
				return err
			}
		}
		if len(ctx.Variables) > 0 && !c.Flag('a') {
			break
		}
	}
	return err
}

var jscontextCommand = commands.Command{
	Name: "jscontext", Module: target.Module, Addr: commands.AddrRequired,
	Summary: "show the chain of contexts of a function",
	Detail: `Takes a function or a context, and shows each context that it sees with its
variables, the nearest first. A pipe gets the contexts.`,
	Example: "::jsprint -b T.closure | ::jscontext",
	SeeAlso: []string{"jsclosure", "v8context", "v8scopeinfo"},
	Run:     runContexts,
}

var v8contextCommand = commands.Command{
	Name: "v8context", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'd', Help: "show the word of each slot"}},
	Summary: "show a context of V8",
	Detail: `Shows a context's ScopeInfo, the context around it and its variables by slot; with
-d every slot.`,
	Example: "::jsprint -b T.closure | ::jscontext | ::v8context -d",
	SeeAlso: []string{"jscontext", "v8scopeinfo"},
	Run:     runContext,
}

// contextRecord is a context with its variables.
type contextRecord struct {
	ctx    *object.Context
	values []*inspect.Value // of the variables
	words  []layout.Tagged  // of all slots, with -d
	form   inspect.FormatOptions
	slots  bool // number the variables
}

func newContext(v *v8.V8, x *object.Context) *contextRecord {
	r := &contextRecord{ctx: x, form: inspect.FormatOptions{OneLine: true, Dialect: v.Values.Dialect()}}
	for _, y := range x.Variables {
		r.values = append(r.values, v.Values.InspectSlot(y.Slot, brief))
	}
	return r
}

func runContexts(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	list, err := v.Objects.Contexts(target.Tagged(v, c.Dot))
	for _, x := range list {
		if err := c.Emit(newContext(v, x)); err != nil {
			return err
		}
	}
	return err
}

func runContext(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	x, err := v.Objects.Context(target.Tagged(v, c.Dot))
	if err != nil {
		return err
	}
	r := newContext(v, x)
	r.slots = true
	if c.Flag('d') {
		data, n, err := v.Objects.FixedArray(x.Word)
		if err != nil {
			return err
		}
		for i := range n {
			w, err := v.Objects.Slot(data, i)
			if err != nil {
				return err
			}
			r.words = append(r.words, w)
		}
	}
	return c.Emit(r)
}

// Addr returns the context.
func (r *contextRecord) Addr() (core.Addr, bool) { return core.Addr(r.ctx.Word), true }

// Text writes the context and its variables, one on a line.
func (r *contextRecord) Text(w *out.Writer) {
	kind := "context"
	if r.ctx.Native {
		kind = "native context"
	}
	w.Printf("%x: %s of %d slots, scope info %x", uint64(r.ctx.Word), kind, r.ctx.Length, uint64(r.ctx.ScopeInfo))
	if r.ctx.Previous != 0 {
		w.Printf(", in %x", uint64(r.ctx.Previous))
	}
	w.Printf("\n")
	for i, x := range r.ctx.Variables {
		if r.slots {
			w.Printf("    slot %d: ", x.Index)
		} else {
			w.Printf("    ")
		}
		w.Printf("%s: %s\n", inspect.Printable(x.Name), r.values[i].Format(r.form))
	}
	for i, t := range r.words {
		w.Printf("    %4d: %x\n", i, uint64(t))
	}
}

// A contextJSON is a context as programs see it.
type contextJSON struct {
	_         out.Record                 `record:"jscontext"`
	Addr      core.Addr                  `json:"addr"`
	Length    int                        `json:"length"` // slots
	Native    bool                       `json:"native"`
	ScopeInfo core.Addr                  `json:"scope_info"`
	Previous  core.Addr                  `json:"previous,omitzero"`
	Variables out.Object[*inspect.Value] `json:"variables"`
	Slots     []core.Addr                `json:"slots,omitempty"` // the words of all, with -d
}

// JSON implements out.Formed.
func (r *contextRecord) JSON() any {
	j := &contextJSON{Addr: core.Addr(r.ctx.Word), Length: r.ctx.Length, Native: r.ctx.Native,
		ScopeInfo: core.Addr(r.ctx.ScopeInfo),
		Previous:  core.Addr(r.ctx.Previous)}
	for i, x := range r.ctx.Variables {
		j.Variables = append(j.Variables, out.Member[*inspect.Value]{Name: x.Name, Value: r.values[i]})
	}
	for _, t := range r.words {
		j.Slots = append(j.Slots, core.Addr(t))
	}
	return j
}

var v8scopeinfoCommand = commands.Command{
	Name: "v8scopeinfo", Module: target.Module, Addr: commands.AddrRequired,
	Summary: "show a ScopeInfo of V8",
	Detail: `Shows the kind of scope, how many parameters it has, the function's name, its place
in the script and the names of the variables that its contexts hold.`,
	Example: "::jsprint -b T.closure | ::jscontext | ::v8scopeinfo",
	SeeAlso: []string{"v8context", "v8function"},
	Run:     runScopeInfo,
}

// scopeRecord is a ScopeInfo.
type scopeRecord struct {
	_        out.Record `record:"v8scopeinfo"`
	Object   core.Addr  `json:"addr" dot:"always"`
	Scope    int        `json:"scope_type"`
	Params   int        `json:"parameters"`
	Function string     `json:"function,omitempty"`
	Inferred string     `json:"inferred_name,omitempty"`
	Start    *int       `json:"start,omitempty"`
	End      *int       `json:"end,omitempty"`
	Outer    core.Addr  `json:"outer,omitempty"`
	Locals   []string   `json:"context_locals"`
}

func runScopeInfo(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	if x, err := v.Objects.Context(t); err == nil {
		t = x.ScopeInfo
	}
	s, err := v.Objects.ScopeInfo(t)
	if s == nil {
		return err
	}
	if err != nil {
		c.Warn("%v", err)
	}
	const longest = 4096
	text := func(t layout.Tagged) string {
		s, _ := v.Objects.String(t, longest)
		return s
	}
	r := &scopeRecord{Object: core.Addr(t), Scope: s.Type, Params: s.Params,
		Function: text(s.FunctionName), Inferred: text(s.InferredName), Outer: core.Addr(s.Outer), Locals: []string{}}
	if s.Start >= 0 {
		r.Start, r.End = &s.Start, &s.End
	}
	for _, n := range s.ContextLocals {
		r.Locals = append(r.Locals, text(n))
	}
	return c.Emit(r)
}

// Text writes the facts, one on a line.
func (r *scopeRecord) Text(w *out.Writer) {
	w.Printf("%x: scope type %d, %d parameters\n", uint64(r.Object), r.Scope, r.Params)
	line := func(label, text string) {
		if text != "" {
			w.Printf("    %-9s %s\n", label, inspect.Printable(text))
		}
	}
	line("function", r.Function)
	line("inferred", r.Inferred)
	if r.Start != nil {
		line("source", fmt.Sprintf("characters %d to %d", *r.Start, *r.End))
	}
	if r.Outer != 0 {
		line("outer", fmt.Sprintf("%x", uint64(r.Outer)))
	}
	for i, n := range r.Locals {
		line(fmt.Sprintf("local %d", i), n)
	}
}
