// Package source reads the text of JavaScript functions for facts that V8 has dropped or not yet
// computed: places of calls without a table of positions (calls.go), variables in registers of the
// interpreter (names.go), and free variables (free.go).
//
// The object chain: SharedFunctionInfo.script leads to the source, the function's extent to its
// text, which syntax parses; its BytecodeArray has the bytecodes that the text is compared with.
// If the two do not prove a fact together, it is unknown.
//
// Upstream: interpreter/bytecode-generator.cc. Versions: V8 7.4 to 15.8.
//
// LIMITATIONS: of functions without positions 6 % of the calls are not known: of classes with
// fields, and next to iterators' own. Variables of classes, patterns of parameters and array
// patterns with defaults have no names.
package source

import (
	"sync"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Reader knows what the texts of functions show. It may be used by several goroutines at once.
type Reader struct {
	calls byText[calledAt]
	names byText[registerName]
}

// New returns a reader of the texts of the functions that objects reads.
func New(objects *object.Reader) *Reader {
	return &Reader{
		calls: byText[calledAt]{find: func(shared layout.Tagged) []calledAt { return findCalls(objects, shared) }},
		names: byText[registerName]{find: func(shared layout.Tagged) []registerName {
			return findNames(objects,
				shared)
		}},
	}
}

// CallPosition returns the position in its script, in UTF-16 code units, of the call that a
// function is in, at an offset in its bytecodes.
func (r *Reader) CallPosition(shared layout.Tagged, offset int) (int, bool) {
	for _, c := range r.calls.function(shared) {
		if offset >= c.from && offset < c.to {
			return c.position, true
		}
	}
	return 0, false
}

// NameOf returns the name of the variable that lives in a register where a function is at a
// position of its script; "" if none certainly does.
func (r *Reader) NameOf(shared layout.Tagged, position, register int) string {
	if position < 0 || shared == 0 {
		return ""
	}
	for _, v := range r.names.function(shared) {
		if v.register == register && position >= v.from && position >= v.end && position < v.to {
			return v.name
		}
	}
	return ""
}

// A functionText is a function whose script is in the core: its bytecodes, and its text, parsed.
type functionText struct {
	code  *object.BytecodeArray
	fn    *syntax.Node
	text  string
	start int // of the text in the script, in UTF-16 code units

	// The place asked for last: bytes of the text, and the code units that they are.
	bytes, units int
}

// textOf reads the text of a function; nil if it or its bytecodes are not known. That numbers of
// bytecodes are assumed is for the caller to judge.
func textOf(objects *object.Reader, shared layout.Tagged) *functionText {
	code, err := objects.BytecodeArray(shared)
	if err != nil || code.Problem != nil || code.Script == 0 {
		return nil
	}
	start, end := objects.Extent(shared)
	text, err := objects.Source(code.Script, start, end, syntax.MaxText)
	if err != nil {
		return nil
	}
	fn, err := syntax.ParseFunction(text)
	if err != nil {
		if fn, err = syntax.ParseBody(text); err != nil { // of a file
			return nil
		}
	}
	return &functionText{code: code, fn: fn, text: text, start: start}
}

// position returns the position in the script of the text's byte at.
func (t *functionText) position(at int) int {
	at = min(max(at, 0), len(t.text))
	if at < t.bytes {
		t.bytes, t.units = 0, 0
	}
	for _, r := range t.text[t.bytes:at] {
		if t.units++; r > 0xffff {
			t.units++
		}
	}
	t.bytes = at
	return t.start + t.units
}

// byText keeps what the texts of functions show, once it was found.
type byText[T any] struct {
	find func(shared layout.Tagged) []T

	mu sync.Mutex
	of map[layout.Tagged][]T // by SharedFunctionInfo
}

// maxByText bounds the number of cached functions.
const maxByText = 4096

// function returns what the text of a function shows.
func (b *byText[T]) function(shared layout.Tagged) []T {
	b.mu.Lock()
	list, ok := b.of[shared]
	b.mu.Unlock()
	if ok {
		return list
	}
	list = b.find(shared)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil || len(b.of) >= maxByText {
		b.of = map[layout.Tagged][]T{}
	}
	b.of[shared] = list
	return list
}
