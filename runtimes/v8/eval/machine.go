package eval

import (
	"fmt"
	"sync"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Limits for a call, which a core determines.
const (
	maxSteps = 1 << 18 // of one call
	maxCalls = 100     // inside each other
	maxText  = 1 << 20 // bytes of one string
	maxItems = 1 << 16 // elements of one array
)

// A Host provides the embedder's services to a function.
type Host interface {
	// Inspect is util.inspect of a value, with the options that were given.
	Inspect(m *Machine, x Value, options Value) string
	// Native calls a function of the embedder; it reports whether it can.
	Native(m *Machine, fn layout.Tagged, this Value, args []Value) (Value, bool)
	// Answers returns the properties that functions of the embedder answer for, such as the variables in
	// process.env: names and values in order. It is not ok if they are not known.
	Answers(o layout.Tagged) (names, values []string, err error, ok bool)
}

// An Engine runs functions of the heap that a reader reads. It is safe for concurrent use.
type Engine struct {
	reader *object.Reader
	parsed sync.Map // layout.Tagged of a SharedFunctionInfo, or of a class, to *syntax.Node or error
	outers sync.Map // layout.Tagged of a function to *outer
	realms sync.Map // layout.Tagged of a native context to *realm
}

// New returns an engine for the heap that r reads.
func New(r *object.Reader) *Engine { return &Engine{reader: r} }

// A Machine is one call of a function, and its writes.
type Machine struct {
	*Engine
	host   Host
	native layout.Tagged // the context of the realm of the function called first
	limits
	tables map[layout.Tagged]map[Key]*object.Property
	order  map[layout.Tagged][]Key
	// answers are what the embedder answers for objects that were asked.
	answers map[layout.Tagged]*answered
	stored  map[place]Value           // variables of contexts that were written
	above   map[layout.Tagged]*Object // properties of objects on the heap that were written
	// changed are Maps and Sets of the heap that were written.
	changed map[layout.Tagged]*Object
	// asks has the embedder answer an expression; nil without an embedder.
	asks func(f frame, n *syntax.Node) (v, this Value, ok bool)
}

// A place is a slot of a context.
type place struct {
	context layout.Tagged
	index   int
}

// A stop ends a call that cannot go on: something that it needs is not known. Native is set
// if that is what a function of the embedder would return.
type stop struct {
	err    error
	native bool
}

// An Unknown is what a property of an object that was made has, if a function of the embedder
// would have to be asked for it. It can be shown; what uses it stops.
type Unknown struct{ Err error }

// A NativeError says that a function of the embedder would have to be asked.
type NativeError struct{ Function string }

// Error says which function it is.
func (e *NativeError) Error() string {
	if e.Function == "" {
		return "eval: not in the core: a function of the embedder computes it"
	}
	return fmt.Sprintf("eval: not in the core: %s of the embedder computes it", e.Function)
}

// A thrown is an exception of the program.
type thrown struct {
	value  Value
	reason string
}

// Call runs call, which calls functions of the heap. It runs at most *steps steps and subtracts the number it
// ran. The error is the exception that the function threw, or the reason that it could not run to its end.
func (e *Engine) Call(host Host, steps *int, call func(m *Machine) Value) (result Value, err error) {
	m := &Machine{Engine: e, host: host, limits: limits{most: min(*steps, maxSteps)},
		tables: map[layout.Tagged]map[Key]*object.Property{}, order: map[layout.Tagged][]Key{},
		answers: map[layout.Tagged]*answered{},
		stored:  map[place]Value{}, above: map[layout.Tagged]*Object{}}
	defer func() {
		*steps -= m.steps
		switch x := recover().(type) {
		case nil:
		case *stop:
			err = x.err
		case *thrown:
			err = fmt.Errorf("eval: it throws: %s", x.reason)
		default:
			panic(x)
		}
	}()
	return call(m), nil
}

// Invoke calls a function.
func (m *Machine) Invoke(fn, this Value, args ...Value) Value { return m.call(fn, this, args) }

// Native returns a function that is written in Go.
func (m *Machine) Native(name string, code func(m *Machine, this Value, args []Value) Value) *Object {
	return &Object{Proto: Null{}, Function: &Function{Name: name, code: code}}
}

// NewObject returns an empty object, whose prototype is Object.prototype of the realm of fn.
func (m *Machine) NewObject(fn layout.Tagged) *Object {
	return &Object{Proto: m.realm(fn).prototype("Object")}
}

// arg returns an argument; undefined if it was not given.
func arg(args []Value, i int) Value {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// parseFunction returns the tree of a function of a script.
func parseFunction(m *Machine, fn layout.Tagged) *syntax.Node {
	shared, ok := m.reader.ClosureShared(fn)
	if !ok {
		m.Fail(unreadFunction, fn.TaggedAddr())
	}
	start, end := m.reader.Extent(shared)
	return treeOf(m, shared, shared, start, end, syntax.ParseFunction)
}

// unreadFunction is the error about a function, by its address, that is not in the core with all of its parts.
const unreadFunction = "the SharedFunctionInfo of the function at %v cannot be read"

// parseClass returns the tree of a class.
func parseClass(m *Machine, fn layout.Tagged) *syntax.Node {
	shared, ok := m.reader.ClosureShared(fn)
	if !ok {
		m.Fail(unreadFunction, fn.TaggedAddr())
	}
	if m.reader.FunctionType(fn) != "class" {
		m.Fail("the function at %v is not a class of a script", fn.TaggedAddr())
	}
	f, err := m.reader.Function(fn)
	if err != nil {
		m.Fail("%v", err)
	}
	return treeOf(m, fn, shared, f.Start, f.End, syntax.ParseClass)
}

// treeOf parses a part of a script, once for each key.
func treeOf(m *Machine, key, shared layout.Tagged, start, end int,
	parse func(string) (*syntax.Node, error)) *syntax.Node {
	if x, ok := m.parsed.Load(key); ok {
		if n, ok := x.(*syntax.Node); ok {
			return n
		}
		m.Fail("%v", x)
	}
	text, err := m.source(shared, start, end)
	var n *syntax.Node
	if err == nil {
		n, err = parse(text)
	}
	if err != nil {
		m.parsed.Store(key, err)
		m.Fail("%v", err)
	}
	m.parsed.Store(key, n)
	return n
}

func (e *Engine) source(shared layout.Tagged, start, end int) (string, error) {
	info, ok := e.reader.SharedInfo(shared)
	if !ok || info.Script == 0 || start < 0 || end-start > syntax.MaxText {
		return "", fmt.Errorf("%s has no source", e.reader.SharedName(shared))
	}
	return e.reader.Source(info.Script, start, end, syntax.MaxText)
}
