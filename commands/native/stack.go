package native

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/stack"
	"coredbg/walk"
)

// keep returns the filter that -m and -n choose.
func keep(c *commands.Call) func(*stack.Frame) bool {
	switch {
	case c.Flag('m'):
		return stack.Managed
	case c.Flag('n'):
		return stack.Native
	}
	return nil
}

// emitStack emits a stack that was made, and notes what it lacks.
func emitStack(c *commands.Call, t *stack.Stack, r commands.Record) error {
	commands.NoteStop(c.Session, t)
	if err := c.Emit(r); err != nil {
		return err
	}
	warnSuspects(c)
	return nil
}

// warnSuspects says once which files the stacks so far had to do without.
func warnSuspects(c *commands.Call) {
	for _, m := range c.Session.Stacks.Suspects() {
		c.Session.Partial = true
		c.Warn("%w", m.Facts().Err)
	}
}

// runStack is ::stack, $c and $C in the given form.
func runStack(form commands.StackForm) func(context.Context, *commands.Call) error {
	return func(ctx context.Context, c *commands.Call) error {
		form := form
		form.Verbose = c.Flag('v')
		if c.Flag('a') {
			form.Fold = false
		}
		o, last, err := stackOptions(c)
		if err != nil {
			return err
		}
		s := c.Session
		if c.Flag('r') {
			st, err := stackFrom(ctx, c, o)
			if err != nil {
				return err
			}
			form.Bare = true
			outermost(st, last)
			return emitStack(c, st, &commands.ThreadRecord{Stack: st, Form: form})
		}
		if c.HasAddr && (savedBy(c) != nil || s.ThreadAt(c.Dot) == nil) {
			st, err := stackAt(ctx, c, o)
			if err != nil {
				return err
			}
			form.Bare = form.Bare || !slices.Contains(s.Process.Threads, st.Thread)
			outermost(st, last)
			return emitStack(c, st, &commands.ThreadRecord{Stack: st, Form: form})
		}
		t, err := c.Thread()
		if err != nil {
			return err
		}
		st := s.Stacks.Thread(ctx, t, o)
		if form.Verbose && s.Frames != nil {
			s.Frames.Arguments(ctx, t, st, o)
		}
		if !form.Verbose && !form.Classic && !c.Flag('A') && !s.JSON && s.Frames != nil {
			arguments, err := argumentForm(c)
			if err != nil {
				return err
			}
			s.Frames.Brief(ctx, t, st, arguments)
		}
		outermost(st, last)
		return emitStack(c, st, &commands.ThreadRecord{Stack: st, Form: form})
	}
}

// stackOptions returns which frames the options ask for. last is how many of the outermost ones are shown, 0 for all.
func stackOptions(c *commands.Call) (o stack.Options, last int, err error) {
	o = stack.Options{Keep: keep(c), Lines: c.Flag('v'), Raw: c.Flag('R'), Hold: commands.Hold}
	if c.Flag('v') {
		o.Hold = commands.HoldDetailed
	}
	if len(c.Args) > 0 {
		if o.Limit, err = c.Decimal(c.Args[0]); err != nil {
			return o, 0, err
		}
	}
	if last, err = c.Int('l', 0); last > 0 {
		o.Hold = 0 // the outermost frames are the last that are found
	}
	return o, last, err
}

// argumentForm returns the form of arguments that -f asks for, or else the setting.
func argumentForm(c *commands.Call) (commands.ArgumentForm, error) {
	if !c.Flag('f') {
		return commands.FrameArguments(c.Session), nil
	}
	form := commands.ArgumentForm(c.Str('f'))
	if !slices.Contains(commands.ArgumentForms, form) {
		return "", c.Usage("%q is none of all, scalars, none and presence", c.Str('f'))
	}
	return form, nil
}

// outermost keeps the last frames of a stack; all if last is 0.
func outermost(st *stack.Stack, last int) {
	if last > 0 && len(st.Frames) > last {
		st.Frames = st.Frames[len(st.Frames)-last:]
	}
}

// stackFrom returns the stack from the registers on that -r gives.
func stackFrom(ctx context.Context, c *commands.Call, o stack.Options) (*stack.Stack, error) {
	arch := c.Session.Process.Arch
	if arch == nil {
		return nil, c.Unknown("registers of %s are not known", archName(c.Session.Process))
	}
	var regs core.Regs
	for _, word := range strings.Split(c.Str('r'), ",") {
		name, text, ok := strings.Cut(word, "=")
		slot := arch.SlotOf(strings.TrimPrefix(strings.TrimSpace(name), "%"))
		if !ok || slot < 0 {
			return nil, c.Usage("%q is not REGISTER=VALUE with a register of %s", word, arch.Name)
		}
		v, err := c.Session.Lang.Expr(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		regs.Set(slot, v)
	}
	if !regs.Has(arch.PC) || !regs.Has(arch.SP) {
		return nil, c.Usage("a stack needs %s and %s", arch.RegNames[arch.PC], arch.RegNames[arch.SP])
	}
	return walkFrom(ctx, c.Session, regs, o), nil
}

// walkFrom returns the stack from registers on.
func walkFrom(ctx context.Context, s *commands.Session, regs core.Regs, o stack.Options) *stack.Stack {
	rec := &stack.Stack{Thread: &core.Thread{}}
	s.Stacks.Fill(rec, s.Walk.WalkFrom(ctx, regs), nil, o)
	return rec
}

// stackAt returns the stack from the frame at an address on. The address is the frame's frame pointer or, without
// frame pointers, any address where the walk of a thread has the frame; otherwise it is the address of a
// ucontext.
func stackAt(ctx context.Context, c *commands.Call, o stack.Options) (*stack.Stack, error) {
	s, at := c.Session, c.Dot
	if saved := savedBy(c); saved != nil {
		return walkFrom(ctx, s, saved.context.Regs, o), nil
	}
	m, ok := s.Process.Mapping(at)
	if code := m.Prot&core.Exec != 0 && m.Prot&core.Write == 0; !ok || code {
		return nil, fmt.Errorf("%v is neither the id of a thread nor a frame pointer", at)
	}
	frames := func(f *stack.Frame) bool { return f.Pointer() == at }
	if rec := stackWith(ctx, s, at, frames, o); rec != nil {
		return rec, nil
	}
	rec := &stack.Stack{Thread: &core.Thread{}}
	s.Stacks.Fill(rec, s.Walk.WalkFP(ctx, at), nil, o)
	if len(rec.Frames) > 0 && s.Process.Executable(rec.Frames[0].PC) {
		return rec, nil
	}
	holds := func(f *stack.Frame) bool { return f.SP <= at && at < f.CFA }
	if inside := stackWith(ctx, s, at, holds, o); inside != nil {
		return inside, nil
	}
	if saved, err := s.Walk.Context(at); err == nil && s.Walk.Runs(&saved) {
		return walkFrom(ctx, s, saved.Regs, o), nil
	}
	if len(rec.Frames) == 0 {
		return nil, fmt.Errorf("no frame at %v: %w", at, rec.Stop)
	}
	return rec, nil
}

// stackWith returns the rest of the stack that contains an address, from the first wanted frame on, with
// everything that the walk of the thread knows there; nil without such a stack.
func stackWith(ctx context.Context, s *commands.Session, at core.Addr, wanted func(*stack.Frame) bool,
	o stack.Options) *stack.Stack {
	m, _ := s.Process.Mapping(at)
	for _, t := range s.Process.Threads {
		sp, ok := t.Regs.Get(s.Process.Arch.SP)
		if !ok || core.Addr(sp) < m.Start || core.Addr(sp) >= m.End {
			continue
		}
		all := o
		all.Limit, all.Hold = 0, 0
		rec := s.Stacks.Thread(ctx, t, all)
		for i := range rec.Frames {
			if !wanted(&rec.Frames[i]) {
				continue
			}
			rec.Frames = rec.Frames[i:]
			if o.Limit > 0 && len(rec.Frames) > o.Limit {
				rec.Frames = rec.Frames[:o.Limit]
				rec.Stop = &walk.StopError{Kind: walk.StopLimit}
			}
			return rec
		}
	}
	return nil
}

// A stackGroup is the threads that have the same stack.
type stackGroup struct {
	*stack.Group
	form commands.StackForm
}

// Addr returns the id of the first thread.
func (g *stackGroup) Addr() (core.Addr, bool) { return core.Addr(g.TIDs[0]), true }

// Header writes the columns' names, which are MDB's.
func (g *stackGroup) Header(w *out.Writer) {
	w.Printf("%-10s %-12s %6s\n", "THREAD", "STATE", "COUNT")
}

// Text writes the group's line and its stack.
func (g *stackGroup) Text(w *out.Writer) {
	t := g.First.Thread
	state := g.First.State
	if g.Mixed {
		state = "(mixed)"
	}
	w.Printf("%-10d %-12s %6d", t.TID, sym.Clean(state), len(g.TIDs))
	if g.First.Name != "" {
		w.Printf("  %s", sym.Clean(g.First.Name))
	}
	if g.First.Signal != "" {
		w.Printf("  %s", g.First.Signal)
	}
	w.Printf("\n")
	rec := commands.ThreadRecord{Stack: g.First, Form: g.form}
	rec.Form.Bare = true
	rec.Text(w)
	if len(g.TIDs) > 1 {
		commands.WriteGroupIDs(w, "threads", g.TIDs)
	}
}

// A groupJSON is the threads that have the same stack, with the first one's stack.
type groupJSON struct {
	_     out.Record `record:"stacks"`
	Count int        `json:"count"`
	TIDs  []int      `json:"tids"`
	*commands.ThreadJSON
}

// JSON implements out.Formed.
func (g *stackGroup) JSON() any {
	return &groupJSON{Count: len(g.TIDs), TIDs: g.TIDs, ThreadJSON: commands.NewThreadJSON(g.First)}
}

// Long implements out.Long for a stack that is deep.
func (g *stackGroup) Long() (head any, key string, list iter.Seq[any]) {
	if !g.First.Deep() {
		return nil, "", nil
	}
	return &groupJSON{Count: len(g.TIDs), TIDs: g.TIDs, ThreadJSON: commands.ThreadHead(g.First)}, "frames",
		commands.LongFrames(g.First)
}

// A stackFilter is what -c, -C, -m, -M, -t and -T of ::stacks ask for.
type stackFilter struct {
	function, notFunction, module, notModule, state, notState string
}

func newStackFilter(c *commands.Call) stackFilter {
	return stackFilter{c.Str('c'), c.Str('C'), c.Str('m'), c.Str('M'), c.Str('t'), c.Str('T')}
}

// wants reports whether the stack is one that the filter asks for.
func (f stackFilter) wants(t *stack.Stack) bool {
	has := func(match func(*stack.Frame) bool) bool {
		for f := range t.Every() {
			if match(f) {
				return true
			}
		}
		return false
	}
	function := func(name string) func(*stack.Frame) bool {
		return func(r *stack.Frame) bool { return r.Name == name || r.Symbolic() == name }
	}
	module := func(name string) func(*stack.Frame) bool {
		return func(r *stack.Frame) bool { return sym.MatchesPath(r.Module, name) }
	}
	switch {
	case f.function != "" && !has(function(f.function)),
		f.notFunction != "" && has(function(f.notFunction)),
		f.module != "" && !has(module(f.module)),
		f.notModule != "" && has(module(f.notModule)),
		f.state != "" && !strings.EqualFold(t.State, f.state),
		f.notState != "" && strings.EqualFold(t.State, f.notState):
		return false
	}
	return true
}

// withTasks returns threads and after them the tasks of runtimes that no thread runs, such as goroutines, by
// their kinds and numbers.
func withTasks(s *commands.Session, threads []*core.Thread) []*core.Thread {
	tasks, _ := s.Tasks()
	slices.SortFunc(tasks, func(x, y *core.Thread) int {
		return cmp.Or(strings.Compare(x.Task.Kind, y.Task.Kind), cmp.Compare(x.Task.ID, y.Task.ID))
	})
	return append(slices.Clip(threads), tasks...)
}

// runStacks is ::stacks.
func runStacks(ctx context.Context, c *commands.Call) error {
	s := c.Session
	s.WarnCut()
	threads := s.Process.Threads
	if c.HasAddr {
		t, err := c.Thread()
		if err != nil {
			return err
		}
		threads = []*core.Thread{t}
	}
	if len(threads) == 0 {
		return commands.NoThreads(s.Process)
	}
	filter := newStackFilter(c)
	o := stack.Options{Lines: c.Flag('v'), Raw: c.Flag('R'), Hold: commands.Hold}
	form := commands.StackForm{Verbose: c.Flag('v'), Fold: true}
	switch name := c.Str('o'); name {
	case "":
	case "javacore":
		form.Javacore = true
	default:
		return fmt.Errorf("::stacks: -o %s: there is no such form; javacore is one", sym.Clean(name))
	}
	if c.Flag('a') {
		if !c.HasAddr {
			threads = withTasks(s, threads)
		}
		for rec := range s.Stacks.All(ctx, threads, o) {
			if !filter.wants(rec) {
				continue
			}
			commands.NoteStop(s, rec)
			if err := c.Emit(&commands.ThreadRecord{Stack: rec, Form: form}); err != nil {
				return err
			}
		}
		warnSuspects(c)
		return ctx.Err()
	}
	var groups stack.Groups
	for rec := range s.Stacks.All(ctx, threads, o) {
		commands.NoteStop(s, rec)
		if filter.wants(rec) {
			groups.Add(rec)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	defer warnSuspects(c)
	for _, g := range groups.Sorted() {
		if err := c.Emit(&stackGroup{g, form}); err != nil {
			return err
		}
	}
	return nil
}
