package frame

import (
	"sync"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A functionText is a function of which the script is in the core: its bytecodes, and its
// text, parsed.
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

// maxByText bounds the functions of which something is kept.
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
