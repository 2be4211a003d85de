package values

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// An activation is a frame of a stack with the means to read its variables.
type activation struct {
	stack.Frame
	machine walk.Frame
	managed bool
	// variables are the variables of a frame of managed code.
	variables func() ([]commands.Variable, bool)
	// source returns lines of such a frame's source that the process holds, if it does.
	source func(first, last int) []commands.SourceLine
	module *core.Module
	// look reads the following fields on demand: most frames of a stack are never looked at.
	look   func()
	found  *dwarf.Scope // nil without DWARF
	err    error        // why there are no variables
	read   *dwarf.Frame
	caller *activation // the next machine frame; nil if there is none
	number int         // among the frames of managed code that share a machine frame
}

// activations returns the frames of a thread, the innermost first, numbered as ::stack numbers them: inlined
// functions in debug files of libraries make no frames of their own.
func activations(ctx context.Context, s *commands.Session, t *core.Thread) []*activation {
	return activationsWith(ctx, s, t, stack.Options{})
}

// aheadFrames is how many callers of a frame are known when its variables are read: values at entry of one
// may depend on the next.
const aheadFrames = 64

// reach returns how many frames of the machine to walk for the given frames of a stack and their callers:
// each has a number of its own.
func reach(frames []stack.Frame) int { return frames[len(frames)-1].Index + 1 + aheadFrames }

// activationsWith is activations with the lines and down to the limit of o.
func activationsWith(ctx context.Context, s *commands.Session, t *core.Thread, o stack.Options) []*activation {
	var all []*activation
	o.Each = noteActivation(s, &all)
	st := s.Stacks.Thread(ctx, t, o)
	all = all[:min(len(all), len(st.Frames))]
	for i, a := range all {
		a.Frame = st.Frames[i]
	}
	link(s, t, all)
	return all
}

// noteActivation returns the stack.Options.Each that appends an activation without its Frame for each frame.
func noteActivation(s *commands.Session, all *[]*activation) func(*stack.Frame, *walk.Frame, *runtimes.SourceFrame) {
	return func(_ *stack.Frame, machine *walk.Frame, src *runtimes.SourceFrame) {
		a := &activation{machine: *machine, managed: src != nil}
		if src != nil {
			a.ofManaged(s, *all, *src)
		}
		*all = append(*all, a)
	}
}

// link tells activations that follow one another who their callers are, and which of them share a frame of the machine.
func link(s *commands.Session, t *core.Thread, all []*activation) {
	for i := len(all) - 2; i >= 0; i-- {
		a, next := all[i], all[i+1]
		if a.caller = next; a.machine.PC == next.machine.PC && a.machine.SP == next.machine.SP {
			a.caller = next.caller // an inlined function shares its frame
		}
	}
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n-1].Inlined && !all[i].managed {
			n++
		}
		group := slices.Clone(all[i : i+n]) // all may be a window that moves on
		look := sync.OnceFunc(func() { scopesOf(s, t, group) })
		for _, a := range group {
			a.look = look
		}
		i += n
	}
}

// scope returns the function of a frame with its variables; nil without debugging information.
func (a *activation) scope() *dwarf.Scope { a.look(); return a.found }

// frame returns what the variables are read with; nil if they are not known, for the reason that
// why returns.
func (a *activation) frame() *dwarf.Frame { a.look(); return a.read }

func (a *activation) why() error { a.look(); return a.err }

// ofManaged notes how the variables of a frame of managed code are read, which comes after
// others: several may share one of the machine.
func (a *activation) ofManaged(s *commands.Session, before []*activation, src runtimes.SourceFrame) {
	if k := len(before) - 1; k >= 0 && before[k].managed && before[k].machine.Same(&a.machine) {
		a.number = before[k].number + 1
	}
	a.variables = func() ([]commands.Variable, bool) {
		for _, read := range s.Variables {
			if list, ok := read(&a.machine, &src, a.number); ok {
				return list, true
			}
		}
		return nil, false
	}
	a.source = func(first, last int) []commands.SourceLine {
		for _, read := range s.Sources {
			if list := read(&src, first, last); list != nil {
				return list
			}
		}
		return nil
	}
}

// value returns the value of a variable of the frame. In Go a variable declared on a later line has no value
// yet, whatever is in its place: no jump skips a declaration. Code that a //line comment puts before its
// function belongs to another file.
func (a *activation) value(v *dwarf.Variable) dwarf.Value {
	x := v.Value(a.frame())
	if v.Kind == dwarf.Local && a.Line > 0 && v.Line > a.Line && a.Line >= a.scope().Line && x.Type != nil &&
		x.Type.Lang() == dwarf.LangGo {
		return a.frame().Lost(x.Type, fmt.Errorf("it is declared later, in line %d", v.Line))
	}
	return x
}

// borrowed reports whether the frame awaits and its machine frame belongs to another call.
func (a *activation) borrowed() bool { return stack.Borrowed(a.Async, &a.machine) }

// known reports whether a frame can have variables that are shown.
func (a *activation) known() bool {
	if scope := a.scope(); scope != nil {
		return len(scope.Vars) > 0
	}
	return a.managed && stack.Managed(&a.Frame) && !a.borrowed()
}

// scopesOf gives the frames that share one of the machine, inlined functions first, their scopes.
func scopesOf(s *commands.Session, t *core.Thread, list []*activation) {
	a := list[len(list)-1]
	f, err := frameOf(s, t, a)
	var scopes []dwarf.Scope
	if err == nil {
		if scopes, err = f.Data.Scopes(f.PC); err == nil && len(scopes) == 0 {
			err = errNoFunction
		}
	}
	for i, x := range list {
		x.read, x.module, x.err = f, a.module, err
		// The function that has the code is the last of both.
		if k := len(scopes) - len(list) + i; err == nil && k >= 0 {
			x.found = &scopes[k]
		}
	}
}

var errNoFunction = errors.New("debugging information has no function there")

// frameOf returns what expressions are evaluated with in a frame of the machine.
func frameOf(s *commands.Session, t *core.Thread, a *activation) (*dwarf.Frame, error) {
	p := s.Process
	switch {
	case a.Async:
		return nil, errors.New("it awaits")
	case stack.Managed(&a.Frame):
		return nil, errors.New("its runtime has not kept them")
	case a.managed:
		return nil, errors.New("its code was made by a runtime")
	}
	pc := a.machine.LookupPC()
	m := p.Module(pc)
	if m == nil {
		return nil, errors.New("its code is in no module")
	}
	a.module = m
	s.Symbols.Fetch(m, sym.DebugInfo)
	data, err := s.Symbols.Data(m)
	if errors.Is(err, dwarf.ErrNone) {
		err = fmt.Errorf("%s has no debugging information", m.Name())
	}
	if err != nil {
		return nil, err
	}
	f := program.ImageFrame(s, m, data)
	link, ok := m.LinkAddr(pc)
	if !ok {
		return nil, fmt.Errorf("where %s was loaded is not known", m.Name())
	}
	f.PC, f.Regs = link, &a.machine.Regs
	if a.CFA != 0 {
		f.CFA = a.CFA + core.Addr(p.Arch.CFAOff)
	}
	if a.machine.Point == walk.AfterCall {
		f.Return = link + uint64(a.machine.PC-pc)
	}
	f.Caller = func() *dwarf.Frame {
		if a.caller == nil {
			return nil
		}
		return a.caller.frame()
	}
	f.TLS = program.TLSOf(s, t, m)
	if sp, ok := t.Regs.Get(p.Arch.SP); ok && a.machine.Trust == walk.Registers && a.machine.SP == core.Addr(sp) {
		f.Wide = wideOf(t, p.Arch)
	}
	return f, nil
}

// wideOf returns how a thread's floating-point and vector registers are found, which its innermost
// frame has.
func wideOf(t *core.Thread, arch *core.Arch) func(reg uint64) []byte {
	return func(reg uint64) []byte {
		name := arch.WideName(reg)
		if name == "" || t.Registers == nil {
			return nil
		}
		for _, r := range t.Registers() {
			if r.Name != name {
				continue
			}
			if r.Bytes != nil {
				return r.Bytes
			}
			b := make([]byte, 8)
			arch.Order.PutUint64(b, r.Value)
			return b
		}
		return nil
	}
}

// current returns the frame that is looked at: the one that ::frame chose, else the first with
// variables.
func current(ctx context.Context, s *commands.Session, t *core.Thread) (*activation, error) {
	all := activations(ctx, s, t)
	if n, ok := s.FrameOf(t); ok {
		for _, a := range all {
			if a.Index == n {
				return a, nil
			}
		}
	}
	// Users seldom want the abort machinery's frames, so they are not looked at unless necessary.
	own := slices.DeleteFunc(slices.Clone(all), func(a *activation) bool {
		return s.Noise(a.Name) || where.OfLibrary(&a.Frame)
	})
	for _, list := range [][]*activation{own, all} {
		if i := slices.IndexFunc(list, (*activation).known); i >= 0 {
			return list[i], nil
		}
		if len(list) > 0 {
			return list[0], nil
		}
	}
	return nil, core.Unknown(fmt.Errorf("%v has no frames", t))
}

// calledOneOf reports whether a function's name is one of names, or ends in one behind a "." or a "::".
func calledOneOf(function string, names []string) bool {
	function = sym.Demangle(function, true)
	for _, n := range names {
		if function == n || strings.HasSuffix(function, "."+n) || strings.HasSuffix(function, "::"+n) {
			return true
		}
	}
	return false
}
