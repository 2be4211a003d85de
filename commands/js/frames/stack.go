package frames

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
	"coredbg/walk"
)

var jsstackCommand = commands.Command{
	Name: "jsstack", Module: target.Module, Often: "avln", Addr: commands.AddrOptional,
	Views: []commands.View{{Language: runtimes.LanguageJavaScript, Subject: commands.Stack},
		{Language: runtimes.LanguageJavaScript, Subject: commands.Stacks, Line: "::walk thread | ::jsstack"}},
	Options: []commands.Option{
		{Letter: 'a', Help: "show all frames, native and internal ones too, with their frame pointers"},
		{Letter: 'e', Help: "the text that new Error().stack would have been, with all its frames"},
		{Letter: 'v', Help: "show the kind of code, this and the arguments of each frame"},
		{Letter: 'l', Help: "show the local variables of each frame"},
		{Letter: 'p', Arg: "property", Help: "show only this of each frame: file, posn, func, code, this, a parameter (arg1 … by place), a local variable, or a property of this"},
		{Letter: 'f', Arg: "function", Help: "only frames whose function has this name"},
		{Letter: 'n', Arg: "lines", Help: "show this many lines of source on each side of the position"},
		commands.RawOption,
	},
	Args:    "[count]",
	Summary: "show the JavaScript stack of a thread",
	Detail: `The address is a thread id; without one the current thread is shown. Ids from a pipe
give each stack a line that names its thread. A decimal count limits the number of
frames.

` + frameHelp + `
Frames in between that are not JavaScript are counted in parentheses; -a shows
them. In a dump without the heap, as Crashpad's and Breakpad's, frames and the addresses of
their functions are known, and the memory missing for their names is listed. In JSON only the frames of JavaScript are there, with -a all of them.`,
	Example: "::jsstack -v",
	SeeAlso: []string{"jsframe", "stack", "$C"},
	Run:     runStack,
}

// stackRecord is the stack of a thread as ::jsstack shows it.
type stackRecord struct {
	*commands.ThreadRecord // with all frames
	all                    bool
	titled                 bool                        // a line names the thread
	lines                  map[int][]object.SourceLine // by frame index
}

func runStack(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return withoutNames(ctx, c, err)
	}
	t, err := c.Thread()
	if err != nil {
		return err
	}
	around := -1
	if c.Flag('n') {
		if around, err = c.Int('n', 0); err != nil {
			return err
		}
	}
	count := 0
	if len(c.Args) > 0 {
		if count, err = c.Decimal(c.Args[0]); err != nil {
			return err
		}
	}
	if c.Flag('e') {
		st := c.Session.Stacks.Thread(ctx, t, stack.Options{ManagedOnly: true, Raw: c.Flag('R')})
		if !v.Image.OfDeno() && !v.KeepsMaps() {
			running(st)
		}
		if r := newErrorStack(v, st, count); r != nil {
			return c.Emit(r)
		}
		return nil
	}
	rec := &stackRecord{all: c.Flag('a'), titled: c.Piped, lines: map[int][]object.SourceLine{}}
	more := &detail{v: v, verbose: c.Flag('v'), locals: c.Flag('l'), property: c.Str('p')}
	st := c.Session.Stacks.Thread(ctx, t, stack.Options{
		ManagedOnly: !rec.all, Raw: c.Flag('R'),
		Each: func(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
			more.add(r, f, src)
			if around >= 0 && src != nil && src.Line > 0 {
				rec.lines[r.Index] = linesAround(v, r, src, around)
			}
		},
	})
	rec.ThreadRecord = &commands.ThreadRecord{Stack: st}
	if name := c.Str('f'); name != "" {
		rec.Frames = selected(rec.Frames, name)
	}
	rec.first(count)
	return c.Emit(rec)
}

// withoutNames emits the frames of a V8 that cannot be decoded, as far as they are known to be its own, and
// returns the reason that the rest is unknown.
func withoutNames(ctx context.Context, c *commands.Call, why error) error {
	if _, ok := commands.RuntimeOf[*fit.Undecoded](c.Session); !ok {
		return why
	}
	t, err := c.Thread()
	if err != nil {
		return err
	}
	rec := &stackRecord{all: c.Flag('a'), titled: c.Piped}
	rec.ThreadRecord = &commands.ThreadRecord{Stack: c.Session.Stacks.Thread(ctx, t,
		stack.Options{ManagedOnly: !rec.all})}
	if !slices.ContainsFunc(rec.Frames, func(f stack.Frame) bool { return stack.Managed(&f) }) {
		return why
	}
	if err := c.Emit(rec); err != nil {
		return err
	}
	return why
}

// first keeps the first count shown frames; 0 keeps all.
func (r *stackRecord) first(count int) {
	for i := range r.Frames {
		switch {
		case !r.all && !stack.Managed(&r.Frames[i]):
		case count == 1:
			if i+1 < len(r.Frames) {
				r.Frames = r.Frames[:i+1]
				r.Stop = &walk.StopError{Kind: walk.StopLimit}
			}
			return
		default:
			count--
		}
	}
}

// selected returns the frames whose function is name, or ends in ".name".
func selected(frames []stack.Frame, name string) []stack.Frame {
	var kept []stack.Frame
	for _, f := range frames {
		if stack.Managed(&f) && (f.Name == name || strings.HasSuffix(f.Name, "."+name)) {
			kept = append(kept, f)
		}
	}
	return kept
}

// JSON implements out.Formed.
func (r *stackRecord) JSON() any {
	if r.all {
		return commands.NewThreadJSON(r.Stack)
	}
	return commands.NewThreadJSON(r.ManagedOnly())
}

// Text writes the stack in the manner of mdb_v8.
func (r *stackRecord) Text(w *out.Writer) {
	if r.titled {
		w.Paint(out.Keyword, "%s", r.Title())
		w.Printf("\n")
	}
	native, internal := 0, 0
	elided := func() {
		var parts []string
		if native > 0 {
			parts = append(parts, out.Count(native, "native frame"))
		}
		if internal > 0 {
			parts = append(parts, out.Count(internal, "internal frame"))
		}
		if len(parts) > 0 {
			w.Printf("        (%s elided)\n", strings.Join(parts, ", "))
		}
		native, internal = 0, 0
	}
	for i := range r.Frames {
		f := &r.Frames[i]
		switch {
		case r.all || stack.Managed(f):
			elided()
			writeFrame(w, f, r.all, r.lines[f.Index])
		case f.Kind == runtimes.Stub:
			internal++
		default:
			native++
		}
	}
	elided()
	if s := r.Stop; s != nil && s.Kind != walk.StopRoot && (s.Kind != walk.StopLimit || s.Err != nil) {
		w.Printf("        (stopped: %v)\n", s)
	}
}
