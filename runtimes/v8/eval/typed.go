package eval

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Place is where an expression is evaluated that the program does not have, as in the console of a debugger.
type Place struct {
	// Look returns the variable that a name means there. With object.ErrNoGlobal and object.ErrAccessor the
	// global object is asked; another error says why the variable is not known.
	Look func(name string) (object.Slot, error)
	// This and Arguments are the frame's. A nil function means that there is no frame.
	This      func() (object.Slot, error)
	Arguments func() ([]object.Slot, error)
	// Question returns what answers an expression that no function of the heap computes, by its path, such as
	// "process.memoryUsage()" or "new Date()"; nil if nothing does. A nil function answers nothing.
	Question func(path string) Question
	// Note is called with a note on an answer.
	Note func(text string)
	// Kept are the variables that were typed before. Evaluate adds the ones of this text. It may be nil.
	Kept map[string]*Value
	// Require returns what a module exports that the process has loaded. It may be nil.
	Require func(name string) (object.Slot, error)
}

// ErrNoModules says that a process has no modules of Node's own: a function require is another one.
var ErrNoModules = errors.New("the process has no modules of Node")

// Evaluate evaluates an expression at a place, or runs the statements of a function. The last statement has the
// value.
func (m *Machine) Evaluate(at Place, n *syntax.Node) Value {
	env, self := &scope{heap: &outer{}}, &activation{program: true}
	m.kept, m.load = at.Kept, at.Require
	m.late = func(name string) (Value, bool) {
		late := &scope{}
		declarePlace(m, late, at, name)
		if v := late.vars[name]; v != nil {
			return *v, true
		}
		return nil, false
	}
	askAt(m, &at)
	names, _ := syntax.FreeNames(n)
	for _, name := range names {
		if name[0] != '#' {
			declarePlace(m, env, at, name)
		}
	}
	if at.This != nil {
		if x, err := at.This(); err == nil {
			self.this = m.Of(x)
		}
	}
	if self.bare = at.Arguments == nil; !self.bare {
		list, err := at.Arguments()
		if err != nil {
			env.declare("arguments", Unknown{err})
		}
		for _, x := range list {
			self.args = append(self.args, m.Of(x))
		}
	}
	f := frame{env.inner(), self}
	if n.Kind != syntax.Function || n.A.Kind != syntax.Block || !n.Arrow || n.Source != "" {
		return m.eval(f, n)
	}
	for _, name := range variablesOf(n.A, nil) {
		if v := m.kept[name]; v != nil {
			f.declare(name, *v)
		} else {
			f.declare(name, nil)
		}
	}
	s := runTyped(m, f, n)
	for name, v := range f.vars {
		if m.kept != nil {
			m.kept[name] = v
		}
	}
	switch {
	case s.kind == syntax.Return:
		return s.value
	case len(n.A.List) > 0:
		declaredLast(m, f, n.A.List[len(n.A.List)-1])
	}
	return m.completion
}

// declaredLast takes the value of a variable as the result, if the last statement declares one: a console shows
// undefined, which says nothing.
func declaredLast(m *Machine, f frame, n *syntax.Node) {
	var d *syntax.Node
	switch n.Kind {
	case syntax.Var:
		if d = n.List[len(n.List)-1]; d.Kind == syntax.Assign && d.A.Kind != syntax.Identifier {
			m.completion = m.eval(f, d.A) // a pattern is a value, too
			return
		} else if d.Kind == syntax.Assign {
			d = d.A
		}
	case syntax.Declare:
		d = &syntax.Node{Kind: syntax.Identifier, Text: n.A.Text}
	default:
		return
	}
	if v := f.vars[d.Text]; v != nil {
		m.completion = *v
	}
}

// runTyped runs statements.
func runTyped(m *Machine, f frame, n *syntax.Node) signal {
	m.completion = nil
	return runBlock(m, f, n.A.List)
}

// evaluateText is the function eval, which runs a text where no function is.
func evaluateText(m *Machine, _ Value, args []Value) Value {
	text, ok := arg(args, 0).(string)
	if !ok {
		return arg(args, 0)
	}
	n, err := syntax.ParseExpression(text)
	program := false
	if err != nil {
		n, err = syntax.ParseProgram(text)
		program = true
	}
	if err != nil {
		m.throwAs("SyntaxError", "%v", err)
	}
	f := frame{&scope{heap: &outer{}}, &activation{program: true, bare: true}}
	if !program {
		return m.eval(f, n)
	}
	before := m.completion
	defer func() { m.completion = before }()
	runTyped(m, f, n)
	return m.completion
}

// newFunction is Function(parameters..., body).
func newFunction(m *Machine, _ Value, args []Value) Value {
	var params []string
	body := ""
	for i, a := range args {
		if i == len(args)-1 {
			body = m.text(a)
		} else {
			params = append(params, m.text(a))
		}
	}
	n, err := syntax.ParseExpression("(function anonymous(" + strings.Join(params, ",") + "\n) {\n" + body + "\n})")
	if err != nil || n.Kind != syntax.Function {
		m.throwAs("SyntaxError", "%v", err)
	}
	return functionOf(frame{&scope{heap: &outer{}}, &activation{}}, n)
}

// importer is import(), which answers as require does.
func importer(m *Machine, load func(name string) (object.Slot, error)) *Object {
	return m.Native("import", func(m *Machine, _ Value, args []Value) Value {
		return resolvedPromise(m, m.call(requirer(m, load), nil, args))
	})
}

func init() {
	register(map[string]builtin{"eval": evaluateText, "Function": newFunction})
	constructors["Function"] = func(m *Machine, args []Value) Value { return newFunction(m, nil, args) }
}

// declarePlace declares what a name means at a place.
func declarePlace(m *Machine, env *scope, at Place, name string) {
	if m.kept[name] != nil {
		return
	}
	if name == "import" && at.Require != nil {
		env.declare(name, importer(m, at.Require))
		return
	}
	switch x, err := at.Look(name); {
	case err == nil && name == "globalThis":
		env.declare(name, globalThis(m, m.realm(0)))
	case err == nil:
		env.declare(name, readable(m, m.Of(x)))
	case name == "require" && at.Require != nil:
		env.declare(name, requirer(m, at.Require))
	case name == "console" && errors.Is(err, object.ErrNoGlobal) && m.print != nil:
		env.declare(name, madeConsole(m))
	case name == "arguments" || name == "undefined":
	case !errors.Is(err, object.ErrNoGlobal) && !errors.Is(err, object.ErrAccessor):
		env.declare(name, Unknown{err})
	}
}

// Omitted are the classes of the embedder whose C++ did not run for objects of them.
func (m *Machine) Omitted() []string { return slices.Sorted(maps.Keys(m.omitted)) }

// requirer is a function require, which answers from the modules that the process has.
func requirer(m *Machine, load func(name string) (object.Slot, error)) *Object {
	o := m.Native("require", func(m *Machine, _ Value, args []Value) Value {
		name, ok := arg(args, 0).(string)
		if !ok {
			m.Throw("The \"id\" argument must be of type string. Received %s", shownValue(m, arg(args, 0)))
		}
		x, err := load(name)
		if err != nil {
			panic(&stop{err: err})
		}
		return m.Of(x)
	})
	for name, from := range map[string]string{"cache": "_cache", "main": "main"} {
		o.define(Key{Name: name}, &Prop{Accessor: true, Get: m.Native(name, func(m *Machine, _ Value, _ []Value) Value {
			if name == "main" {
				process, _ := globalValue(m, 0, "process")
				return m.get(process, Key{Name: "mainModule"})
			}
			x, err := load("module")
			if err != nil {
				panic(&stop{err: err})
			}
			return m.get(m.Of(x), Key{Name: from})
		})})
	}
	return o
}

// requiredModule is what the function require of Node returns; ok is false for other functions.
func requiredModule(m *Machine, fn Heap, args []Value) (v Value, ok bool) {
	if m.load == nil || !m.reader.IsFunction(layout.Tagged(fn)) || m.Name(fn) != "require" {
		return nil, false
	}
	shared, ok := m.reader.ClosureShared(layout.Tagged(fn))
	if !ok || !inner(m.reader.PlaceOf(shared).File) {
		return nil, false
	}
	if name, ok := arg(args, 0).(string); ok {
		if _, err := m.load(name); errors.Is(err, ErrNoModules) {
			return nil, false
		}
	}
	return m.call(requirer(m, m.load), nil, args), true
}

// madeConsole is a console, for a process whose own is not in the core.
func madeConsole(m *Machine) *Object {
	o := &Object{}
	for name := range consoleMethods {
		o.define(Key{Name: name}, &Prop{Hidden: true, Value: m.Native(name, func(m *Machine, _ Value,
			args []Value) Value {
			m.Print(name, args)
			return nil
		})})
	}
	return o
}

// consoleMethods are the functions of console that show something, or that are not to run.
var consoleMethods = map[string]bool{"log": true, "info": true, "warn": true, "error": true, "debug": true,
	"table": true,
	"dir":   true, "dirxml": true, "trace": true, "assert": true, "group": true, "groupCollapsed": true,
	"groupEnd": true, "count": true, "countReset": true, "clear": true, "time": true, "timeEnd": true, "timeLog": true}

// findConsole finds the methods of the realm's console.
func findConsole(m *Machine) {
	re := m.realm(0)
	if re.native == 0 {
		return
	}
	console, ok := m.own(Heap(re.global), Key{Name: "console"})
	h, heap := console.Value.(Heap)
	if !ok || console.Accessor || !heap || !m.IsObject(h) {
		return
	}
	for k, p := range tableOf(m, layout.Tagged(h)) {
		if consoleMethods[k.Name] && !p.Accessor && !p.Native && !p.Value.Raw && p.Value.Word.IsHeap() {
			m.consoles[Heap(p.Value.Word)] = k.Name
		}
	}
}

// consoleMethod is the name of the method of the realm's console that a function is; "" for other functions.
func consoleMethod(m *Machine, fn Heap) string {
	if m.print == nil {
		return ""
	}
	if m.consoles == nil {
		m.consoles = map[Heap]string{}
		_, _ = m.tried(func() Value { findConsole(m); return nil })
	}
	return m.consoles[fn]
}

// Print shows values as a method of console does.
func (m *Machine) Print(method string, args []Value) {
	if m.print != nil && method != "" {
		m.print(method, args)
	}
}

// OnPrint has print called for each call of a method of console.
func (m *Machine) OnPrint(print func(method string, args []Value)) { m.print = print }

func init() {
	typedCalls = append(typedCalls, requiredModule, func(m *Machine, fn Heap, args []Value) (Value, bool) {
		method := consoleMethod(m, fn)
		if method != "" {
			m.Print(method, args)
		}
		return nil, method != ""
	})
}
