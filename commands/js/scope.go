package js

import (
	"context"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
	"coredbg/walk"
)

// A place is a frame of JavaScript, of which the names of variables are those that its
// function sees.
type place struct {
	machine  walk.Frame
	number   int // among the frames that share it
	async    bool
	function core.Addr // 0 if it is not known
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
		case last.PC == f.PC && last.FP == f.FP:
			number++
		default:
			number, last = 0, *f
		}
		if ok || given && r.Index != chosen || !given && (src.Kind != runtimes.JS || !stack.Managed(r)) {
			return
		}
		at, ok = place{*f, number, src.Async, src.Function}, src.Kind == runtimes.JS
	}})
	return at, ok
}

// variable returns what a name means at a place: a local variable, or one of a scope around
// the function.
func (at *place) variable(v *v8.V8, name string) (object.Slot, bool) {
	if all := v.Frames.Values(&at.machine); !at.async && at.number < len(all) && all[at.number] != nil {
		for i := range all[at.number].Locals {
			if l := &all[at.number].Locals[i]; l.Name == name && l.Known() {
				return l.Slot, true
			}
		}
	}
	if at.function == 0 {
		return object.Slot{}, false
	}
	contexts, _ := v.Objects.Contexts(tagged(v, at.function)) // as far as they can be read
	for _, c := range contexts {
		for _, x := range c.Variables {
			if x.Name == name {
				return x.Slot, true
			}
		}
	}
	return object.Slot{}, false
}

// words returns the names of the variables that a place sees.
func (at *place) words(v *v8.V8) (words []string) {
	if all := v.Frames.Values(&at.machine); !at.async && at.number < len(all) && all[at.number] != nil {
		for i := range all[at.number].Locals {
			words = append(words, all[at.number].Locals[i].Name)
		}
	}
	if at.function == 0 {
		return words
	}
	contexts, _ := v.Objects.Contexts(tagged(v, at.function))
	for _, c := range contexts {
		for _, x := range c.Variables {
			words = append(words, x.Name)
		}
	}
	return words
}

// visible returns the member, by the names after the first, of what the first means: a variable
// that the current frame sees, else a global.
func visible(ctx context.Context, s *commands.Session, v *v8.V8, names []string) (object.Slot, error) {
	if at, ok := scopeOf(ctx, s); ok {
		if x, ok := at.variable(v, names[0]); ok {
			return v.Objects.Member(x, names[1:])
		}
	}
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
