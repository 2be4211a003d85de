package eval

import (
	"fmt"
	"strings"
	"sync"
	"time"

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
	// omitted are the classes of the embedder whose C++ did not run for objects of them.
	omitted map[string]bool
	// arrays are arrays of the heap that were written.
	arrays map[layout.Tagged]*Object
	// print shows the values that a method of console is called with. It may be nil.
	print      func(method string, args []Value)
	consoles   map[Heap]string                        // the methods of console
	mades      map[string]Value                       // globals that the heap lacks
	kept       map[string]*Value                      // the variables that were typed before; nil if nothing is typed
	zone       *time.Location                         // of the process; nil until it is asked for
	late       func(name string) (Value, bool)        // names in texts that eval runs; nil if nothing is typed
	load       func(name string) (object.Slot, error) // require; nil if nothing is typed
	registry   map[string]*Symbol                     // of Symbol.for
	jobs       []func(m *Machine)
	ends       []func() // of functions that wait, and may not have ended
	completion Value    // of the statement that ran last
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

// Call runs call, which calls functions of the heap. It runs at most *steps steps and subtracts the number it
// ran. The error is the exception that the function threw, or the reason that it could not run to its end.
func (e *Engine) Call(host Host, steps *int, call func(m *Machine) Value) (result Value, err error) {
	return e.run(host, steps, limits{most: min(*steps, maxSteps), longest: maxText}, call)
}

// Typed is Call with wider limits, for a user who waits for the result.
func (e *Engine) Typed(host Host, steps *int, call func(m *Machine) Value) (result Value, err error) {
	return e.run(host, steps, limits{most: *steps, longest: 16 * maxText}, call)
}

func (e *Engine) run(host Host, steps *int, l limits, call func(m *Machine) Value) (result Value, err error) {
	m := &Machine{Engine: e, host: host, limits: l,
		tables: map[layout.Tagged]map[Key]*object.Property{}, order: map[layout.Tagged][]Key{},
		answers: map[layout.Tagged]*answered{},
		stored:  map[place]Value{}, above: map[layout.Tagged]*Object{}}
	defer func() { *steps -= m.steps }()
	defer func() {
		for _, end := range m.ends {
			end()
		}
	}()
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop:
			err = x.err
		case *thrown:
			err = &Uncaught{reasonOf(m, x)}
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
	return &Object{Function: &Function{Name: name, code: code}}
}

// NewObject returns an empty object, whose prototype is Object.prototype of the realm of fn.
func (m *Machine) NewObject(fn layout.Tagged) *Object {
	return &Object{Proto: objectPrototype(m, fn)}
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
		panic(&stop{err: x.(error)})
	}
	text, err := m.source(shared, start, end)
	var n *syntax.Node
	if err == nil {
		n, err = parse(text)
	} else {
		err = m.sourceless(shared, err)
	}
	if err != nil {
		m.parsed.Store(key, err)
		panic(&stop{err: err})
	}
	m.parsed.Store(key, n)
	return n
}

// A SourceError says that a function cannot run for want of its text.
type SourceError struct {
	Function string
	Inner    bool // of the embedder's own scripts, which a bundle may leave out
	Err      error
}

// Error says which function it is.
func (e *SourceError) Error() string {
	if e.Inner {
		return fmt.Sprintf("eval: not in the core: the source of Node's own functions, such as %s", e.Function)
	}
	return fmt.Sprintf("eval: not in the core: the source of %s: %v", e.Function, e.Err)
}

func (e *SourceError) Unwrap() error { return e.Err }

// sourceless is the error about a function whose text cannot be read.
func (e *Engine) sourceless(shared layout.Tagged, err error) error {
	return &SourceError{e.reader.SharedName(shared), inner(e.reader.PlaceOf(shared).File), err}
}

// inner reports whether a file is a script of Node's own.
func inner(file string) bool {
	return strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "internal/") ||
		file != "" && !strings.ContainsAny(file, "/\\:")
}

// noSource stops for want of the text of a function.
func (m *Machine) noSource(fn layout.Tagged, err error) {
	shared, _ := m.reader.ClosureShared(fn)
	panic(&stop{err: m.sourceless(shared, err)})
}

func (e *Engine) source(shared layout.Tagged, start, end int) (string, error) {
	info, ok := e.reader.SharedInfo(shared)
	if !ok || info.Script == 0 || start < 0 || end-start > syntax.MaxText {
		return "", fmt.Errorf("%s has no source", e.reader.SharedName(shared))
	}
	return e.reader.Source(info.Script, start, end, syntax.MaxText)
}

// limits ends a call that does too much, or that cannot go on.
type limits struct {
	steps   int // done
	longest int // bytes of a string
	most    int // that may be done
	calls   int
}

func (m *limits) spend(n int) {
	if m.steps += n; m.steps > m.most {
		m.Fail("it takes too long")
	}
}

// step counts what is done, and ends what takes too long.
func (m *limits) step() { m.spend(1) }

// bounded bounds the length of a string that was made.
func (m *limits) bounded(s string) string {
	if len(s) > m.longest {
		m.Fail("a string is too long")
	}
	m.spend(len(s) / 64)
	return s
}

// attempt returns what code does, or an Unknown if that stops at a function of the embedder.
func (m *limits) attempt(code func() Value) (v Value) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop:
			if !x.native {
				panic(x)
			}
			v, m.calls = Unknown{x.err}, calls
		default:
			panic(x)
		}
	}()
	return code()
}

// Fail ends the call: it needs something that is not known, or cannot go on.
func (m *limits) Fail(format string, args ...any) {
	panic(&stop{err: fmt.Errorf("eval: "+format, args...)})
}

// omit notes that the C++ of a class of the embedder did not run.
func (m *Machine) omit(class string) {
	if m.omitted == nil {
		m.omitted = map[string]bool{}
	}
	m.omitted[class] = true
}
