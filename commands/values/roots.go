package values

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc/typed"
)

// maxRootThreads is how many threads' variables name blocks of the heap of C.
const maxRootThreads = 4096

// Variables calls visit for the variables of native frames of all threads, with their functions, until it returns
// false.
func (x Frames) Variables(ctx context.Context, visit func(*typed.Variable) bool) {
	s := x.session
	for i, t := range s.Process.Threads {
		if i >= maxRootThreads || ctx.Err() != nil {
			return
		}
		if !threadLocals(s, t, visit) {
			return
		}
		for _, a := range activations(ctx, s, t) {
			scope := a.scope()
			if scope == nil {
				continue
			}
			function := sym.Demangle(scope.Name, true)
			for _, v := range scope.Vars {
				value := a.value(v)
				if v.Name == "" || value.Type == nil {
					continue
				}
				if !visit(&typed.Variable{Name: v.Name + " of " + function, Value: value,
					Begun: v.Kind != dwarf.Local || v.Line > 0 && a.Line > v.Line}) {
					return
				}
			}
		}
	}
}

// maxThreadLocals is how many variables of a module are asked whether they are thread-local.
const maxThreadLocals = 1 << 14

// threadLocals calls visit for a thread's thread-local variables of the executable.
func threadLocals(s *commands.Session, t *core.Thread, visit func(*typed.Variable) bool) (more bool) {
	more = true
	for _, m := range s.Process.Modules {
		if !m.Exe {
			continue
		}
		data, err := s.Symbols.Data(m)
		if err != nil {
			continue
		}
		local := false
		f := program.ImageFrame(s, m, data)
		f.TLS = func(off uint64) (core.Addr, error) {
			local = true
			return s.ThreadLocal(t, m, off)
		}
		n := 0
		data.VariableNames(func(name string) bool {
			for _, v := range data.FindVariables(name) {
				local = false
				value := v.Value(f)
				if at, ok := value.Addr(); ok && at != 0 && local && value.Type != nil {
					more = visit(&typed.Variable{Name: v.Name, Value: value, Begun: true})
				}
			}
			n++
			return more && n < maxThreadLocals
		})
	}
	return more
}
