package commands

import (
	"context"
	"encoding/json"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/malloc/typed"
	"coredbg/stack"
	"coredbg/walk"
)

// A Variable is one of a frame of managed code, as its runtime shows values.
type Variable struct {
	Name string
	Kind string // argument, local, this
	Type string // "" if the language has no types for variables
	Text string // on one line
	JSON json.RawMessage
	Why  string // why the value is not known; "" if it is
}

// A VariableReader reads the variables of a frame of its runtime: the frame with number n among the frames that
// a machine frame stands for. It reports false for frames of other runtimes.
type VariableReader func(f *walk.Frame, src *runtimes.SourceFrame, n int) ([]Variable, bool)

// A SourceLine is a line of source that the process holds.
type SourceLine struct {
	Number int // from 1
	Text   string
}

// A SourceReader reads the lines from first to last of the code of a frame of its runtime. It returns nil if
// the process does not hold them, or the frame is another runtime's.
type SourceReader func(src *runtimes.SourceFrame, first, last int) []SourceLine

// A HeldSource returns lines of a file that the process itself holds, with the file's whole path. It takes the
// first file whose path ends in name, and returns no lines if the process holds no such file.
type HeldSource func(ctx context.Context, name string, first, last int) (path string, lines []SourceLine)

// A FrameReader reads what frames have in them: arguments, variables, the source of their lines (values.Frames).
type FrameReader interface {
	// Arguments adds the arguments of native frames to a stack of a thread, which was made with o.
	Arguments(ctx context.Context, t *core.Thread, st *stack.Stack, o stack.Options)
	// Brief gives the frames of a stack of a thread their arguments in a line.
	Brief(ctx context.Context, t *core.Thread, st *stack.Stack, form ArgumentForm)
	// Scene returns the source and the values of the thread's current frame; nil for a thread without frames.
	Scene(ctx context.Context, t *core.Thread) *Scene
	// Scenes returns those of the thread's frames with a number in frames, in their order.
	Scenes(ctx context.Context, t *core.Thread, frames map[int]bool) []*Scene
	// Variables calls visit for the variables of native frames of all threads, with their functions, until it
	// returns false.
	Variables(ctx context.Context, visit func(*typed.Variable) bool)
}

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

// An ArgumentForm says how the arguments of a frame are shown behind its function. The names are gdb's.
type ArgumentForm string

// The forms of arguments.
const (
	ArgumentsAll      ArgumentForm = "all"      // values with members are shown, too
	ArgumentsScalars  ArgumentForm = "scalars"  // a value with members is "…"
	ArgumentsNone     ArgumentForm = "none"     // names alone
	ArgumentsPresence ArgumentForm = "presence" // whether there are any
)

// ArgumentForms are all forms.
var ArgumentForms = []ArgumentForm{ArgumentsAll, ArgumentsScalars, ArgumentsNone, ArgumentsPresence}
