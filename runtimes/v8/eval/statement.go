package eval

import (
	"strconv"

	"coredbg/runtimes/v8/syntax"
)

// A signal says how a statement ended.
type signal struct {
	kind  syntax.Kind // Empty, Return, Break or Continue
	label string
	value Value
}

var done = signal{kind: syntax.Empty}

func runBlock(m *Machine, f frame, list []*syntax.Node) signal {
	for _, n := range list {
		if n.Kind == syntax.Declare && n.A.Kind == syntax.Function {
			f.declare(n.A.Text, m.eval(f, n.A)) // is there from the start
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
func runStatement(m *Machine, f frame, n *syntax.Node) signal {
	m.step()
	switch n.Kind {
	case syntax.Expression:
		if v := m.eval(f, n.A); f.self.program {
			m.completion = v
		}
	case syntax.Var:
		declareVariables(m, f, n)
	case syntax.Return:
		if n.A == nil {
			return signal{kind: syntax.Return}
		}
		return signal{kind: syntax.Return, value: m.eval(f, n.A)}
	case syntax.Throw:
		raiseValue(m, f, n.A)
	case syntax.If:
		switch {
		case truthy(m.eval(f, n.A)):
			return runStatement(m, f.inner(), n.B)
		case n.C != nil:
			return runStatement(m, f.inner(), n.C)
		}
	case syntax.Block:
		return runBlock(m, f.inner(), n.List)
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
			f.declare(n.A.Text, newClass(m, f, n.A))
		}
	case syntax.Empty:
	default:
		return runLoop(m, f, n, "")
	}
	return done
}

func declareVariables(m *Machine, f frame, n *syntax.Node) {
	for _, d := range n.List {
		switch {
		case d.Kind == syntax.Assign:
			declareAs(m, f, d.A, m.eval(f, d.B))
		case n.Text != "var" || f.variable(d.Text) == nil:
			f.declare(d.Text, nil)
		}
	}
}

// raiseValue throws the value of an expression. The expression may exceed what the machine can run.
func raiseValue(m *Machine, f frame, n *syntax.Node) {
	var v Value
	if !runsThrough(m, func() { v = m.eval(f, n) }) {
		m.throwAs("Error", "one that the program throws")
	}
	panic(&thrown{value: v, set: true})
}

// runsThrough reports whether code came to its end, or stopped for want of something.
func runsThrough(m *Machine, code func()) (ok bool) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop:
			m.calls = calls
			m.step() // not of steps: those are gone
		default:
			panic(x)
		}
	}()
	code()
	return true
}

// catchThrown runs code, and returns what it threw, if it did.
func catchThrown(m *Machine, code func()) (t *thrown) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *thrown:
			t, m.calls = x, calls
		default:
			panic(x)
		}
	}()
	code()
	return nil
}

func runTry(m *Machine, f frame, n *syntax.Node) (s signal) {
	var back *returned
	t := catchThrown(m, func() { back = catchReturn(func() { s = runStatement(m, f, n.A) }) })
	if t != nil && n.C != nil {
		inner := f.inner()
		if n.B != nil {
			declareAs(m, inner, n.B, caughtValue(m, t))
		}
		t = catchThrown(m, func() { back = catchReturn(func() { s = runBlock(m, inner, n.C.List) }) })
	}
	if n.D != nil {
		before := m.completion
		if end := runStatement(m, f, n.D); end.kind != syntax.Empty {
			return end
		}
		m.completion = before
	}
	switch {
	case t != nil:
		panic(t)
	case back != nil:
		panic(back)
	}
	return s
}

// A returned is the panic of a generator that is told to return.
type returned struct {
	from  waiter
	value Value
}

// catchReturn runs code, and returns what ended it if its generator was told to return.
func catchReturn(code func()) (back *returned) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *returned:
			back = x
		default:
			panic(x)
		}
	}()
	code()
	return nil
}

func runSwitch(m *Machine, f frame, n *syntax.Node) signal {
	v := m.eval(f, n.A)
	f = f.inner()
	from := -1
	for i, c := range n.List {
		if c.A == nil {
			if from < 0 {
				from = i
			}
			continue
		}
		if strictEqual(v, m.eval(f, c.A)) {
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
func runLoop(m *Machine, f frame, n *syntax.Node, label string) signal {
	switch n.Kind {
	case syntax.For:
		return forLoop(m, f.inner(), n, label)
	case syntax.While, syntax.Do:
		return whileLoop(m, f, n, label)
	case syntax.ForOf:
		s := done
		eachLoop(m, f, m.eval(f, n.B), n.Async, func(v Value) bool {
			var end bool
			if s, end = runTurn(m, f, n.A, v, n.C, label); end {
				return false
			}
			s = done
			return true
		})
		return s
	case syntax.ForIn:
		for _, v := range enumerate(m, m.eval(f, n.B)) {
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
func runTurn(m *Machine, f frame, target *syntax.Node, v Value, body *syntax.Node, label string) (signal, bool) {
	f = f.inner()
	if target.Kind == syntax.Var {
		declareAs(m, f, target.List[0], v)
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

func forLoop(m *Machine, f frame, n *syntax.Node, label string) signal {
	if n.A != nil {
		if n.A.Kind == syntax.Var {
			declareVariables(m, f, n.A)
		} else {
			m.eval(f, n.A)
		}
	}
	for n.B == nil || truthy(m.eval(f, n.B)) {
		m.step()
		// Each turn has variables of its own.
		turn := frame{&scope{parent: f.parent}, f.self}
		for name, v := range f.vars {
			turn.declare(name, *v)
		}
		if s, end := ended(runStatement(m, turn.inner(), n.D), label); end {
			return s
		}
		for name := range f.vars {
			*f.vars[name] = *turn.vars[name]
		}
		if n.C != nil {
			m.eval(f, n.C)
		}
	}
	return done
}

func whileLoop(m *Machine, f frame, n *syntax.Node, label string) signal {
	condition, body := n.A, n.B
	if n.Kind == syntax.Do {
		condition, body = n.B, n.A
		if s, end := ended(runStatement(m, f.inner(), body), label); end {
			return s
		}
	}
	for truthy(m.eval(f, condition)) {
		m.step()
		if s, end := ended(runStatement(m, f.inner(), body), label); end {
			return s
		}
	}
	return done
}

// enumerate is what for-in goes over: enumerable names of an object and its prototypes.
func enumerate(m *Machine, v Value) []Value {
	var list []Value
	seen := map[string]bool{}
	if s, ok := v.(string); ok {
		for i := range units(s) {
			list = append(list, strconv.Itoa(i))
		}
	}
	for o := v; m.IsObject(o); o = m.prototype(o) {
		for _, k := range m.keys(o) {
			p, ok := m.own(o, k)
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
