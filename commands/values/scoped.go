package values

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/cexpr"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/core/sym/lines"
	"coredbg/stack"
)

// nameNode returns the value of a name. A file or a function may stand before it, as in gdb's 'a.c'::count and
// work::calls.
func (e *evaluator) nameNode(n *cexpr.Node) (dwarf.Value, error) {
	if n.Scope != "" {
		return e.inScope(n.Scope, n.Text)
	}
	v, err := e.name(n.Text)
	if err == nil {
		return v, nil
	}
	if strings.Contains(n.Text, ".") { // in quotes, as Go's are for gdb
		if v, wrong := program.Dotted(e.s, n.Text); wrong == nil {
			return v, nil
		}
	}
	if i := strings.LastIndex(n.Text, "::"); i > 0 {
		v, e := e.inScope(n.Text[:i], n.Text[i+2:])
		if e == nil || !errors.Is(e, errNoScope) {
			return v, e
		}
	}
	return v, err
}

var errNoScope = errors.New("no file or function has the name")

// inScope returns the value of a variable of a file or of a function.
func (e *evaluator) inScope(scope, name string) (dwarf.Value, error) {
	if e.s.Symbols == nil {
		return dwarf.Value{}, errNoScope
	}
	if strings.ContainsAny(scope, "./") { // it may be a file
		if v, ok := inFile(e.s, scope, name); ok {
			return v, nil
		}
		if x, ok := e.s.Symbols.FindInFile("", scope, name); ok {
			return e.symbol(x)
		}
	}
	fn, err := functionScope(e.s, scope)
	if errors.Is(err, errNoScope) {
		return dwarf.Value{}, err
	}
	if a, _ := frameAnywhere(e.ctx, e.s, scope); a != nil && a.scope() != nil {
		for i := len(a.scope().Vars) - 1; i >= 0; i-- {
			if v := a.scope().Vars[i]; v.Name == name {
				return a.value(v), nil
			}
		}
	}
	if err != nil {
		return dwarf.Value{}, err
	}
	for i := len(fn.Vars) - 1; i >= 0; i-- {
		v := fn.Vars[i]
		if v.Name != name {
			continue
		}
		x := v.Value(fn.frame)
		if _, err := x.Bytes(1); err != nil {
			return x, core.Unknown(fmt.Errorf("%s is a variable of %s, which no thread runs", name, scope))
		}
		return x, nil
	}
	return dwarf.Value{}, fmt.Errorf("%s has no variable %s", scope, name)
}

// inFile returns a variable outside of functions that a source file defines.
func inFile(s *commands.Session, file, name string) (v dwarf.Value, ok bool) {
	// A module without debugging information defines no such variable.
	_ = program.InModules(s, "", func(m *core.Module, d *dwarf.Data) bool {
		for _, x := range d.FindVariables(name) {
			if of, _, _ := x.Unit().Source(); lines.IsFile(of, file) {
				v, ok = program.Placed(s, m, x.Value(program.ImageFrame(s, m, d)), x.Name), true
				return true
			}
		}
		return false
	})
	return v, ok
}

// A functionInfo is a function as debugging information describes it, apart from its frames.
type functionInfo struct {
	*dwarf.Scope
	at    core.Addr
	frame *dwarf.Frame // for variables outside of its frames
}

// functionScope returns the function with a name, or with a name that ends in it.
func functionScope(s *commands.Session, name string) (*functionInfo, error) {
	list := s.Symbols.Ending(name, maxEnding)
	if x, ok := s.Symbols.Find("", name); ok && x.Kind == core.SymFunc {
		list = append([]sym.Symbol{x}, list...)
	}
	var why error
	for _, x := range list {
		fn, err := functionAt(s, x)
		if fn != nil {
			return fn, nil
		}
		if err != nil {
			why = err
		}
	}
	switch {
	case len(list) == 0:
		return nil, fmt.Errorf("%w %s", errNoScope, name)
	case why != nil:
		return nil, core.Unknown(fmt.Errorf("the variables of %s are not known: %w", name, why))
	}
	return nil, core.Unknown(fmt.Errorf("the variables of %s are not known: %w", name, errNoFunction))
}

// functionAt returns the function of a symbol; nil without debugging information.
func functionAt(s *commands.Session, x sym.Symbol) (*functionInfo, error) {
	if x.Module == nil {
		return nil, nil
	}
	s.Symbols.Fetch(x.Module, sym.DebugInfo)
	d, err := s.Symbols.Data(x.Module)
	link, ok := x.Module.LinkAddr(x.Addr)
	if err != nil || !ok {
		return nil, err
	}
	fn, err := d.Function(link)
	if fn == nil {
		return nil, err
	}
	f := program.ImageFrame(s, x.Module, d)
	f.PC = link
	return &functionInfo{fn, x.Addr, f}, nil
}

// functionType returns the type of the function at a symbol. Go's values of type func are other things: a function of
// Go has the type of one without debugging information.
func (e *evaluator) functionType(x sym.Symbol) *dwarf.Type {
	if fn, err := functionAt(e.s, x); err == nil && fn != nil {
		if t := fn.Type(); t.Lang() != dwarf.LangGo {
			return t
		}
	}
	return dwarf.NewFunction(e.made.Arch.PtrSize)
}

// frameAnywhere returns the innermost frame of the function with a name, and its thread: the current thread's, or else
// another thread's or task's. It returns nil if no stack has the function.
func frameAnywhere(ctx context.Context, s *commands.Session, name string) (*activation, *core.Thread) {
	named := func(t *core.Thread) *activation {
		for _, a := range activations(ctx, s, t) {
			if calledOneOf(a.Name, []string{name}) {
				return a
			}
		}
		return nil
	}
	if s.Thread != nil {
		if a := named(s.Thread); a != nil {
			return a, s.Thread
		}
	}
	tasks, _ := s.Tasks()
	all := append(append([]*core.Thread(nil), s.Process.Threads...), tasks...)
	for rec := range s.Stacks.All(ctx, all, stack.Options{}) {
		for i := range rec.Frames {
			if calledOneOf(rec.Frames[i].Name, []string{name}) {
				if a := named(rec.Thread); a != nil {
					return a, rec.Thread
				}
			}
		}
	}
	return nil, nil
}

// maxEnumerators bounds the debugging information that is searched for the name of an enumeration's value, in bytes.
const maxEnumerators = 64 << 20

// enumerator returns the enumeration's value with a name, from the current frame's unit or else from another unit.
func (e *evaluator) enumerator(name string) (v dwarf.Value, ok bool) {
	none := commands.Kept[noEnumerators](e.s)
	if none == nil {
		none = &noEnumerators{}
		commands.Keep(e.s, none)
	}
	if strings.ContainsAny(name, ".<$`") || (*none)[name] {
		return v, false
	}
	take := func(u *dwarf.Unit) bool {
		t, n, found := u.Enumerator(name)
		if found {
			v, ok = e.integer(t, uint64(n)), true
		}
		return found
	}
	if e.s.Thread != nil && e.s.Stacks != nil {
		if a, err := current(e.ctx, e.s, e.s.Thread); err == nil && a.frame() != nil {
			if u := a.frame().Data.UnitAt(a.frame().PC); u != nil && take(u) {
				return v, ok
			}
		}
	}
	left := int64(maxEnumerators)
	// A module that cannot be read is passed over.
	_ = program.InModules(e.s, "", func(m *core.Module, d *dwarf.Data) bool {
		for u := range d.Units() {
			if left -= u.Bytes(); left < 0 || e.ctx.Err() != nil {
				return true
			}
			if take(u) {
				return true
			}
		}
		return m.Exe
	})
	if !ok && len(*none) < program.MostShown {
		(*none)[name] = true
	}
	return v, ok
}

// noEnumerators are names that no enumeration has.
type noEnumerators map[string]bool

// maxEnding bounds the functions whose names end in a name.
const maxEnding = 16
