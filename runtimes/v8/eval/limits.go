package eval

import (
	"fmt"
)

// limits ends a call that does too much, or that cannot go on.
type limits struct {
	steps int // done
	most  int // that may be done
	calls int
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
	if len(s) > maxText {
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

// Throw throws an exception, whose value is not known.
func (m *limits) Throw(format string, args ...any) {
	panic(&thrown{reason: fmt.Sprintf(format, args...)})
}
