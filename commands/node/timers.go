package node

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/node/tasks"
	"coredbg/runtimes/v8/frame"
)

var timersCommand = commands.Command{
	Name: "timers", Module: module, Addr: commands.AddrNone,
	Summary: "list the timers and immediates of the program",
	Detail: `Lists the timers of setTimeout and setInterval in the order they are due, then
the callbacks of setImmediate, each with its callback and where that is defined. DUE counts from
the last turn of the loop on, in milliseconds, and is negative for a late timer; "?"
if the clock of the timers could not be found. A timer that is not referenced (unref)
does not keep the process alive. The timer whose callback runs is not in the list.

In Deno DUE is not known, as nothing keeps the time of the last turn. JSON has when a
timer is due as "deadline": in milliseconds since the runtime began, and until Deno 2.6 of
the system's monotonic clock. A timer's whole wait is known for intervals
alone until Deno 2.6; the address is then the callback's.`,
	EmptyText: "no timer is set",
	Example:   "::timers",
	SeeAlso:   []string{"uvloop", "ticks", "jsprint"},
	Run:       runTimers,
}

// timerRecord is a timer.
type timerRecord struct {
	_         out.Record  `record:"jstimer" cols:"At Kind due after ref Place"`
	At        core.Addr   `json:"addr" dot:"always" col:"ADDR,16"`
	Kind      string      `json:"timer" col:"KIND,9"` // "timeout", "interval", "immediate"
	Due       *float64    `json:"due,omitempty"`      // milliseconds from the loop's time on
	Deadline  *float64    `json:"deadline,omitempty"` // milliseconds; Deno's alone
	ID        uint64      `json:"id,omitempty"`       // what setTimeout returned; Deno's alone
	After     float64     `json:"after,omitempty"`
	Ref       bool        `json:"ref"`
	Callback  core.Addr   `json:"callback,omitzero"`
	Place     frame.Place `json:"at,omitzero" col:"CALLBACK,zero=-"`
	immediate bool
	noAfter   bool   // After is not known
	due       string `col:"DUE,12,right"`
	after     string `col:"AFTER,12,right"`
	ref       string `col:"REF,5"`
}

func runTimers(ctx context.Context, c *commands.Call) error {
	if d := denoOf(c); d != nil {
		return runDenoTimers(ctx, c, d)
	}
	n, err := nodeOf(c)
	if err != nil {
		return err
	}
	list, err := n.Tasks.Timers(ctx)
	if err != nil && list == nil {
		return err
	}
	for i := range list {
		r := newTimerRecord(&list[i])
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return err
}

func newTimerRecord(t *tasks.Timer) *timerRecord {
	r := &timerRecord{At: core.Addr(t.Word), Kind: "timeout", After: t.After, Ref: !t.Unref,
		Callback: core.Addr(t.Callback), Place: t.Place, immediate: t.Immediate}
	switch {
	case t.Immediate:
		r.Kind = "immediate"
	case t.Repeats:
		r.Kind = "interval"
	}
	if t.HasIn {
		r.Due = &t.In
	}
	return r
}

// Prepare implements out.Preparer.
func (r *timerRecord) Prepare() {
	r.due, r.after, r.ref = "?", fmt.Sprintf("%.0f", r.After), refWord(r.Ref)
	if r.Due != nil {
		r.due = fmt.Sprintf("%.0f", *r.Due)
	}
	if r.noAfter {
		r.after = "?"
	}
	if r.immediate {
		r.due, r.after = "-", "-"
	}
}

// refWord says whether something keeps the process alive.
func refWord(ref bool) string {
	if ref {
		return "ref"
	}
	return "unref"
}

var ticksCommand = commands.Command{
	Name: "ticks", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'n', Arg: "count", Help: "show at most this many microtasks (default 1000)"}},
	Summary: "list what process.nextTick and the microtask queue hold",
	Detail: `Lists the callbacks that run before the event loop goes on: first the callbacks of
process.nextTick, then microtasks: functions given to queueMicrotask, reactions of
promises that have settled, and async functions that will go on, with their position. Deno
has both as well.`,
	EmptyText: "no callback is queued",
	Example:   "::ticks",
	SeeAlso:   []string{"uvloop", "timers", "promises"},
	Run:       runTicks,
}

// tickRecord is an entry of a queue.
type tickRecord struct {
	_        out.Record  `record:"jstick" cols:"At Queue kind Place"`
	Queue    string      `json:"queue" col:"QUEUE,10"` // "nextTick", "microtask"
	At       core.Addr   `json:"addr" dot:"always" col:"ADDR,16"`
	Kind     string      `json:"kind,omitempty"`
	Callback core.Addr   `json:"callback,omitzero"`
	Place    frame.Place `json:"at,omitzero" col:"CALLBACK,zero=-"`
	Count    int         `json:"count,omitempty"` // of all that follow and are not shown
	kind     string      `col:"KIND,9"`
}

const shownMicrotasks = 1000

func runTicks(ctx context.Context, c *commands.Call) error {
	n, err := nodeOf(c)
	if err != nil {
		return err
	}
	most, err := c.Int('n', shownMicrotasks)
	if err != nil {
		return err
	}
	ticks, err1 := n.Tasks.Ticks(ctx)
	waiting, count, err2 := n.Tasks.Microtasks(ctx, most)
	if err1 != nil && err2 != nil {
		return err1
	}
	for _, e := range []error{err1, err2} {
		if e != nil {
			c.Warn("%v", e)
		}
	}
	emit := func(queue string, list []tasks.Tick) error {
		for _, t := range list {
			if err := c.Emit(&tickRecord{Queue: queue, At: core.Addr(t.Word), Kind: t.Kind,
				Callback: core.Addr(t.Callback), Place: t.Place, Count: 0}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := emit("nextTick", ticks); err != nil {
		return err
	}
	if err := emit("microtask", waiting); err != nil {
		return err
	}
	if more := count - len(waiting); more > 0 {
		c.Warn("%d more microtasks are not shown", more)
	}
	return nil
}

// Prepare implements out.Preparer.
func (r *tickRecord) Prepare() {
	if r.kind = r.Kind; r.kind == "" || r.kind == "nextTick" {
		r.kind = "callback"
	}
}
