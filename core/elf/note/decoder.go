package note

import "coredbg/core"

// A Decoder reads the notes of a core into a process: its threads, its signal, its ids and names, the
// notes themselves. Damaged parts of a note are skipped and named in the process' warnings.
type Decoder struct {
	machine
	p *core.Process

	files     []FileMapping
	filesGood bool
	noteEnd   []int // for each thread, the index after its last note
	signals   []threadSignal
	signalled int  // the thread that the signal hit, where a note names it; else 0
	debugger  bool // the core is laid out as a debugger's
}

// A FileMapping is a mapping of a file as listed by NT_FILE, or by a BSD's equivalent.
type FileMapping struct {
	Start, End core.Addr
	Off        uint64 // bytes
	Path       string
}

// A threadSignal is a signal with the thread whose notes hold it. Thread is -1 if the signal comes
// before the notes of all threads.
type threadSignal struct {
	thread int // index in the order of the notes
	*core.Signal
}
