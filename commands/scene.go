package commands

// A Scene is the place of a frame in the source, and the variables that its line names.
type Scene struct {
	Frame int    // its index in the thread's stack
	Name  string // its function
	File  string // "" if the position is not known
	Line  int
	// Lines are the line and two on each side of it. Without any, Why says why.
	Lines []SourceLine
	Why   error
	// Values are variables in a few words, such as "n = 3". Without the line's text they are the frame's
	// first variables.
	Values []string
	// Known is set if the frame has variables that can be read.
	Known bool
}
