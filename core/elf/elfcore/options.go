package elfcore

import (
	"coredbg/core"
	"coredbg/core/find"
)

// Options say where a core's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one. It must have
	// the build-id of the process' one, if that is known.
	Exe string
	// Files finds the files that were mapped; nil means this machine's disk.
	Files find.Finder
	// Trace is set as the Trace of the process' space before it is first read.
	Trace func(a core.Addr, n int)
}
