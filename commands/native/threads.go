package native

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// A threadSummary is a line of ::threads.
type threadSummary struct {
	_       out.Record `record:"threadinfo"`
	TID     int        `json:"tid" dot:"always"`
	Number  int        `json:"number,omitempty"` // in the order of ::threads, from 1; absent for a goroutine
	small   string     `col:"#,4,right"`
	label   string     `col:"TID,10,right"`
	Name    string     `json:"name,omitempty" col:"NAME,15,wide=nameWidth"`
	Crashed bool       `json:"crashed,omitempty"`
	Current bool       `json:"current,omitempty"` // it is the one that commands are about
	State   string     `json:"state,omitempty" col:"STATE,10,wide=stateWidth"`
	PC      *core.Addr `json:"pc,omitempty"`
	SP      *core.Addr `json:"sp,omitempty"`
	TLS     core.Addr  `json:"tls,omitzero"`
	Where   string     `json:"where,omitempty" col:"PC"` // the symbol of pc

	nameWidth, stateWidth int // of the longest in the table
}

// threadNames are the names that a session has given to threads.
type threadNames map[*core.Thread]string

// nameThread gives a thread a name in this session; "" takes it away.
func nameThread(s *commands.Session, t *core.Thread, name string) {
	given := commands.Kept[threadNames](s)
	if given == nil {
		given = &threadNames{}
		commands.Keep(s, given)
	}
	if (*given)[t] = name; name == "" {
		delete(*given, t)
	}
}

// newThreadSummary returns the line of a thread with a number, 0 for an unnumbered thread.
func newThreadSummary(s *commands.Session, t *core.Thread, n int) *threadSummary {
	r := &threadSummary{TID: t.TID, Crashed: t.Crashed, Current: t == s.Thread, TLS: t.TLS}
	r.Name, r.State = s.Stacks.Describe(t)
	if given := commands.Kept[threadNames](s); given != nil {
		if name, ok := (*given)[t]; ok {
			r.Name = name
		}
	}
	r.label = r.mark()
	if r.Number = n; n > 0 {
		r.small = strconv.Itoa(n)
	}
	if t.Task != nil { // no thread of the system
		r.Name, r.label = t.String(), "*        -"
	}
	if s.Process.Arch == nil {
		return r
	}
	if v, ok := t.Regs.Get(s.Process.Arch.PC); ok {
		pc := s.Process.StripCode(core.Addr(v))
		r.PC, r.Where = &pc, symbolic(s, pc)
		if r.Where == "" {
			r.Where = pc.String()
		}
	}
	if v, ok := t.Regs.Get(s.Process.Arch.SP); ok {
		sp := core.Addr(v)
		r.SP = &sp
	}
	return r
}

// mark marks the current thread with "*", and the one that the signal hit with
// "!".
func (r *threadSummary) mark() string {
	mark := []byte("  ")
	if r.Current {
		mark[0] = '*'
	}
	if r.Crashed {
		mark[1] = '!'
	}
	return fmt.Sprintf("%s%8d", mark, r.TID)
}

func runThreads(ctx context.Context, c *commands.Call) error {
	if c.Flag('t') {
		return runThreadTimes(ctx, c)
	}
	wanted, err := pattern(c)
	if err != nil {
		return err
	}
	var all []*threadSummary
	name, state := 0, 0
	for i, t := range c.Session.Process.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := newThreadSummary(c.Session, t, i+1)
		if !wanted(r.Name, strconv.Itoa(r.TID), "LWP "+strconv.Itoa(r.TID), r.TLS.String()) {
			continue
		}
		name, state = max(name, out.Width(r.Name)), max(state, out.Width(r.State))
		all = append(all, r)
	}
	if len(all) == 0 && c.Flag('r') {
		return fmt.Errorf("no thread matches %q", c.Str('r'))
	}
	for _, r := range all {
		r.nameWidth, r.stateWidth = min(name, maxThreadCell), min(state, maxThreadCell)
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// maxThreadCell is the columns that the names and the states of threads have at most.
const maxThreadCell = 32

// numbered returns the thread of -n: the one with that id or, if there is no such thread, the one with that
// number in the order of ::threads, counted from 1.
func numbered(c *commands.Call) (*core.Thread, error) {
	if !c.Flag('n') {
		return nil, nil
	}
	n, err := c.Int('n', 0)
	if err != nil {
		return nil, err
	}
	return byNumber(c.Session.Process, n)
}

// byNumber returns the thread with an id or, if there is no such thread, with that number in ::threads.
func byNumber(p *core.Process, n int) (*core.Thread, error) {
	if t := p.Thread(n); t != nil {
		return t, nil
	}
	if n < 1 || n > len(p.Threads) {
		return nil, fmt.Errorf("no thread has the id %d, and there are %d threads", n, len(p.Threads))
	}
	return p.Threads[n-1], nil
}

// numberOf returns the number of a thread in ::threads, 0 for a goroutine.
func numberOf(s *commands.Session, t *core.Thread) int { return slices.Index(s.Process.Threads, t) + 1 }

// runThread is ::thread: it makes a thread the current one and shows it. With -p it shows threads, and leaves the
// current one as it is.
func runThread(ctx context.Context, c *commands.Call) error {
	if c.Flag('e') {
		return eachThread(ctx, c, c.Str('e'))
	}
	if len(c.Args) > 1 && !c.Flag('p') {
		return c.Usage("only one thread can be the current one: -p passes several on")
	}
	t, err := numbered(c)
	if t == nil && err == nil && (c.HasAddr || len(c.Args) == 0) {
		t, err = c.Thread()
	}
	switch {
	case err != nil:
		return err
	case t != nil && c.Flag('N'):
		nameThread(c.Session, t, c.Str('N'))
		return pickThread(c, t)
	case t != nil && c.Flag('n'):
		if err := pickThread(c, t); err != nil {
			return err
		}
		return innermost(ctx, c, t)
	case t != nil:
		return pickThread(c, t)
	}
	for _, a := range c.Args {
		n, err := c.Decimal(a)
		if err != nil {
			return err
		}
		if t, err = byNumber(c.Session.Process, n); err != nil {
			return err
		}
		if err := pickThread(c, t); err != nil {
			return err
		}
	}
	return nil
}

// pickThread shows a thread and, without -p, makes it the current one.
func pickThread(c *commands.Call, t *core.Thread) error {
	if !c.Flag('p') {
		c.Session.Thread = t
	}
	return c.Emit(newThreadSummary(c.Session, t, numberOf(c.Session, t)))
}
