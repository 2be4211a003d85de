package values

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/sym/lines"
	"coredbg/stack"
)

var lookupCommands = []commands.Command{
	{
		Name: "frame", Silent: true, Addr: commands.AddrOptional, Args: "[index]",
		Summary: "choose the frame that is looked at, or show it",
		Detail: `Chooses the frame with an index, as ::stack numbers them in decimal, for ::locals,
::args and ::print, until another thread is chosen; the address is a thread's id. Without an
index the current one is shown: until one is chosen that is the innermost with debugging information.
An address that ::walk frame yields shows that frame.`,
		Options: []commands.Option{
			{Letter: 'u', Arg: "count", Help: "go count frames further out"},
			{Letter: 'd', Arg: "count", Help: "go count frames further in"},
			{Letter: 'f', Arg: "name", Help: "the innermost frame of a function"},
			{Letter: 'e', Arg: "line", Help: "run the line with each frame, or with the frames whose indexes follow"},
			{Letter: 'c', Arg: "count", Help: "with -e, with the innermost frames alone"},
			{Letter: 's', Help: "with -e, without the frames where the line fails"},
			{Letter: 'q', Help: "choose it without showing it"},
			{Letter: 'v', Help: "without choosing it: its source, its caller and its registers, as far as they are known there"},
		},
		Example: "::frame",
		SeeAlso: []string{"locals", "source", "stack", "thread"},
		Run:     runFrame,
	},
	{
		Name: "lookup", Addr: commands.AddrNone,
		Args:    "name",
		Summary: "show where a function, a variable or a line is, and which threads are in it",
		Detail: `The name is a function such as Pool::run, its last part (main also finds main.main), a variable, a line such as srv.cc:17, or an
expression. The first lines show its address and its place in the source, the others each frame of a function with that name, of threads and
goroutines, in whatever language.`,
		Example:   "::lookup main",
		SeeAlso:   []string{"source", "dis", "whatis", "stack", "nm"},
		EmptyText: "no function, variable or line has that name",
		Run:       runLookup,
	},
}

func runFrame(ctx context.Context, c *commands.Call) error {
	if a, t := frameThere(ctx, c); a != nil && len(c.Args) == 0 {
		if c.Flag('v') {
			return c.Emit(detailOf(c.Session, t, a))
		}
		a.Args = briefArgs(c.Session, a, commands.FrameArguments(c.Session))
		return c.Emit((*commands.FrameRecord)(&a.Frame))
	}
	t, err := c.Thread()
	if err != nil {
		return err
	}
	if c.Flag('e') {
		return eachFrame(ctx, c, t, c.Str('e'))
	}
	a, moved, err := neighbour(ctx, c, t)
	switch {
	case moved:
	case c.Flag('f'):
		moved = true
		a, err = frameNamed(ctx, c.Session, t, c.Str('f'))
	case len(c.Args) == 0:
		a, err = current(ctx, c.Session, t)
	case len(c.Args) == 1:
		var n int
		if n, err = c.Decimal(c.Args[0]); err == nil {
			a, err = frameAt(ctx, c.Session, t, n)
		}
	default:
		return c.Usage("it takes the index of a frame")
	}
	if err != nil {
		return err
	}
	if (len(c.Args) == 1 || moved) && !c.Flag('v') {
		c.Session.ChooseFrame(t, a.Index)
	}
	switch {
	case c.Flag('q') && (len(c.Args) == 1 || moved):
		return nil
	case c.Flag('v'):
		return c.Emit(detailOf(c.Session, t, a))
	}
	a.Args = briefArgs(c.Session, a, commands.FrameArguments(c.Session))
	return c.Emit((*commands.FrameRecord)(&a.Frame))
}

// A lookupRecord is a place that a name means.
type lookupRecord struct {
	_     out.Record `record:"lookup"`
	At    core.Addr  `json:"addr,omitzero" col:"ADDR,16,right,zero=-" dot:"nonzero"`
	Name  string     `json:"name" col:"NAME,32"`
	Place string     `json:"place,omitempty" col:"PLACE,24,zero=-"` // file and line
	In    string     `json:"in,omitempty" col:"IN"`                 // the thread or task, and the frame
	TID   int        `json:"tid,omitempty"`
	Task  uint64     `json:"goroutine,omitempty"`
	Frame *int       `json:"frame,omitempty"`
}

// The bounds of an answer.
const maxWithin = 64 // frames

func runLookup(ctx context.Context, c *commands.Call) error {
	if len(c.Args) != 1 {
		return c.Usage("it takes one name")
	}
	name := c.Text(c.Args[0])
	if file, line, ok := lang.FileLine(name); ok && file == "" { // of the current frame's file
		if p, err := placeNamed(ctx, c, c.Args[0]); err == nil {
			name = p.file + ":" + strconv.Itoa(line)
			c.Args[0] = commands.Arg{Text: name}
		}
	}
	if list := variablesNamed(ctx, c, name); len(list) > 0 { // the frame's own come first, as in expressions
		return commands.EmitAll(c, list)
	}
	list, err := placesOf(c, c.Args[0], name)
	list = append(list, framesNamed(ctx, c.Session, name, list)...)
	if len(list) == 0 && errors.Is(err, core.ErrUnknown) {
		return err
	}
	return commands.EmitAll(c, list)
}

// variablesNamed returns the variables of the current frame with a name.
func variablesNamed(ctx context.Context, c *commands.Call, name string) (list []*lookupRecord) {
	t, err := c.Thread()
	if err != nil {
		return nil
	}
	a, err := current(ctx, c.Session, t)
	w, _, bad := viewOf(c)
	if err != nil || bad != nil {
		return nil
	}
	all, _ := variablesOf(w, t, a, true)
	for _, v := range all {
		if v.Name == name {
			r := &lookupRecord{At: v.At, Name: v.Kind + " " + name, TID: t.TID, Task: taskOf(t), Frame: &a.Index,
				In: frameIn(t, a.Index)}
			if v.Line > 0 && a.File != "" {
				r.Place = filepath.Base(a.File) + ":" + strconv.Itoa(v.Line)
			}
			list = append(list, r)
		}
	}
	return list
}

// frameIn returns the words for a frame of a thread or a task.
func frameIn(t *core.Thread, index int) string { return fmt.Sprintf("%s #%d", threadWords(t), index) }

// placesOf returns the address that a name means, or the addresses of the functions that end in it.
func placesOf(c *commands.Call, a commands.Arg, name string) (list []*lookupRecord, err error) {
	s := c.Session
	at, err := c.Exact(a)
	if err == nil {
		return []*lookupRecord{lookedUp(s, at, name)}, nil
	}
	for _, y := range s.Symbols.Ending(name, maxEnding) {
		list = append(list, lookedUp(s, y.Addr, name))
	}
	return list, err
}

// lookedUp returns the record of an address.
func lookedUp(s *commands.Session, at core.Addr, name string) *lookupRecord {
	r := &lookupRecord{At: at, Name: name}
	if found, off, ok := s.Name(at); ok {
		if r.Name = found; off > 0 {
			r.Name += "+" + core.Addr(off).String()
		}
	}
	if p := positionOf(s, at); p != nil {
		r.Place = filepath.Base(p.file) + ":" + strconv.Itoa(p.line)
	}
	return r
}

// framesNamed returns the frames of functions with a name, or with one of the names in list.
func framesNamed(ctx context.Context, s *commands.Session, name string, list []*lookupRecord) (out []*lookupRecord) {
	var names []string
	file, line, isLine := lang.FileLine(name)
	if !isLine {
		names = append(names, name)
		for _, r := range list {
			names = append(names, r.Name)
		}
	}
	tasks, _ := s.Tasks()
	for rec := range s.Stacks.All(ctx, append(append([]*core.Thread(nil), s.Process.Threads...), tasks...),
		stack.Options{}) {
		for i := range rec.Frames {
			f := &rec.Frames[i]
			if at := isLine && f.Line == line && lines.IsFile(f.File, file); !at && !calledOneOf(f.Name, names) {
				continue
			}
			r := &lookupRecord{At: f.PC, Name: f.Name, TID: rec.Thread.TID, Task: taskOf(rec.Thread), Frame: &f.Index,
				In: frameIn(rec.Thread, f.Index)}
			if f.File != "" {
				r.Place = filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
			}
			if out = append(out, r); len(out) == maxWithin {
				return out
			}
		}
	}
	return out
}

// maxList bounds the elements of a list.
const maxList = 1 << 24

func runList(ctx context.Context, c *commands.Call) error {
	words := texts(c)
	if len(words) < 2 {
		return c.Usage("it takes a type and the member that leads to the next element")
	}
	name, rest := cutType(words)
	if len(rest) == 0 || len(rest) > 2 {
		return c.Usage("it takes a type and the member that leads to the next element")
	}
	t, f, err := program.TypeNamed(c.Session, name)
	if err != nil {
		return lang.Abort(err)
	}
	seen := map[core.Addr]bool{}
	for a := c.Dot; a != 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if seen[a] && a == c.Dot {
			return nil
		}
		if seen[a] || len(seen) > maxList {
			return fmt.Errorf("the list leads back to %v, which is not its first element", a)
		}
		seen[a] = true
		if len(rest) == 2 {
			c.Session.Lang.Vars.Set(rest[1], uint64(a))
		}
		if err := c.Pass(c.Session.Lang.NewValue(uint64(a))); err != nil {
			return err
		}
		next, err := memberPath(c.Session, f.At(t, a), rest[0])
		if err != nil {
			return lang.Abort(err)
		}
		to, err := next.Pointer()
		if err != nil {
			return c.Unknown("the element after %v: %w", a, err)
		}
		a = to
	}
	return nil
}

// eachFrame runs a line, as if it were typed, with each frame of a thread as the current one. A count limits it to the
// innermost frames, indexes as arguments to their frames. The frame that was chosen before stays.
func eachFrame(ctx context.Context, c *commands.Call, t *core.Thread, line string) error {
	all := activations(ctx, c.Session, t)
	most, err := c.Int('c', len(all))
	if err != nil {
		return err
	}
	all = all[:min(most, len(all))]
	if len(c.Args) > 0 {
		all = nil
	}
	for _, x := range c.Args {
		n, err := c.Decimal(x)
		if err != nil {
			return err
		}
		a, err := frameAt(ctx, c.Session, t, n)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	return c.Session.Aside(func() error {
		for _, a := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.Session.Thread = t
			c.Session.ChooseFrame(t, a.Index)
			a.Args = briefArgs(c.Session, a, commands.FrameArguments(c.Session))
			head := (*commands.FrameRecord)(&a.Frame)
			if err := c.Session.RunPart(ctx, line, head, c.Flag('s'), c); err != nil {
				return err
			}
		}
		return nil
	})
}
