package object

import "coredbg/runtimes/v8/layout"

// testReader is a Reader with its memory.
type testReader struct {
	*layout.Memory
	Objects *Reader
}

func readerOf(mem *layout.Memory) testReader { return testReader{mem, New(mem, nil)} }
