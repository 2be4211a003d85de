package page

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A testReader is a Reader with its memory.
type testReader struct {
	*layout.Memory
	Reader *Reader
}

func readerOf(mem *layout.Memory) testReader { return testReader{mem, NewReader(object.New(mem, nil))} }
