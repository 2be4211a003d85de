package text

import "coredbg/runtimes/v8/layout"

// testReader are Strings with their memory.
type testReader struct {
	*layout.Memory
	Objects *Strings
}

func readerOf(mem *layout.Memory) testReader { return testReader{mem, &Strings{mem}} }
