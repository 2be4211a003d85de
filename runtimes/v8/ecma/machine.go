package ecma

import (
	"maps"
	"slices"
	"sync"
	"time"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
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
	Reader *object.Reader
	parsed sync.Map // layout.Tagged of a SharedFunctionInfo, or of a class, to *syntax.Node or error
	Outers sync.Map // layout.Tagged of a function to *Outer
	realms sync.Map // layout.Tagged of a native context to *Realm
	code   Interpreter
	// Library has V8's own functions.
	Library *Library
}

// An Interpreter runs the functions that are written in JavaScript.
type Interpreter interface {
	// Call calls a function of a script, or one that the run made of the text of one.
	Call(m *Machine, fn, this Value, args []Value) Value
	// Construct makes an object with such a function, or a class; target is the class that it is made for.
	Construct(m *Machine, fn Value, args []Value, target Value) Value
}

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
	Stored  map[ContextSlot]Value     // variables of contexts that were written
	Above   map[layout.Tagged]*Object // properties of objects on the heap that were written
	// changed are Maps and Sets of the heap that were written.
	changed map[layout.Tagged]*Object
	// omitted are the classes of the embedder whose C++ did not run for objects of them.
	omitted map[string]bool
	// Arrays are arrays of the heap that were written.
	Arrays map[layout.Tagged]*Object
	// print shows the values that a method of console is called with. It may be nil.
	print      func(method string, args []Value)
	remark     func(text string)  // may be nil
	Consoles   map[Heap]string    // the methods of console
	Mades      map[string]Value   // globals that the heap lacks
	Zone       *time.Location     // of the process; nil until it is asked for
	Registry   map[string]*Symbol // of Symbol.for
	jobs       []func(m *Machine)
	Ends       []func() // of functions that wait, and may not have ended
	Completion Value    // of the statement that ran last
	Typing
}

// A Typing has the variables and the answers for a text that a user types.
type Typing struct {
	Kept map[string]*Value // the variables that were typed before; nil if nothing is typed
	// KeptConstants are the names of the Kept ones that are constants.
	KeptConstants map[string]bool
	// Asks has the embedder answer an expression; nil without an embedder.
	Asks func(m *Machine, f Frame, n *syntax.Node) (v, this Value, ok bool)
	Late func(name string) (Value, bool)        // names in texts that eval runs; nil if nothing is typed
	Load func(name string) (object.Slot, error) // require; nil if nothing is typed
	// Stack are the lines of the frames of an error that is made in what is typed; nil if they are not known.
	Stack func() []string
	// Lasting takes what ends functions that wait, which variables that were typed may have; nil ends them.
	Lasting func(ends []func())
}

// A ContextSlot is a slot of a context.
type ContextSlot struct {
	context layout.Tagged
	index   int
}

// Native returns a function that is written in Go.
func (m *Machine) Native(name string, code func(m *Machine, this Value, args []Value) Value) *Object {
	return &Object{Function: &Function{Name: name, Code: code}}
}

// Omit notes that the C++ of a class of the embedder did not run.
func (m *Machine) Omit(class string) {
	if m.omitted == nil {
		m.omitted = map[string]bool{}
	}
	m.omitted[class] = true
}

// Omitted are the classes of the embedder whose C++ did not run for objects of them.
func (m *Machine) Omitted() []string { return slices.Sorted(maps.Keys(m.omitted)) }

// Print shows values as a method of console does.
func (m *Machine) Print(method string, args []Value) {
	if m.print != nil && method != "" {
		m.print(method, args)
	}
}

// Prints reports whether what a console shows is asked for.
func (m *Machine) Prints() bool { return m.print != nil }

// OnRemark has remark called with what has to be known of a value.
func (m *Machine) OnRemark(remark func(text string)) { m.remark = remark }

// Remark says what has to be known of a value; it is false if nobody hears that.
func (m *Machine) Remark(text string) bool {
	if m.remark == nil {
		return false
	}
	m.remark(text)
	return true
}

// OnPrint has print called for each call of a method of console.
func (m *Machine) OnPrint(print func(method string, args []Value)) { m.print = print }
