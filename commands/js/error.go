package js

import (
	"context"
	"errors"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var jserrorCommand = commands.Command{
	Name: "jserror", Module: target.Module, Addr: commands.AddrOptional,
	Summary: "show a JavaScript error with its stack and causes",
	Detail: `Shows the message, the stack and the properties of the error at the address, and
then of each error that caused it. Without an address it shows the errors that the
current thread's stack refers to, the nearest to its top first: in a process that
died of an uncaught exception the first is that one, as a rule.`,
	Example: "::jserror",
	SeeAlso: []string{"jsprint", "jsstack"},
	Run:     runError,
}

// maxCauses bounds a chain of errors that cause each other.
const maxCauses = 64

func runError(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if c.HasAddr {
		return emitError(c, v, target.Tagged(v, c.Dot))
	}
	t, err := c.StackOf()
	if err != nil {
		return err
	}
	list := v.Objects.ErrorsOnStack(ctx, t)
	if len(list) == 0 {
		return c.Empty("the stack of thread %d refers to no error of JavaScript", t.TID)
	}
	for _, t := range list {
		if err := emitError(c, v, t); err != nil {
			return err
		}
	}
	return nil
}

// errorRecord is an error with its causes.
type errorRecord struct {
	at    core.Addr
	chain []*inspect.Value
	form  inspect.FormatOptions
}

func emitError(c *commands.Call, v *v8.V8, t layout.Tagged) error {
	o := inspect.DefaultInspect()
	o.Depth = 1
	r := &errorRecord{at: core.Addr(t), form: inspect.FormatOptions{Dialect: v.Values.Dialect()}}
	seen := map[layout.Tagged]bool{}
	for len(r.chain) < maxCauses && !seen[t] {
		seen[t] = true
		x := v.Values.Inspect(t, o)
		if !x.Error() {
			if len(r.chain) == 0 {
				return errors.New(core.Addr(t).String() + " is not an error")
			}
			break
		}
		r.chain = append(r.chain, x)
		cause, err := v.Objects.Member(object.Slot{Word: t}, []string{"cause"})
		if err != nil || cause.Raw {
			break
		}
		t = cause.Word
	}
	return c.Emit(r)
}

// Addr returns the error.
func (r *errorRecord) Addr() (core.Addr, bool) { return r.at, true }

// Text writes the errors, each with its stack.
func (r *errorRecord) Text(w *out.Writer) {
	for i, x := range r.chain {
		if i > 0 {
			w.Printf("caused by ")
		}
		w.Printf("%x: ", uint64(x.Word))
		var kept []inspect.Member
		for _, m := range x.Properties {
			if m.Name != "cause" || m.Symbol || i == len(r.chain)-1 {
				kept = append(kept, m)
			}
		}
		y := *x
		y.Properties = kept
		w.Printf("%s\n", strings.TrimPrefix(y.Format(r.form), "<ref *1> "))
	}
}

// An errorJSON is an error as programs see it.
type errorJSON struct {
	_     out.Record     `record:"jserror"`
	Addr  core.Addr      `json:"addr"`
	Value *inspect.Value `json:"value"`
}

// JSON implements out.Formed.
func (r *errorRecord) JSON() any { return &errorJSON{Addr: r.at, Value: r.chain[0]} }
