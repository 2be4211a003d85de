package native

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/stack"
)

// Walkers returns the walkers of this package.
func Walkers() []commands.Walker {
	all := []commands.Walker{
		{Name: "thread", Summary: "ids of the threads", Walk: walkThreads},
		{Name: "frame", Addr: commands.AddrOptional,
			Summary: "frame pointers of a thread's stack, the current one's without a thread id", Walk: walkFrames},
		{Name: "mapping", Summary: "start addresses of the mappings", Walk: walkMappings},
		{Name: "object", Summary: "base addresses of the executable and the libraries", Walk: walkObjects},
		{Name: "symbol", Addr: commands.AddrOptional,
			Summary: "values of all symbols, or of the symbols of the object at an address", Walk: walkSymbols},
	}
	for i := range all {
		all[i].Module = module
	}
	return all
}

func walkThreads(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	if len(c.Session.Process.Threads) == 0 {
		return commands.NoThreads(c.Session.Process)
	}
	for _, t := range c.Session.Process.Threads {
		if !yield(core.Addr(t.TID)) {
			return nil
		}
	}
	return nil
}

func walkFrames(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	t, err := c.Thread()
	if err != nil {
		return err
	}
	rec := c.Session.Stacks.Thread(ctx, t, stack.Options{})
	for i := range rec.Frames {
		if a, ok := (*commands.FrameRecord)(&rec.Frames[i]).Addr(); ok && !rec.Frames[i].Inlined && !yield(a) {
			return nil
		}
	}
	return ctx.Err()
}

func walkMappings(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	for _, m := range c.Session.Process.Mappings {
		if !yield(m.Start) {
			return nil
		}
	}
	return nil
}

func walkObjects(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	for _, m := range c.Session.Process.Modules {
		if !yield(m.Start) {
			return nil
		}
	}
	return nil
}

func walkSymbols(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	mods := c.Session.Process.Modules
	if c.HasAddr {
		m := c.Session.Process.Module(c.Dot)
		if m == nil {
			return fmt.Errorf("%v is not in any object", c.Dot)
		}
		mods = []*core.Module{m}
	}
	for _, m := range mods {
		more := true
		err := c.Session.Symbols.Module(m, func(y sym.Symbol) bool {
			more = yield(y.Addr) && ctx.Err() == nil
			return more
		})
		if err != nil {
			c.Warn("symbols of %s: %w", m.Path, core.Unknown(err))
		}
		if !more {
			return ctx.Err()
		}
	}
	return nil
}

var findstackCommands = []commands.Command{
	{
		Name: "findstack", Addr: commands.AddrOptional, Args: "[function]",
		Options: []commands.Option{{Letter: 'v', Help: "frame pointers and places, as $C shows them"}},
		Summary: "show where a thread's stack is, and the stack",
		Detail: `The address is a thread id, or any address on a stack: then the thread whose
stack it is on is shown. With a function, nothing is shown unless the stack
has a frame of it, so that "::walk thread | ::findstack poll" lists the threads
in poll.`,
		Example: "::walk thread | ::findstack -v",
		SeeAlso: []string{"stack", "stacks"},
		Run:     runFindstack,
	},
}

// A findstackRecord is a thread's stack with its place.
type findstackRecord struct {
	*commands.ThreadRecord
	sp      core.Addr
	mapping core.Mapping
	mapped  bool
}

// Text writes the place and the stack.
func (r *findstackRecord) Text(w *out.Writer) {
	w.Printf("stack pointer for %v: %x", r.Thread, uint64(r.sp))
	if r.mapped {
		w.Printf(" in [%x, %x)", uint64(r.mapping.Start), uint64(r.mapping.End))
	}
	w.Printf("\n")
	r.ThreadRecord.Text(w)
}

func runFindstack(ctx context.Context, c *commands.Call) error {
	s := c.Session
	t := s.Thread
	if c.HasAddr {
		if t = commands.ThreadAt(s.Process, c.Dot); t == nil {
			t = stackOf(s, c.Dot)
		}
		if t == nil {
			return fmt.Errorf("%v is neither a thread id nor on a stack", c.Dot)
		}
	}
	if t == nil {
		return commands.NoThreads(s.Process)
	}
	form := commands.StackForm{Classic: true, Bare: true, Pointer: c.Flag('v')}
	rec := &commands.ThreadRecord{Stack: s.Stacks.Thread(ctx, t, stack.Options{}), Form: form}
	if len(c.Args) > 0 && !(stackFilter{function: c.Args[0].Text}).wants(rec.Stack) {
		if c.Piped {
			return nil
		}
		return c.Empty("the stack of %v has no frame of %s", t, c.Args[0].Text)
	}
	r := &findstackRecord{ThreadRecord: rec}
	if s.Process.Arch != nil {
		sp, _ := t.Regs.Get(s.Process.Arch.SP)
		r.sp = core.Addr(sp)
		r.mapping, r.mapped = s.Process.Mapping(r.sp)
	}
	return emitStack(c, rec.Stack, r)
}
