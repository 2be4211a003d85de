package names

import (
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/stack"
	"coredbg/walk"
)

// A Place is a frame of JavaScript; variable names are looked up in its function's scopes.
type Place struct {
	Function core.Addr // 0 if it is not known

	machine  walk.Frame
	number   int // among the frames that share it
	borrowed bool
	name     string // the function, as ::stack has it
}

// PlaceOf returns the frame of the session's thread that names are looked up in: the one that
// ::frame chose, else the first of the program; false if it is not one of JavaScript.
func PlaceOf(ctx context.Context, s *commands.Session) (at Place, ok bool) {
	if s.Thread == nil {
		return Place{}, false
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
		at = Place{src.Function, *f, number, stack.Borrowed(src.Async, f), src.Name}
		ok = src.Kind == runtimes.JS
	}})
	return at, ok
}

// Values returns the values of the frame; nil if they are not known.
func (at *Place) Values(v *v8.V8) *frame.FrameValues {
	if all := v.Frames.Values(&at.machine); !at.borrowed && at.number < len(all) {
		return all[at.number]
	}
	return nil
}

// each visits the variables that a place sees, the nearest first, until visit returns false: the variables of
// the frame, with known set if they have a value, and the variables of the scopes around the function, as far
// as these can be read.
func (at *Place) each(v *v8.V8, visit func(name string, value object.Slot, known bool) bool) {
	if values := at.Values(v); values != nil {
		for i := range values.Locals {
			if l := &values.Locals[i]; !visit(l.Name, l.Slot, l.Known()) {
				return
			}
		}
		args := values.Args
		for i, name := range at.parameters(v) {
			if i < len(args) && name != "" && !visit(name, args[i].Slot, args[i].Known()) {
				return
			}
		}
	}
	if at.Function == 0 {
		return
	}
	contexts, _ := v.Objects.Contexts(target.Tagged(v, at.Function))
	for _, c := range contexts {
		for _, x := range slices.Concat(c.Variables, c.Imported) {
			if !visit(x.Name, x.Slot, true) {
				return
			}
		}
	}
}

// parameters returns the names of the function's parameters, as far as its text tells them.
func (at *Place) parameters(v *v8.V8) []string {
	shared, ok := v.Objects.ClosureShared(target.Tagged(v, at.Function))
	if at.Function == 0 || !ok {
		return nil
	}
	return source.Parameters(v.Objects, shared)
}

// Variable returns what a name means at a place.
func (at *Place) Variable(v *v8.V8, name string) (value object.Slot, ok bool) {
	at.each(v, func(n string, x object.Slot, known bool) bool {
		if n == name && known {
			value, ok = x, true
		}
		return !ok
	})
	return value, ok
}

// Words returns the names of the variables that a place sees.
func (at *Place) Words(v *v8.V8) (words []string) {
	at.each(v, func(name string, _ object.Slot, _ bool) bool {
		words = append(words, name)
		return true
	})
	return words
}

// Visible returns the value of a path. The first name is a variable that the current frame sees, else a global;
// the other names are its members.
func Visible(ctx context.Context, s *commands.Session, v *v8.V8, names []string) (object.Slot, error) {
	at, framed := PlaceOf(ctx, s)
	if framed {
		if x, ok := at.Variable(v, names[0]); ok {
			return v.Objects.Member(x, names[1:])
		}
	}
	x, err := Global(ctx, s, v, names)
	if framed && len(names) == 1 && err != nil {
		err = fmt.Errorf("%w, nor a variable that the frame sees or that a module of the program has", err)
	}
	return x, err
}

// Global returns the member, by the names after the first, of a global of the first realm that has it.
// Without one, the error is the first realm's.
func Global(ctx context.Context, s *commands.Session, v *v8.V8, names []string) (object.Slot, error) {
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
