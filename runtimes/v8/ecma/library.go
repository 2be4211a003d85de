package ecma

// A Builtin is a function of V8's own, written in Go.
type Builtin = func(m *Machine, this Value, args []Value) Value

// A Constructor makes objects of a class of V8's own.
type Constructor = func(m *Machine, args []Value) Value

// A Native calls a function of the program in another way than by its text; ok is false for others.
type Native = func(m *Machine, fn Heap, this Value, args []Value) (v Value, ok bool)

// A Library has the functions that are written in Go.
type Library struct {
	Functions    map[string]Builtin     // V8's own, by the names that realms give them
	Constructors map[string]Constructor // of objects of V8's own classes, by the names of these
	Natives      []Native               // call functions that need C++ of their host
	// Consoles call functions that a console calls in another way. They come before all others.
	Consoles []Native
	// Global returns a global of V8's own that is made, for a process whose realm is not in the core.
	Global func(m *Machine, name string) (Value, bool)
	// Element converts a value to an element of a class of typed arrays.
	Element func(m *Machine, class string, v Value) Value
}
