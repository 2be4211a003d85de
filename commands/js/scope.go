package js

import (
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/stack"
	"coredbg/walk"
)

// A place is a frame of JavaScript; variable names are looked up in its function's scopes.
type place struct {
	machine  walk.Frame
	number   int // among the frames that share it
	borrowed bool
	function core.Addr // 0 if it is not known
	name     string    // the function, as ::stack has it
}

// scopeOf returns the frame of the session's thread that names are looked up in: the one that
// ::frame chose, else the first of the program; false if it is not one of JavaScript.
func scopeOf(ctx context.Context, s *commands.Session) (at place, ok bool) {
	if s.Thread == nil {
		return place{}, false
	}
	chosen, given := s.FrameOf(s.Thread)
	number, last := 0, walk.Frame{}
	s.Stacks.Thread(ctx, s.Thread, stack.Options{Each: func(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
		switch {
		case src == nil:
			return
		case last.Same(f):
			number++
		default:
			number, last = 0, *f
		}
		if ok || given && r.Index != chosen || !given && (src.Kind != runtimes.JS || !stack.Managed(r)) {
			return
		}
		at, ok = place{*f, number, stack.Borrowed(src.Async, f), src.Function, src.Name}, src.Kind == runtimes.JS
	}})
	return at, ok
}

// each visits the variables that a place sees, the nearest first, until visit returns false: the variables of
// the frame, with known set if they have a value, and the variables of the scopes around the function, as far
// as these can be read.
func (at *place) each(v *v8.V8, visit func(name string, value object.Slot, known bool) bool) {
	if all := v.Frames.Values(&at.machine); !at.borrowed && at.number < len(all) && all[at.number] != nil {
		for i := range all[at.number].Locals {
			if l := &all[at.number].Locals[i]; !visit(l.Name, l.Slot, l.Known()) {
				return
			}
		}
		args := all[at.number].Args
		for i, name := range at.parameters(v) {
			if i < len(args) && name != "" && !visit(name, args[i].Slot, args[i].Known()) {
				return
			}
		}
	}
	if at.function == 0 {
		return
	}
	contexts, _ := v.Objects.Contexts(tagged(v, at.function))
	for _, c := range contexts {
		for _, x := range slices.Concat(c.Variables, c.Imported) {
			if !visit(x.Name, x.Slot, true) {
				return
			}
		}
	}
}

// parameters returns the names of the function's parameters, as far as its text tells them.
func (at *place) parameters(v *v8.V8) []string {
	shared, ok := v.Objects.ClosureShared(tagged(v, at.function))
	if at.function == 0 || !ok {
		return nil
	}
	return source.Parameters(v.Objects, shared)
}

// variable returns what a name means at a place.
func (at *place) variable(v *v8.V8, name string) (value object.Slot, ok bool) {
	at.each(v, func(n string, x object.Slot, known bool) bool {
		if n == name && known {
			value, ok = x, true
		}
		return !ok
	})
	return value, ok
}

// words returns the names of the variables that a place sees.
func (at *place) words(v *v8.V8) (words []string) {
	at.each(v, func(name string, _ object.Slot, _ bool) bool {
		words = append(words, name)
		return true
	})
	return words
}

// visible returns the value of a path. The first name is a variable that the current frame sees, else a global;
// the other names are its members.
func visible(ctx context.Context, s *commands.Session, v *v8.V8, names []string) (object.Slot, error) {
	at, framed := scopeOf(ctx, s)
	if framed {
		if x, ok := at.variable(v, names[0]); ok {
			return v.Objects.Member(x, names[1:])
		}
	}
	x, err := globalOf(ctx, s, v, names)
	if framed && len(names) == 1 && err != nil {
		err = fmt.Errorf("%w, nor a variable that the frame sees or that a module of the program has", err)
	}
	return x, err
}

// globalOf returns the member, by the names after the first, of a global of the first realm that has it.
// Without one, the error is the first realm's.
func globalOf(ctx context.Context, s *commands.Session, v *v8.V8, names []string) (object.Slot, error) {
	realms, err := v.Objects.Realms(ctx, s.Thread)
	if err != nil {
		return object.Slot{}, err
	}
	var first error
	for _, native := range realms {
		x, err := v.Objects.Global(native, names[0])
		if err == nil {
			x, err = v.Objects.Member(x, names[1:])
		}
		if err == nil {
			return x, nil
		}
		if first == nil {
			first = err
		}
	}
	return object.Slot{}, first
}
