package eval

import (
	"strconv"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/syntax"
)

// A signal says how a statement ended.
type signal struct {
	kind  syntax.Kind // Empty, Return, Break or Continue
	label string
	value ecma.Value
}

var done = signal{kind: syntax.Empty}

func runBlock(m *ecma.Machine, f ecma.Frame, list []*syntax.Node) signal {
	for _, n := range list {
		if n.Kind == syntax.Declare && n.A.Kind == syntax.Function {
			f.Declare(n.A.Text, eval(m, f, n.A)) // is there from the start
		}
	}
	for _, n := range list {
		if s := runStatement(m, f, n); s.kind != syntax.Empty {
			return s
		}
	}
	return done
}

// runStatement runs a statement.
func runStatement(m *ecma.Machine, f ecma.Frame, n *syntax.Node) signal {
	m.Step()
	switch n.Kind {
	case syntax.Expression:
		if v := eval(m, f, n.A); f.Self.Program {
			m.Completion = v
		}
	case syntax.Var:
		declareVariables(m, f, n)
	case syntax.Return:
		if n.A == nil {
			return signal{kind: syntax.Return}
		}
		return signal{kind: syntax.Return, value: eval(m, f, n.A)}
	case syntax.Throw:
		raiseValue(m, f, n.A)
	case syntax.If:
		switch {
		case ecma.Truthy(eval(m, f, n.A)):
			return runStatement(m, f.Inner(), n.B)
		case n.C != nil:
			return runStatement(m, f.Inner(), n.C)
		}
	case syntax.Block:
		return runBlock(m, f.Inner(), n.List)
	case syntax.Break, syntax.Continue:
		return signal{kind: n.Kind, label: n.Text}
	case syntax.Labeled:
		s := runLoop(m, f, n.A, n.Text)
		if s.kind == syntax.Break && s.label == n.Text {
			return done
		}
		return s
	case syntax.Try:
		return runTry(m, f, n)
	case syntax.Switch:
		return runSwitch(m, f, n)
	case syntax.Declare:
		if n.A.Kind == syntax.Class {
			f.Declare(n.A.Text, newClass(m, f, n.A))
		}
	case syntax.Empty:
	default:
		return runLoop(m, f, n, "")
	}
	return done
}

func declareVariables(m *ecma.Machine, f ecma.Frame, n *syntax.Node) {
	for _, d := range n.List {
		switch {
		case d.Kind == syntax.Assign:
			declareAs(m, f, d.A, eval(m, f, d.B), n.Text)
		case n.Text != "var" || f.Variable(d.Text) == nil:
			f.Declare(d.Text, nil)
		}
	}
}

// raiseValue throws the value of an expression. The expression may exceed what the machine can run.
func raiseValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) {
	var v ecma.Value
	if !ecma.RunsThrough(m, func() { v = eval(m, f, n) }) {
		m.ThrowAs("Error", "one that the program throws")
	}
	panic(&ecma.Thrown{Value: v, Set: true})
}

func runTry(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (s signal) {
	var back *ecma.Returned
	t := ecma.CatchThrown(m, func() { back = ecma.CatchReturn(func() { s = runStatement(m, f, n.A) }) })
	if t != nil && n.C != nil {
		inner := f.Inner()
		if n.B != nil {
			declareAs(m, inner, n.B, ecma.CaughtValue(m, t), "let")
		}
		t = ecma.CatchThrown(m, func() { back = ecma.CatchReturn(func() { s = runBlock(m, inner, n.C.List) }) })
	}
	if n.D != nil {
		before := m.Completion
		if end := runStatement(m, f, n.D); end.kind != syntax.Empty {
			return end
		}
		m.Completion = before
	}
	switch {
	case t != nil:
		panic(t)
	case back != nil:
		panic(back)
	}
	return s
}

func runSwitch(m *ecma.Machine, f ecma.Frame, n *syntax.Node) signal {
	v := eval(m, f, n.A)
	f = f.Inner()
	from := -1
	for i, c := range n.List {
		if c.A == nil {
			if from < 0 {
				from = i
			}
			continue
		}
		if ecma.StrictEqual(v, eval(m, f, c.A)) {
			from = i
			break
		}
	}
	if from < 0 {
		return done
	}
	for _, c := range n.List[from:] {
		s := runBlock(m, f, c.List)
		if s.kind == syntax.Break && s.label == "" {
			return done
		}
		if s.kind != syntax.Empty {
			return s
		}
	}
	return done
}

// runLoop runs a loop; others may have a label, too.
func runLoop(m *ecma.Machine, f ecma.Frame, n *syntax.Node, label string) signal {
	switch n.Kind {
	case syntax.For:
		return forLoop(m, f.Inner(), n, label)
	case syntax.While, syntax.Do:
		return whileLoop(m, f, n, label)
	case syntax.ForOf:
		s := done
		library.EachLoop(m, f.Self.Coroutine, eval(m, f, n.B), n.Async, func(v ecma.Value) bool {
			var end bool
			if s, end = runTurn(m, f, n.A, v, n.C, label); end {
				return false
			}
			s = done
			return true
		})
		return s
	case syntax.ForIn:
		for _, v := range enumerate(m, eval(m, f, n.B)) {
			if s, end := runTurn(m, f, n.A, v, n.C, label); end {
				return s
			}
		}
	default:
		if label == "" {
			m.Fail("a kind of statement is not known")
		}
		return runStatement(m, f, n)
	}
	return done
}

// runTurn runs the body of a loop once, for a value.
func runTurn(m *ecma.Machine, f ecma.Frame, target *syntax.Node, v ecma.Value, body *syntax.Node, label string) (signal,
	bool) {
	f = f.Inner()
	if target.Kind == syntax.Var {
		declareAs(m, f, target.List[0], v, target.Text)
	} else {
		writeTo(m, f, target, v)
	}
	return ended(runStatement(m, f, body), label)
}

// ended reports whether a loop is over after its body ended with s.
func ended(s signal, label string) (signal, bool) {
	mine := s.label == "" || s.label == label
	switch {
	case s.kind == syntax.Empty, s.kind == syntax.Continue && mine:
		return done, false
	case s.kind == syntax.Break && mine:
		return done, true
	}
	return s, true
}

func forLoop(m *ecma.Machine, f ecma.Frame, n *syntax.Node, label string) signal {
	if n.A != nil {
		if n.A.Kind == syntax.Var {
			declareVariables(m, f, n.A)
		} else {
			eval(m, f, n.A)
		}
	}
	for n.B == nil || ecma.Truthy(eval(m, f, n.B)) {
		m.Step()
		// Each turn has variables of its own.
		turn := ecma.Frame{Scope: &ecma.Scope{Parent: f.Parent}, Self: f.Self}
		for name, v := range f.Vars {
			turn.Declare(name, *v)
		}
		turn.Constants = f.Constants
		if s, end := ended(runStatement(m, turn.Inner(), n.D), label); end {
			return s
		}
		for name := range f.Vars {
			*f.Vars[name] = *turn.Vars[name]
		}
		if n.C != nil {
			eval(m, f, n.C)
		}
	}
	return done
}

func whileLoop(m *ecma.Machine, f ecma.Frame, n *syntax.Node, label string) signal {
	condition, body := n.A, n.B
	if n.Kind == syntax.Do {
		condition, body = n.B, n.A
		if s, end := ended(runStatement(m, f.Inner(), body), label); end {
			return s
		}
	}
	for ecma.Truthy(eval(m, f, condition)) {
		m.Step()
		if s, end := ended(runStatement(m, f.Inner(), body), label); end {
			return s
		}
	}
	return done
}

// enumerate is what for-in goes over: enumerable names of an object and its prototypes.
func enumerate(m *ecma.Machine, v ecma.Value) []ecma.Value {
	var list []ecma.Value
	seen := map[string]bool{}
	if s, ok := v.(string); ok {
		for i := range ecma.Units(s) {
			list = append(list, strconv.Itoa(i))
		}
	}
	for o := v; m.IsObject(o); o = m.Prototype(o) {
		for _, k := range m.OwnKeys(o) {
			p, ok := m.Own(o, k)
			if k.IsSymbol() || !ok || seen[k.Name] {
				continue
			}
			if seen[k.Name] = true; !p.Hidden {
				list = append(list, k.Name)
			}
		}
	}
	return list
}
