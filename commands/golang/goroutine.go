package golang

import (
	"context"
	"fmt"
	"strconv"

	"coredbg/commands"
	"coredbg/runtimes/golang"
	"coredbg/stack"
)

var goroutineCommand = commands.Command{
	Name: "goroutine", Module: module, Silent: true, Addr: commands.AddrOptional, Args: "[goid]",
	Options: []commands.Option{{Letter: 'v', Help: "addresses, and the arguments of each frame"},
		{Letter: 'a', Help: "every frame of a recursion"},
		{Letter: 'e', Arg: "line", Help: "run the line with the goroutine; the current one stays"}},
	Summary: "make a goroutine the current one, and show its stack",
	Detail: `The address is a g, as ::goroutines shows it, or the goroutine's id; the argument is an id, in decimal.
Without either it is the current one, or the one that the current thread runs. ::stack, ::frame, ::locals, ::args
and ::print are about it then; ::thread chooses a thread again.

A goroutine that a thread runs, in Go, in a call of the system or of C, has the stack of that thread. Others
go on where they let another run: the innermost frame was found by the runtime's records (r), the others as on any
stack. Their pc, sp and frame pointer are known, and Go needs no other register: a function saves its registers
before it calls another.`,
	Example: "::goroutine 1",
	SeeAlso: []string{"goroutines", "frame", "locals", "stack", "thread"},
	Run:     runGoroutine,
}

func runGoroutine(ctx context.Context, c *commands.Call) error {
	list, err := goroutinesOf(c)
	if err != nil {
		return err
	}
	g, err := chosen(c, list)
	if err != nil {
		return err
	}
	form := commands.StackForm{Fold: !c.Flag('a'), Verbose: c.Flag('v')}
	t := g.Task()
	if t == nil {
		return c.Emit(withStack(newGazetteer(c.Session).newRecord(g, nil), form))
	}
	s := c.Session
	if c.Flag('e') {
		st := s.Stacks.Thread(ctx, t, stack.Options{Limit: 1})
		st.Frames = nil
		head := withStack(newGazetteer(s).newRecord(g, st), form)
		return s.Aside(func() error {
			s.Thread = t
			return s.RunPart(ctx, c.Str('e'), head, false, c)
		})
	}
	s.Thread = t
	o := optionsOf(form)
	st := s.Stacks.Thread(ctx, t, o)
	if form.Verbose && s.Frames != nil {
		s.Frames.Arguments(ctx, t, st, o)
	}
	commands.NoteStop(s, st)
	return c.Emit(withStack(newGazetteer(s).newRecord(g, st), form))
}

// optionsOf returns the options for a stack that is shown in a form. The frames of a deep one are walked
// again as they are written.
func optionsOf(form commands.StackForm) stack.Options {
	if form.Verbose {
		return stack.Options{Lines: true, Hold: commands.HoldDetailed}
	}
	return stack.Options{Hold: commands.Hold}
}

// chosen returns the goroutine that a call is about.
func chosen(c *commands.Call, list []*golang.Goroutine) (*golang.Goroutine, error) {
	find := func(is func(*golang.Goroutine) bool) *golang.Goroutine {
		for _, g := range list {
			if is(g) {
				return g
			}
		}
		return nil
	}
	byID := func(id uint64) *golang.Goroutine {
		return find(func(g *golang.Goroutine) bool { return g.ID == id && g.ID != 0 && !g.Dead() })
	}
	switch {
	case len(c.Args) > 1:
		return nil, c.Usage("it takes the id of a goroutine")
	case len(c.Args) == 1:
		n, err := c.Decimal(c.Args[0])
		if err != nil {
			return nil, err
		}
		if g := byID(uint64(n)); g != nil {
			return g, nil
		}
		return nil, fmt.Errorf("no goroutine has the id %d", n)
	case c.HasAddr:
		if g := find(func(g *golang.Goroutine) bool { return g.Addr == c.Dot }); g != nil {
			return g, nil
		}
		if g := byID(uint64(c.Dot)); g != nil {
			return g, nil
		}
		// As of threads, ids are typed as they are read: in decimal.
		if n, err := strconv.ParseUint(strconv.FormatUint(uint64(c.Dot), 16), 10, 64); err == nil {
			if g := byID(n); g != nil {
				return g, nil
			}
		}
		return nil, fmt.Errorf("%v is neither the address nor the id of a goroutine", c.Dot)
	}
	t := c.Session.Thread
	if t == nil {
		return nil, commands.NoThreads(c.Session.Process)
	}
	if g := find(func(g *golang.Goroutine) bool { return g.Task() == t }); g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("%v runs no goroutine", t)
}
