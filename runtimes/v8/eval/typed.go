package eval

import (
	"errors"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/library"
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
	// Remark is called with what has to be known of a value, such as the time zone that was taken; it may be nil.
	Remark func(text string)
	// Kept are the variables that were typed before. Evaluate adds the ones of this text. It may be nil.
	Kept map[string]*ecma.Value
	// KeptConstants are the names of the constants among them. Evaluate changes it with Kept.
	KeptConstants map[string]bool
	// Require returns what a module exports that the process has loaded. It may be nil.
	Require func(name string) (object.Slot, error)
	// Stack are the lines of the frames there as an error's stack has them, from the place on. It may be nil.
	Stack func() []string
	// Lasting takes what ends generators, so that variables keep them. It may be nil.
	Lasting func(ends []func())
}

// ErrNoModules says that a process has no modules of Node's own: a function require is another one.
var ErrNoModules = errors.New("the process has no modules of Node")

// Evaluate evaluates an expression at a place, or runs the statements of a function. The last statement has the
// value.
func Evaluate(m *ecma.Machine, at Place, n *syntax.Node) ecma.Value {
	env, self := &ecma.Scope{Heap: &ecma.Outer{}}, &ecma.Activation{Program: true}
	if at.KeptConstants == nil {
		at.KeptConstants = map[string]bool{}
	}
	m.Typing = ecma.Typing{Kept: at.Kept, KeptConstants: at.KeptConstants,
		Load: at.Require, Stack: at.Stack, Lasting: at.Lasting, Asks: asking(&at),
		Late: func(name string) (ecma.Value, bool) {
			late := &ecma.Scope{}
			declarePlace(m, late, at, name)
			if v := late.Vars[name]; v != nil {
				return *v, true
			}
			return nil, false
		}}
	names, _ := syntax.FreeNames(n)
	for _, name := range names {
		if name[0] != '#' {
			declarePlace(m, env, at, name)
		}
	}
	if at.This != nil {
		if x, err := at.This(); err == nil {
			self.This = m.Of(x)
		}
	}
	if self.Bare = at.Arguments == nil; !self.Bare {
		list, err := at.Arguments()
		if err != nil {
			env.Declare("arguments", ecma.Unknown{Err: err})
		}
		for _, x := range list {
			self.Args = append(self.Args, m.Of(x))
		}
	}
	f := ecma.Frame{Scope: env.Inner(), Self: self}
	if n.Kind != syntax.Function || n.A.Kind != syntax.Block || !n.Arrow || n.Source != "" {
		return eval(m, f, n)
	}
	for _, name := range variablesOf(n.A, nil) {
		if v := m.Kept[name]; v != nil {
			f.Declare(name, *v)
		} else {
			f.Declare(name, nil)
		}
	}
	s := runTyped(m, f, n)
	for name, v := range f.Vars {
		if m.Kept != nil {
			m.Kept[name], m.KeptConstants[name] = v, f.Constants[name]
		}
	}
	switch {
	case s.kind == syntax.Return:
		return s.value
	case len(n.A.List) > 0:
		declaredLast(m, f, n.A.List[len(n.A.List)-1])
	}
	return m.Completion
}

// declaredLast takes the value of a variable as the result, if the last statement declares one: a console shows
// undefined, which says nothing.
func declaredLast(m *ecma.Machine, f ecma.Frame, n *syntax.Node) {
	var d *syntax.Node
	switch n.Kind {
	case syntax.Var:
		if d = n.List[len(n.List)-1]; d.Kind == syntax.Assign && d.A.Kind != syntax.Identifier {
			m.Completion = eval(m, f, d.A) // a pattern is a value, too
			return
		} else if d.Kind == syntax.Assign {
			d = d.A
		}
	case syntax.Declare:
		d = &syntax.Node{Kind: syntax.Identifier, Text: n.A.Text}
	default:
		return
	}
	if v := f.Vars[d.Text]; v != nil {
		m.Completion = *v
	}
}

// runTyped runs statements.
func runTyped(m *ecma.Machine, f ecma.Frame, n *syntax.Node) signal {
	m.Completion = nil
	return runBlock(m, f, n.A.List)
}

// evaluateText is the function eval, which runs a text where no function is.
func evaluateText(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	text, ok := ecma.Arg(args, 0).(string)
	if !ok {
		return ecma.Arg(args, 0)
	}
	n, err := syntax.ParseExpression(text)
	program := false
	if err != nil {
		n, err = syntax.ParseProgram(text)
		program = true
	}
	if err != nil {
		m.ThrowAs("SyntaxError", "%v", err)
	}
	f := ecma.Frame{Scope: &ecma.Scope{Heap: &ecma.Outer{}}, Self: &ecma.Activation{Program: true, Bare: true}}
	if !program {
		return eval(m, f, n)
	}
	before := m.Completion
	defer func() { m.Completion = before }()
	runTyped(m, f, n)
	return m.Completion
}

// newFunction is Function(parameters..., body).
func newFunction(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	var params []string
	body := ""
	for i, a := range args {
		if i == len(args)-1 {
			body = m.Text(a)
		} else {
			params = append(params, m.Text(a))
		}
	}
	n, err := syntax.ParseExpression("(function anonymous(" + strings.Join(params, ",") + "\n) {\n" + body + "\n})")
	if err != nil || n.Kind != syntax.Function {
		m.ThrowAs("SyntaxError", "%v", err)
	}
	return functionOf(ecma.Frame{Scope: &ecma.Scope{Heap: &ecma.Outer{}}, Self: &ecma.Activation{}}, n)
}

// importer is import(), which answers as require does.
func importer(m *ecma.Machine, load func(name string) (object.Slot, error)) *ecma.Object {
	return m.Native("import", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		return library.ResolvedPromise(m, m.Call(requirer(m, load), nil, args))
	})
}

// declarePlace declares what a name means at a place.
func declarePlace(m *ecma.Machine, env *ecma.Scope, at Place, name string) {
	if m.Kept[name] != nil {
		return
	}
	if name == "import" && at.Require != nil {
		env.Declare(name, importer(m, at.Require))
		return
	}
	switch x, err := at.Look(name); {
	case err == nil && (name == "globalThis" || !x.Raw && x.Word == m.Realm(0).Global):
		env.Declare(name, ecma.GlobalThis(m, m.Realm(0)))
	case err == nil:
		env.Declare(name, ecma.Readable(m, m.Of(x)))
	case name == "require" && at.Require != nil:
		env.Declare(name, requirer(m, at.Require))
	case name == "console" && errors.Is(err, object.ErrNoGlobal) && m.Prints():
		env.Declare(name, madeConsole(m))
	case name == "arguments" || name == "undefined":
	case !errors.Is(err, object.ErrNoGlobal) && !errors.Is(err, object.ErrAccessor):
		env.Declare(name, ecma.Unknown{Err: err})
	}
}

// requirer is a function require, which answers from the modules that the process has.
func requirer(m *ecma.Machine, load func(name string) (object.Slot, error)) *ecma.Object {
	o := m.Native("require", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		name, ok := ecma.Arg(args, 0).(string)
		if !ok {
			m.Throw("The \"id\" argument must be of type string. Received %s", ecma.ShownValue(m, ecma.Arg(args, 0)))
		}
		x, err := load(name)
		if err != nil {
			panic(&ecma.Stop{Err: err})
		}
		return m.Of(x)
	})
	for name, from := range map[string]string{"cache": "_cache", "main": "main"} {
		o.Define(ecma.Key{Name: name}, &ecma.Prop{Accessor: true, Get: m.Native(name,
			func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
				if name == "main" {
					process, _ := ecma.GlobalValue(m, 0, "process")
					return m.Get(process, ecma.Key{Name: "mainModule"})
				}
				x, err := load("module")
				if err != nil {
					panic(&ecma.Stop{Err: err})
				}
				return m.Get(m.Of(x), ecma.Key{Name: from})
			})})
	}
	return o
}

// requiredModule is what the function require of Node returns; ok is false for other functions.
func requiredModule(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (v ecma.Value, ok bool) {
	if m.Load == nil || !m.Reader.IsFunction(layout.Tagged(fn)) || m.Name(fn) != "require" {
		return nil, false
	}
	shared, ok := m.Reader.ClosureShared(layout.Tagged(fn))
	if !ok || !ecma.Inner(m.Reader.PlaceOf(shared).File) {
		return nil, false
	}
	if name, ok := ecma.Arg(args, 0).(string); ok {
		if _, err := m.Load(name); errors.Is(err, ErrNoModules) {
			return nil, false
		}
	}
	return m.Call(requirer(m, m.Load), nil, args), true
}

// madeConsole is a console, for a process whose own is not in the core.
func madeConsole(m *ecma.Machine) *ecma.Object {
	o := &ecma.Object{}
	for name := range consoleMethods {
		o.Define(ecma.Key{Name: name}, &ecma.Prop{Hidden: true, Value: m.Native(name,
			func(m *ecma.Machine, _ ecma.Value,
				args []ecma.Value) ecma.Value {
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
func findConsole(m *ecma.Machine) {
	re := m.Realm(0)
	if re.Native == 0 {
		return
	}
	console, ok := m.Own(ecma.Heap(re.Global), ecma.Key{Name: "console"})
	h, heap := console.Value.(ecma.Heap)
	if !ok || console.Accessor || !heap || !m.IsObject(h) {
		return
	}
	for k, p := range ecma.TableOf(m, layout.Tagged(h)) {
		if consoleMethods[k.Name] && !p.Accessor && !p.Native && !p.Value.Raw && p.Value.Word.IsHeap() {
			m.Consoles[ecma.Heap(p.Value.Word)] = k.Name
		}
	}
}

// consoleMethod is the name of the method of the realm's console that a function is; "" for other functions.
func consoleMethod(m *ecma.Machine, fn ecma.Heap) string {
	if !m.Prints() {
		return ""
	}
	if m.Consoles == nil {
		m.Consoles = map[ecma.Heap]string{}
		_, _ = m.Tried(func() ecma.Value { findConsole(m); return nil })
	}
	return m.Consoles[fn]
}

// printed calls a method of the realm's console; ok is false for other functions.
func printed(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (v ecma.Value, ok bool) {
	method := consoleMethod(m, fn)
	if method != "" {
		m.Print(method, args)
	}
	return nil, method != ""
}
