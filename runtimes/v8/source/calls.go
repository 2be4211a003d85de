package source

import (
	"strings"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// V8 keeps no position table for a function until something needs one (flags/flag-definitions.h:
// enable_lazy_source_positions). Only Node turns this off. A frame that has called is at a call, and the calls
// in a function's code correspond to the calls in its text, in an order that the language fixes. A call is
// known if counting from the first and from the last gives the same one, and all others match in callee, form
// and number of arguments.

// A calledAt is a call in bytecodes, from to to, and where it is in the script.
type calledAt struct{ from, to, position int }

// findCalls returns the calls of a function whose places its text shows.
func findCalls(objects *object.Reader, shared layout.Tagged) (list []calledAt) {
	// Bytecodes whose numbers are assumed are good enough: all calls must match the text.
	t := textOf(objects, shared)
	if t == nil {
		return nil
	}
	sites, iterates := syntax.Calls(t.fn)
	calls := callsOf(t.code)
	for i, k := range pairs(sites, calls, iterates) {
		if k >= 0 {
			c := &calls[i]
			list = append(list, calledAt{c.from, c.to, t.position(sites[k].At)})
		}
	}
	return list
}

// A codeCall is a call in a function's bytecodes.
type codeCall struct {
	from, to int // offsets
	syntax.CallSite
	any bool // of a property or of a function
}

// callsOf returns the calls of a function's bytecodes, in order.
func callsOf(code *object.BytecodeArray) (calls []codeCall) {
	for i := range code.Bytecodes {
		if c, ok := callOf(&code.Bytecodes[i]); ok && (!c.Await || !starts(code, i)) {
			calls = append(calls, c)
		}
	}
	return calls
}

// starts reports whether the bytecode with index i suspends a generator that was just made:
// nothing of the text was run yet.
func starts(code *object.BytecodeArray, i int) bool {
	for k := range i {
		if code.Bytecodes[k].Name == "SuspendGenerator" {
			return false
		}
	}
	for k := range i {
		b := &code.Bytecodes[k]
		for _, o := range b.Operands {
			if o.Kind == "intrinsic" && strings.Contains(o.Text, "CreateJSGeneratorObject") {
				return true
			}
		}
	}
	return false
}

func callOf(b *bytecode.Bytecode) (codeCall, bool) {
	c := codeCall{from: b.Offset, to: b.Offset + len(b.Bytes)}
	name, _, _ := strings.Cut(b.Name, ".")
	for _, o := range b.Operands {
		if o.Kind == "registers" {
			c.Args = int(o.Count)
		}
	}
	digit := name[len(name)-1]
	if digit >= '0' && digit <= '9' {
		c.Args = int(digit - '0')
		name = name[:len(name)-1]
	}
	switch name {
	case "CallProperty":
		c.Member = true
		if digit == 'y' {
			c.Args-- // the receiver is one of them
		}
	case "CallUndefinedReceiver":
	case "CallAnyReceiver":
		c.any, c.Args = true, c.Args-1
	case "CallWithSpread":
		c.any, c.Spread, c.Args = true, true, c.Args-1
	case "Construct":
		c.New = true
	case "ConstructWithSpread":
		c.New, c.Spread = true, true
	case "SuspendGenerator":
		c.CallSite = syntax.CallSite{Await: true}
	default:
		return c, false
	}
	return c, true
}

// fits reports whether a call in the code may be one of the text.
func (c *codeCall) fits(s *syntax.CallSite) bool {
	return c.Await == s.Await && (c.Await || c.New == s.New && c.Spread == s.Spread && c.Args == s.Args && (c.any ||
		c.Member == s.Member))
}

// extra reports whether a call may belong to an iterator: its next, or its return.
func (c *codeCall) extra() bool { return c.Await || c.Member && c.Args == 0 }

// pairs returns for each call of the code which of the text it is, -1 if that is not certain;
// nil if they cannot be the same calls.
func pairs(sites []syntax.CallSite, calls []codeCall, iterates bool) []int {
	if len(calls) < len(sites) || len(calls) > len(sites) && !iterates {
		return nil
	}
	first, last := make([]int, len(calls)), make([]int, len(calls))
	k := 0
	for i := range calls {
		first[i] = -1
		switch {
		case k < len(sites) && calls[i].fits(&sites[k]):
			first[i] = k
			k++
		case !calls[i].extra():
			return nil
		}
	}
	if k < len(sites) {
		return nil
	}
	k = len(sites) - 1
	for i := len(calls) - 1; i >= 0; i-- {
		last[i] = -1
		if k >= 0 && calls[i].fits(&sites[k]) {
			last[i] = k
			k--
		} else if !calls[i].extra() {
			return nil
		}
	}
	for i := range first {
		if first[i] != last[i] {
			first[i] = -1
		}
	}
	return first
}
