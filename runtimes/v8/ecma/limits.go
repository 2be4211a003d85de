package ecma

import "fmt"

// Limits for a call, which a core determines.
const (
	MaxSteps = 1 << 18 // of one call
	MaxCalls = 100     // inside each other
	MaxText  = 1 << 20 // bytes of one string
	MaxItems = 1 << 16 // elements of one array
)

// A Stop ends a call that cannot go on: something that it needs is not known. Native is set
// if that is what a function of the embedder would return.
type Stop struct {
	Err    error
	Native bool
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

// limits ends a call that does too much, or that cannot go on.
type limits struct {
	Steps   int // done
	Longest int // bytes of a string
	Most    int // that may be done
	Calls   int
}

// Spend counts n steps, and ends what takes too long.
func (m *limits) Spend(n int) {
	if m.Steps += n; m.Steps > m.Most {
		m.Fail("it takes too long")
	}
}

// Step counts what is done, and ends what takes too long.
func (m *limits) Step() { m.Spend(1) }

// Bounded bounds the length of a string that was made.
func (m *limits) Bounded(s string) string {
	if len(s) > m.Longest {
		m.Fail("a string is too long")
	}
	m.Spend(len(s) / 64)
	return s
}

// Attempt returns what code does, or an Unknown if that stops at a function of the embedder.
func (m *limits) Attempt(code func() Value) (v Value) {
	calls := m.Calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Stop:
			if !x.Native {
				panic(x)
			}
			v, m.Calls = Unknown{x.Err}, calls
		default:
			panic(x)
		}
	}()
	return code()
}

// Fail ends the call: it needs something that is not known, or cannot go on.
func (m *limits) Fail(format string, args ...any) {
	panic(&Stop{Err: fmt.Errorf("eval: "+format, args...)})
}

// A Thrown is an exception of the program. One of the machine's own has its class and message alone, until it is
// caught.
type Thrown struct {
	Value          Value
	Set            bool // Value is what was thrown
	class, message string
}

// Throw throws a TypeError.
func (m *limits) Throw(format string, args ...any) { m.ThrowAs("TypeError", format, args...) }

// ThrowAs throws an error of a class.
func (m *limits) ThrowAs(class, format string, args ...any) {
	panic(&Thrown{class: class, message: fmt.Sprintf(format, args...)})
}

// A Cancelled is the panic that ends a function that waits, at the end of the machine's call.
type Cancelled struct{}

// CatchThrown runs code, and returns what it threw, if it did.
func CatchThrown(m *Machine, code func()) (t *Thrown) {
	calls := m.Calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Thrown:
			t, m.Calls = x, calls
		default:
			panic(x)
		}
	}()
	code()
	return nil
}

// RunsThrough reports whether code came to its end, or stopped for want of something.
func RunsThrough(m *Machine, code func()) (ok bool) {
	calls := m.Calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Stop:
			m.Calls = calls
			m.Step() // not of steps: those are gone
		default:
			panic(x)
		}
	}()
	code()
	return true
}

// Tried runs code. failed is the reason if it stopped.
func (m *limits) Tried(code func() Value) (v Value, failed *Stop) {
	calls := m.Calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Stop:
			failed, m.Calls = x, calls
		default:
			panic(x)
		}
	}()
	return code(), nil
}
