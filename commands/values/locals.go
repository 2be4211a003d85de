package values

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// frameOptions are the options of the commands that show variables of frames.
var frameOptions = append([]commands.Option{
	{Letter: 'A', Help: "of all frames of the thread"},
	{Letter: 'f', Arg: "frame", Help: "of the frame with this index, or of this function"},
	{Letter: 'n', Arg: "count", Help: "with -A, of the frames below this index"},
}, viewOptions...)

var localsCommands = []commands.Command{
	{
		Name: "locals", Often: "Axd", Addr: commands.AddrOptional, Options: frameOptions,
		Summary: "show the variables of a frame, arguments included",
		Detail: `Shows the arguments and variables of a native frame by its debugging information:
the current frame (see ::frame), the current frame of the thread whose id is the address, or the frame at the
address, as ::walk frame yields it. Those of inner blocks come
after the variables of outer ones and hide them. A pointer to a structure is shown with the structure's members, in text only. A variable that the compiler keeps nowhere at that place is "optimised
out"; what was in a register that no frame inside has saved is not known, and says so. So is a variable of Go
that is declared on a later line. With -f the frame of a function is also looked for on other stacks; the variables of
a function that runs on no stack are listed with their types.

Frames of JavaScript have this, arguments by their number, and the other variables that V8 keeps, as
::jsstack -v -l shows them; frames of Java have the variables in the debug information of their dex file, and the
registers that it does not.`,
		Example:   "::locals",
		SeeAlso:   []string{"args", "frame", "print", "stack"},
		EmptyText: "the frame has no variables",
		Run:       func(ctx context.Context, c *commands.Call) error { return runLocals(ctx, c, true) },
	},
	{
		Name: "args", Often: "Axd", Addr: commands.AddrOptional, Options: frameOptions,
		Summary:   "show the arguments of a frame",
		Detail:    "Shows the arguments of a native frame; see ::locals.",
		Example:   "::args",
		SeeAlso:   []string{"locals", "frame", "stack"},
		EmptyText: "the frame has no arguments",
		Run:       func(ctx context.Context, c *commands.Call) error { return runLocals(ctx, c, false) },
	},
}

// A variableRecord is a variable of a frame.
type variableRecord struct {
	_        out.Record `record:"variable"`
	TID      int        `json:"tid"`                 // 0 for a goroutine that no thread runs
	Task     uint64     `json:"goroutine,omitempty"` // the id of such a goroutine
	Frame    int        `json:"frame"`               // the index of its frame in the thread's stack
	Function string     `json:"function"`
	Name     string     `json:"name"`
	Kind     string     `json:"kind"`            // local, argument, this
	CType    string     `json:"ctype,omitempty"` // absent if the language has no such type for variables
	At       core.Addr  `json:"addr,omitzero"`   // absent if it is not in memory
	Value    *view.Node `json:"value"`           // as ::print has it
	State    string     `json:"state"`           // known, optimised-out, unknown
	LeftOut  int64      `json:"left_out,omitempty"`
	Line     int        `json:"line,omitempty"`
	// Constant and Constants are ::print's.
	Constant  string            `json:"constant,omitempty"`  // the name of the value; see value
	Constants map[string]string `json:"constants,omitempty"` // names of the values in it, by their paths
	form      view.Form
	head      string
}

// Addr returns where the variable is.
func (r *variableRecord) Addr() (core.Addr, bool) { return r.At, r.At != 0 }

// Text writes the variable, below the frame's line if it is its first.
func (r *variableRecord) Text(w *out.Writer) {
	if r.head != "" {
		w.Printf("%s\n", r.head)
	}
	n := *r.Value
	n.Name, n.Type = r.Name, r.CType
	w.Printf("    %s%s\n", r.form.Label(&n), r.form.Text(r.Value, 4))
}

// heading is the line of a frame above its variables.
func heading(a *activation) string {
	s := fmt.Sprintf("#%d %s", a.Index, sym.Clean(functionOf(a)))
	if p := a.Position(); p != "" {
		s += " (" + sym.Clean(p) + ")"
	}
	return s
}

// functionOf returns the name of a frame's function.
func functionOf(a *activation) string {
	if a.Name == "" {
		return a.Symbolic()
	}
	return sym.Demangle(a.Name, false)
}

// framesFor returns the frames that a command is about.
func framesFor(ctx context.Context, c *commands.Call) ([]*activation, *core.Thread, error) {
	if a, t := frameThere(ctx, c); a != nil {
		return []*activation{a}, t, nil
	}
	t, err := c.Thread()
	if err != nil {
		return nil, nil, err
	}
	if c.Flag('A') {
		all := activations(ctx, c.Session, t)
		return all, t, nil
	}
	if c.Flag('f') {
		a, err := frameChosen(ctx, c, t)
		if name := functionAsked(c); err != nil && name != "" {
			if x, of := frameAnywhere(ctx, c.Session, name); x != nil {
				return []*activation{x}, of, nil
			}
		}
		return []*activation{a}, t, err
	}
	a, err := current(ctx, c.Session, t)
	return []*activation{a}, t, err
}

// frameThere returns the frame whose address a call was given, as "::walk frame" yields it, and
// its thread; nil if no frame has it.
func frameThere(ctx context.Context, c *commands.Call) (*activation, *core.Thread) {
	p := c.Session.Process
	if !c.HasAddr || p.Arch == nil || c.Session.ThreadAt(c.Dot) != nil {
		return nil, nil
	}
	m, ok := p.Mapping(c.Dot)
	if !ok {
		return nil, nil
	}
	for _, t := range p.Threads {
		if sp, ok := t.Regs.Get(p.Arch.SP); !ok || core.Addr(sp) < m.Start || core.Addr(sp) > c.Dot {
			continue
		}
		for _, a := range activations(ctx, c.Session, t) {
			if at, ok := (*commands.FrameRecord)(&a.Frame).Addr(); ok && at == c.Dot {
				return a, t
			}
		}
	}
	return nil, nil
}

// frameChosen returns the frame that -f names: by its index or by its function.
func frameChosen(ctx context.Context, c *commands.Call, t *core.Thread) (*activation, error) {
	if name := functionAsked(c); name != "" {
		return frameNamed(ctx, c.Session, t, name)
	}
	n, err := c.Int('f', 0)
	if err != nil {
		return nil, err
	}
	return frameAt(ctx, c.Session, t, n)
}

// frameAt returns the frame of a thread with an index.
func frameAt(ctx context.Context, s *commands.Session, t *core.Thread, n int) (*activation, error) {
	all := activations(ctx, s, t)
	for _, a := range all {
		if a.Index == n {
			return a, nil
		}
	}
	return nil, fmt.Errorf("%v has no frame %d; it has %s", t, n, out.Count(len(all), "frame"))
}

func runLocals(ctx context.Context, c *commands.Call, all bool) error {
	frames, t, err := framesFor(ctx, c)
	if name := functionAsked(c); err != nil && name != "" {
		return declaredVariables(c, name, all, err)
	}
	if err != nil {
		return err
	}
	w, form, err := viewOf(c)
	if err != nil {
		return err
	}
	known := false
	w.Opens = true
	most, err := c.Int('n', len(frames))
	if err != nil {
		return err
	}
	for _, a := range frames {
		if c.Flag('A') && a.Index >= most {
			break
		}
		list, ok := variablesOf(w, t, a, all)
		known = known || ok
		for i, r := range list {
			if r.form = form; i == 0 {
				r.head = heading(a)
				if t != c.Session.Thread {
					r.head += ", " + threadWords(t)
				}
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	if !known {
		return noScope(c, frames)
	}
	if w.Leaf.Lost {
		c.Session.Partial = true
	}
	return nil
}

// functionNames are the variables that compilers make of a function's name.
var functionNames = []string{"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"}

// variablesOf returns the records of a frame's variables, or of its arguments alone, and
// whether they are known.
func variablesOf(w *view.Viewer, t *core.Thread, a *activation, all bool) (list []*variableRecord, known bool) {
	if a.scope() == nil && a.variables != nil {
		managed, ok := a.variables()
		for i := range managed {
			if v := &managed[i]; all || v.Kind != "local" {
				list = append(list, newManaged(t, a, v))
			}
		}
		return list, ok && (len(managed) > 0 || !a.borrowed())
	}
	if a.scope() == nil {
		return nil, false
	}
	for _, v := range a.scope().Vars {
		if v.Kind != dwarf.Argument && !all || v.Name == "" || v.Name[0] == '.' ||
			slices.Contains(functionNames, v.Name) || v.Made() {
			continue
		}
		w.Left = view.MaxNodes
		list = append(list, newVariable(w, t, a, v))
	}
	return list, true
}

// noScope says why none of some frames has variables that are known.
func noScope(c *commands.Call, frames []*activation) error {
	if len(frames) == 0 {
		return c.Unknown("the thread has no frames")
	}
	a := frames[0]
	return c.Unknown("variables of #%d %s are not known: %w (::regs shows its registers, ::dis its instructions)",
		a.Index, functionOf(a), cmp.Or(a.why(), errNoFunction))
}

// taskOf returns the id of the task that a thread stands for, 0 if it does for none.
func taskOf(t *core.Thread) uint64 {
	if t.Task == nil {
		return 0
	}
	return t.Task.ID
}

// newManaged returns the record of a variable of managed code.
func newManaged(t *core.Thread, a *activation, v *commands.Variable) *variableRecord {
	r := &variableRecord{TID: t.TID, Task: taskOf(t), Frame: a.Index, Function: functionOf(a), Name: v.Name,
		Kind: v.Kind, CType: v.Type, State: "known",
		Value: managedNode(v)}
	if v.Why != "" {
		r.State = "unknown"
	}
	return r
}

// managedNode returns the node of a variable of managed code.
func managedNode(v *commands.Variable) *view.Node {
	if v.Why != "" {
		return &view.Node{Kind: view.Unknown, Text: v.Why}
	}
	return &view.Node{Text: v.Text, JSON: v.JSON}
}

// newVariable returns the record of a variable in its frame.
func newVariable(w *view.Viewer, t *core.Thread, a *activation, v *dwarf.Variable) *variableRecord {
	value := a.value(v)
	r := &variableRecord{TID: t.TID, Task: taskOf(t), Frame: a.Index, Function: functionOf(a), Name: v.Name,
		Kind: v.Kind.String(), Line: v.Line,
		CType: value.Type.Name(), Value: viewVariable(w, v, value), State: "known"}
	r.LeftOut, r.Constant, r.Constants = r.Value.LeftOut(), r.Value.Constant, view.ConstantsIn(r.Value)
	r.At, _ = value.Addr()
	if r.Value.Kind == view.Unknown {
		r.State = "unknown"
		if r.Value.Text == dwarf.ErrNoLocation.Error() {
			r.State = "optimised-out"
		}
	}
	return r
}

// viewVariable returns the node of a variable's value. An optional argument of Fortran that the caller left out has
// the address 0.
func viewVariable(w *view.Viewer, v *dwarf.Variable, value dwarf.Value) *view.Node {
	if at, ok := value.Addr(); ok && at == 0 && v.Kind == dwarf.Argument && value.Type != nil &&
		value.Type.Lang().Fortran() {
		return &view.Node{Type: value.Type.Name(), Text: "<not present>"}
	}
	return w.View("", value, 0)
}

// frameNamed returns the innermost frame of the function with a name. If there is none, the last part of a
// function's name may be the name, or else any part.
func frameNamed(ctx context.Context, s *commands.Session, t *core.Thread, name string) (*activation, error) {
	all := activations(ctx, s, t)
	for _, matches := range []func(full, plain string) bool{
		func(full, plain string) bool { return full == name || plain == name },
		func(_, plain string) bool {
			return strings.HasSuffix(plain, "::"+name) || strings.HasSuffix(plain, "."+name)
		},
		func(full, _ string) bool { return mentions(full, name) },
	} {
		for _, a := range all {
			full := functionOf(a)
			plain, _, _ := strings.Cut(full, "(")
			if matches(full, plain) {
				return a, nil
			}
		}
	}
	return nil, fmt.Errorf("%v has no frame of a function called %s", t, name)
}

// mentions reports whether the name of a function contains a text that is no scope around the function: main is none of
// the closures in main.
func mentions(full, text string) bool {
	for {
		_, rest, ok := strings.Cut(full, text)
		if !ok {
			return false
		}
		if !strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ".") {
			return true
		}
		full = rest
	}
}

// neighbour returns the frame that -u or -d leads to from the current one; moved is false
// if neither was given.
func neighbour(ctx context.Context, c *commands.Call, t *core.Thread) (a *activation, moved bool, err error) {
	up, err := c.Int('u', 0)
	if err != nil {
		return nil, true, err
	}
	down, err := c.Int('d', 0)
	if err != nil || !c.Flag('u') && !c.Flag('d') {
		return nil, err != nil, err
	}
	from, err := current(ctx, c.Session, t)
	if err != nil {
		return nil, true, err
	}
	to := from.Index + up - down
	if to < 0 {
		return nil, true, fmt.Errorf("the current frame is #%d: there are no more frames further in", from.Index)
	}
	a, err = frameAt(ctx, c.Session, t, to)
	return a, true, err
}

// threadWords names a thread or a task.
func threadWords(t *core.Thread) string {
	if id := taskOf(t); id != 0 {
		return fmt.Sprintf("goroutine %d", id)
	}
	return fmt.Sprintf("thread %d", t.TID)
}
