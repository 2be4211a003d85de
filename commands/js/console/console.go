package console

import (
	"context"
	"errors"
	"slices"
	"sync"

	"coredbg/commands"
	"coredbg/commands/js/frames"
	"coredbg/commands/js/names"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
	"coredbg/stack"
)

// A Console evaluates expressions as they are typed into the console of a browser: over the variables of the
// current frame, the globals and the variables of the program's modules.
type Console struct {
	ctx    context.Context
	s      *commands.Session
	v      *v8.V8
	at     names.Place
	framed bool
	values *frame.FrameValues // nil if they are not known
	absent []string           // names that mean nothing
	asked  []string           // names that mean nothing, but begin expressions that may be answered
	bare   bool               // the text is one name alone
	notes  []string           // on answers of the embedder
	kept   *kept
}

// New returns the console of a session, at its current frame.
func New(ctx context.Context, s *commands.Session, v *v8.V8) *Console {
	c := &Console{ctx: ctx, s: s, v: v, kept: keptOf(s)}
	if c.at, c.framed = names.PlaceOf(ctx, s); c.framed {
		c.values = c.at.Values(v)
	}
	return c
}

// look returns what a name means.
func (c *Console) look(name string) (object.Slot, error) {
	if c.framed && name != "arguments" {
		if x, ok := c.at.Variable(c.v, name); ok {
			return x, nil
		}
	}
	x, err := names.Global(c.ctx, c.s, c.v, []string{name})
	if errors.Is(err, object.ErrAccessor) && (name == "window" || name == "self") { // of a page
		x, err = names.Global(c.ctx, c.s, c.v, []string{"globalThis"})
	}
	if errors.Is(err, object.ErrComputed) {
		return c.lazyGlobal(name)
	}
	if err == nil || !errors.Is(err, object.ErrNoGlobal) || name == "arguments" {
		return x, err
	}
	if x, ok := c.moduleVariable(name); ok {
		return x, nil
	}
	if list, e := names.InModules(c.ctx, c.v, "", []string{name}); e == nil && len(list) > 0 {
		return list[0].Slot, nil
	}
	if t, ok := names.Thrown(c.ctx, c.s, c.v, name); ok && !c.bare {
		return object.Slot{Word: t}, nil
	}
	if askedNames[name] {
		c.asked = append(c.asked, name)
	} else if name != "undefined" && !c.provided(name) {
		c.absent = append(c.absent, name)
	}
	return object.Slot{}, err
}

// place is where expressions are evaluated.
func (c *Console) place() eval.Place {
	at := eval.Place{Look: c.look, Kept: c.kept.values, KeptConstants: c.kept.constants,
		Require: c.require, Question: c.question, Note: c.note,
		Remark: c.remark, Lasting: c.kept.lasting, Stack: sync.OnceValue(c.stack)}
	if c.values != nil {
		at.This = func() (object.Slot, error) { return slotOf(&c.values.Receiver) }
		at.Arguments = c.arguments
	}
	return at
}

// stack are the lines of the frames from the current one on, as an error's stack has them.
func (c *Console) stack() []string {
	if c.s.Thread == nil {
		return nil
	}
	st := c.s.Stacks.Thread(c.ctx, c.s.Thread, stack.Options{ManagedOnly: true})
	chosen, given := c.s.FrameOf(c.s.Thread)
	if given {
		i := slices.IndexFunc(st.Frames, func(f stack.Frame) bool { return f.Index >= chosen })
		if i < 0 {
			return nil
		}
		st.Frames = st.Frames[i:]
	}
	return frames.ErrorLines(c.v, st)
}

// variables reports whether a frame of JavaScript is chosen that has arguments or variables of its own.
func (c *Console) variables() bool {
	return c.framed && c.values != nil && len(c.values.Args)+len(c.values.Locals) > 0
}

// arguments returns the values of the frame's arguments.
func (c *Console) arguments() (list []object.Slot, err error) {
	if c.arrow() {
		return nil, errors.New("an arrow function has no arguments of its own, and those of the function around it are not known")
	}
	for i := range c.values.Args {
		x, err := slotOf(&c.values.Args[i])
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// slotOf returns the value of a local, or why it is not known.
func slotOf(l *frame.Local) (object.Slot, error) {
	if !l.Known() {
		return object.Slot{}, errors.New(l.Missing)
	}
	return l.Slot, nil
}

// evaluate evaluates an expression.
func (c *Console) evaluate(n *syntax.Node, o inspect.InspectOptions) (*inspect.Value, error) {
	x, err := c.v.Values.Evaluate(c.place(), n, o, nil)
	return x.Value, err
}

// words of DevTools' and Node's consoles that stand for values which the process need not have.
var consoleNames = []string{"require", "console", "structuredClone"}

// OfConsole reports whether a console finds a name that no frame and no global has.
func OfConsole(name string) bool {
	_, module := moduleNames[name]
	return module || slices.Contains(consoleNames, name)
}

// provided reports whether a console has a name of its own.
func (c *Console) provided(name string) bool {
	_, kept := c.kept.values[name]
	return kept || slices.Contains(consoleNames, name) && (name != "require" || c.node())
}
