package frames

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/core"
	"coredbg/core/sym/lines"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/source"
	"coredbg/stack"
	"coredbg/walk"
)

// Variables reads this, the arguments and the local variables of frames of JavaScript.
func Variables(s *commands.Session) commands.VariableReader {
	return func(f *walk.Frame, src *runtimes.SourceFrame, n int) ([]commands.Variable, bool) {
		if src.Kind != runtimes.JS && src.Kind != runtimes.API {
			return nil, false
		}
		v, err := v8.Among(s.Process, s.Found())
		if err != nil {
			return nil, false
		}
		all := v.Frames.Values(f)
		if stack.Borrowed(src.Async, f) || n >= len(all) || all[n] == nil {
			return nil, true
		}
		d, values := &detail{v: v}, all[n]
		list := []commands.Variable{d.variable("this", "this", &values.Receiver)}
		for i, name := range argumentNames(v, src.Function, values) {
			list = append(list, d.variable(name, "argument", &values.Args[i]))
		}
		for i := range values.Locals {
			list = append(list, d.variable(values.Locals[i].Name, "local", &values.Locals[i]))
		}
		return list, true
	}
}

// argumentNames returns what the arguments of a frame are called: as the function's text calls the parameters, unless
// the frame has a variable of that name, or else arg1, arg2 and so on.
func argumentNames(v *v8.V8, function core.Addr, values *frame.FrameValues) []string {
	var parameters []string
	if shared, ok := v.Objects.ClosureShared(target.Tagged(v, function)); ok && function != 0 {
		parameters = source.Parameters(v.Objects, shared)
	}
	names := make([]string, len(values.Args))
	for i := range names {
		names[i] = ordinal(i)
		if i < len(parameters) && parameters[i] != "" && !slices.ContainsFunc(values.Locals, func(l frame.Local) bool {
			return l.Name == parameters[i]
		}) {
			names[i] = parameters[i]
		}
	}
	return names
}

// ordinal returns what an argument is called by its place among the others, from 0 on.
func ordinal(i int) string { return fmt.Sprintf("arg%d", i+1) }

// Source reads the source of frames of JavaScript, which V8 keeps.
func Source(s *commands.Session) commands.SourceReader {
	return func(src *runtimes.SourceFrame, first, last int) (list []commands.SourceLine) {
		v, err := v8.Among(s.Process, s.Found())
		if src.Kind != runtimes.JS || err != nil {
			return nil
		}
		for _, l := range v.SourceLines(src, first, last) {
			list = append(list, commands.SourceLine(l))
		}
		return list
	}
}

// Held reads the source of scripts by their names. If several scripts have a name, it takes the one that V8
// compiled last.
func Held(s *commands.Session) commands.HeldSource {
	return func(ctx context.Context, name string, first, last int) (path string, list []commands.SourceLine) {
		v, ok := commands.RuntimeOf[*v8.V8](s)
		if !ok {
			return "", nil
		}
		h, err := v.Heaps.Snapshot(ctx)
		if err != nil {
			return "", nil
		}
		scripts, err := h.Scripts(ctx)
		if err != nil {
			return "", nil
		}
		for i := len(scripts) - 1; i >= 0; i-- {
			x := &scripts[i]
			if !lines.IsFile(strings.TrimPrefix(x.Name, "file://"), name) {
				continue
			}
			for _, l := range v.Objects.ScriptLines(x.Word, first, last) {
				list = append(list, commands.SourceLine(l))
			}
			if len(list) > 0 {
				return x.Name, list
			}
		}
		return "", nil
	}
}

// variable returns a value of a frame.
func (d *detail) variable(name, kind string, l *frame.Local) commands.Variable {
	x := commands.Variable{Name: name, Kind: kind, Why: l.Missing}
	if kind == "this" {
		x.JSON, x.Text = d.receiver(l)
	} else {
		x.JSON, x.Text = d.local(l)
	}
	return x
}
