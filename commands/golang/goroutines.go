package golang

import (
	"context"
	"iter"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/golang"
	"coredbg/stack"
)

var goroutinesCommand = commands.Command{
	Name: "goroutines", Module: module, Addr: commands.AddrNone,
	Views: []commands.View{{Language: runtimes.LanguageGo, Subject: commands.Threads, Line: "::goroutines -g"},
		{Language: runtimes.LanguageGo, Subject: commands.Stacks, Line: "::goroutines -g"}},
	Options: []commands.Option{
		{Letter: 'a', Help: "the runtime's and dead ones as well"},
		{Letter: 'g', Help: "once for each stack, with how many have it, the most first"},
		{Letter: 'v', Help: "with their stacks"},
		{Letter: 's', Arg: "state", Help: `only goroutines in this state, or that wait for this reason, such as "chan receive"`},
		{Letter: 'c', Arg: "function", Help: "only goroutines with this function on their stack"},
	},
	Summary: "list the goroutines",
	Detail: `Lists the goroutines that the runtime knows, also the ones without a thread, which a server of Go
hangs in, or leaks. STATE and REASON are the runtime's own words; a "+" after the state says that the garbage collector was looking at
the stack. FOR is for how long it waits at least: the runtime notes when a goroutine began to wait at the next
collection of garbage, and the core does not say when it was written, so that both are known to no more than what the
runtime has noted last. THREAD runs it, WHERE is its innermost frame outside package runtime and outside packages that
goroutines wait in, such as sync, net and io. "*" marks the current one.

The address of each is its g. It stands for the goroutine wherever a thread's id stands for a thread:
ADDR::stack, ADDR::locals, ADDR::frame 3, and in pipelines, such as ::goroutines | ::locals -A. A goroutine that a
thread runs is that thread there.

The list is found by symbols, and in a stripped program by how it looks; how the structs of the runtime look says
the program itself, in its type descriptors.`,
	Example:   "::goroutines -g",
	SeeAlso:   []string{"goroutine", "stacks", "threads"},
	EmptyText: "no goroutine is wanted",
	Run:       runGoroutines,
}

func runGoroutines(ctx context.Context, c *commands.Call) error {
	c.Session.WarnCut()
	list, err := goroutinesOf(c)
	if err != nil {
		return err
	}
	z := newGazetteer(c.Session)
	f := filter{gazetteer: z, all: c.Flag('a'), state: c.Str('s'), function: c.Str('c')}
	if err := f.stateless(c, list); err != nil {
		return err
	}
	form := commands.StackForm{Fold: true}
	options := stack.Options{Best: worth}
	if c.Flag('g') || c.Flag('v') || f.function != "" {
		options = stack.Options{Hold: commands.Hold}
	}
	switch all := listed(ctx, c, list, f, options); {
	case c.Flag('g'):
		groups := &groups{at: map[core.Addr]*golang.Goroutine{}}
		for g, st := range all {
			groups.add(g, st)
		}
		if ctx.Err() == nil {
			err = groups.emit(c, z, form)
		}
	case c.Flag('v'):
		for g, st := range all {
			if err := c.Emit(withStack(z.newRecord(g, st), form)); err != nil {
				return err
			}
		}
	default:
		width := 0
		for _, g := range list {
			if f.early(g) {
				width = max(width, out.Width(g.Reason))
			}
		}
		for g, st := range all {
			r := z.newRecord(g, st)
			r.reasonWidth = width
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}

// groups are goroutines by their stacks.
type groups struct {
	stacks stack.Groups
	at     map[core.Addr]*golang.Goroutine // by their gs
}

// add adds a goroutine to the group with its stack.
func (x *groups) add(g *golang.Goroutine, st *stack.Stack) {
	own := *st
	own.Thread = &core.Thread{Crashed: g.Thread != nil && g.Thread.Crashed,
		Task: &core.Task{Kind: "goroutine", ID: g.ID, Addr: g.Addr}}
	own.State = g.State()
	x.at[g.Addr] = g
	x.stacks.Add(&own)
}

func (x *groups) emit(c *commands.Call, z *gazetteer, form commands.StackForm) error {
	for _, group := range x.stacks.Sorted() {
		r := z.newRecord(x.at[group.First.Thread.Task.Addr], group.First)
		withStack(r, form)
		ids := make([]uint64, len(group.TIDs))
		for i, id := range group.TIDs {
			ids[i] = uint64(id)
		}
		if err := c.Emit(&goroutineGroup{groupJSON{Count: len(ids), IDs: ids, Mixed: group.Mixed,
			goroutineRecord: r}}); err != nil {
			return err
		}
	}
	return nil
}

// A goroutineGroup is the goroutines that have the same stack.
type goroutineGroup struct{ of groupJSON }

// A groupJSON is the goroutines that have the same stack, with the first of them.
type groupJSON struct {
	_     out.Record `record:"goroutines"`
	Count int        `json:"count"`
	IDs   []uint64   `json:"ids"`
	Mixed bool       `json:"mixed,omitempty"` // they are in different states
	*goroutineRecord
}

// Addr returns the address of the g of the first.
func (x *goroutineGroup) Addr() (core.Addr, bool) { return x.of.At, true }

// JSON implements out.Formed.
func (x *goroutineGroup) JSON() any {
	g := x.of
	g.goroutineRecord = g.withFrames()
	return &g
}

// Long implements out.Long for a stack that is deep.
func (x *goroutineGroup) Long() (head any, key string, list iter.Seq[any]) {
	if !x.of.deep() {
		return nil, "", nil
	}
	g := x.of
	g.goroutineRecord = g.withoutFrames()
	return &g, "frames", commands.LongFrames(g.stack)
}

// Text writes the group's line and its stack.
func (x *goroutineGroup) Text(w *out.Writer) {
	w.CutNames(true)
	r := &x.of
	if r.Count == 1 {
		(&stackRecord{r.goroutineRecord}).Text(w)
		return
	}
	state := r.g.State()
	if r.Mixed {
		state = "in different states"
	}
	w.Paint(out.Keyword, "%s [%s]", out.Count(r.Count, "goroutine"), state)
	w.Printf("\n")
	r.writeStack(w)
	commands.WriteGroupIDs(w, "goroutines", r.IDs)
}
