package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/node"
	"coredbg/runtimes/node/uv"
	"coredbg/stack"
	"coredbg/walk"
)

var errNoLoop = core.Unknown(errors.New("no event loop of libuv was found: the image has no symbol for one, and no object of Node leads to one"))

var uvloopCommand = commands.Command{
	Name: "uvloop", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "show also each number that decoding depends on"}},
	Summary: "show the event loops of libuv",
	Detail: `Shows each uv_loop_t: whether and why it is alive, its clock as of its
last turn, and how much waits in its queues. The phase is known by the functions on the
stack of the thread that runs it: timers, pending, idle, prepare, poll, check, closing; "between"
if only uv_run is there, "starting" before the first turn.

In Deno, which has no libuv, it counts the things that a turn of its event loop may wait for:
asynchronous ops, timers, immediates, and the resources that are open.`,
	Example: "::uvloop",
	SeeAlso: []string{"handles", "requests", "timers", "ticks"},
	Run:     runUvloop,
}

// loopRecord is an event loop.
type loopRecord struct {
	_              out.Record `record:"uvloop"`
	At             core.Addr  `json:"addr" dot:"always"`
	Default        bool       `json:"default"`
	TID            int        `json:"tid,omitempty"`
	Alive          bool       `json:"alive"`
	Stop           bool       `json:"stop"`
	Phase          string     `json:"phase,omitempty"`
	PhaseBy        string     `json:"phase_by,omitempty"` // the function on the stack
	Inside         string     `json:"inside,omitempty"`   // "microtasks", "nextTick"
	ActiveHandles  uint32     `json:"active_handles"`
	ActiveRequests uint32     `json:"active_requests"`
	Handles        int        `json:"handles"`
	Closing        int        `json:"closing"`
	Timers         uint32     `json:"timers"`
	Pending        int        `json:"pending"`
	WorkDone       int        `json:"work_done"`
	Watchers       int        `json:"changed_watchers"`
	FDs            uint32     `json:"fds"`
	BackendFD      int32      `json:"backend_fd"`
	Time           uint64     `json:"time"` // milliseconds
	Problem        string     `json:"problem,omitempty"`
	Layout         []fact     `json:"layout,omitempty"` // with -v
}

// A fact is a number that decoding depends on.
type fact struct {
	Name     string `json:"name"`
	Value    int    `json:"value"`
	Supplier string `json:"supplier"`
	Source   string `json:"source"`
}

// loopsOf returns the reader of Node's state with the event loops of the process.
func loopsOf(ctx context.Context, c *commands.Call) (*node.Reader, []uv.Loop, error) {
	n, err := nodeOf(c)
	if err != nil {
		return nil, nil, err
	}
	loops, err := n.UV.Loops(ctx)
	if err == nil && len(loops) == 0 {
		err = errNoLoop
	}
	return n, loops, err
}

func runUvloop(ctx context.Context, c *commands.Call) error {
	if d := denoOf(c); d != nil {
		return runDenoLoop(ctx, c, d)
	}
	n, loops, err := loopsOf(ctx, c)
	if err != nil {
		return err
	}
	for i := range loops {
		l := &loops[i]
		r := &loopRecord{At: core.Addr(l.Addr), Default: l.Default, Alive: l.Alive(), Stop: l.Stop,
			ActiveHandles: l.ActiveHandles, ActiveRequests: l.ActiveRequests, Handles: len(l.Handles),
			Closing: l.Closing,
			Timers:  l.Timers, Pending: l.Pending, WorkDone: l.WorkDone, Watchers: l.ChangedWatchers, FDs: l.FDs,
			BackendFD: l.BackendFD, Time: l.Time}
		if l.Err != nil {
			r.Problem = l.Err.Error()
		}
		if c.Flag('v') {
			for _, f := range n.UV.Libuv().Facts() {
				r.Layout = append(r.Layout, fact{f.Name, f.Value, string(f.Supplier), f.Source})
			}
		}
		if l.Thread != nil {
			p := phaseOf(ctx, c.Session, l.Thread)
			r.TID, r.Phase, r.PhaseBy, r.Inside = l.Thread.TID, p.Name, p.By, p.Inside
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// phaseOf reads the phase of the loop off a thread's stack.
func phaseOf(ctx context.Context, s *commands.Session, t *core.Thread) uv.LoopPhase {
	var names []string
	s.Stacks.Thread(ctx, t, stack.Options{
		Each: func(r *stack.Frame, _ *walk.Frame, _ *runtimes.SourceFrame) {
			if r.Kind == runtimes.Native {
				names = append(names, r.Name)
			}
		},
	})
	return uv.PhaseOf(names)
}

// Text writes the loop in lines.
func (r *loopRecord) Text(w *out.Writer) {
	kind := "a worker's or an addon's"
	switch {
	case r.Default:
		kind = "default"
	case r.TID != 0:
		kind = fmt.Sprintf("of thread %d", r.TID)
	}
	state := "alive"
	if !r.Alive {
		state = "nothing keeps it alive"
	}
	if r.Stop {
		state += ", stopping"
	}
	w.Printf("loop %x (%s): %s\n", uint64(r.At), kind, state)
	if r.Phase != "" {
		inside := ""
		if r.Inside != "" {
			inside = ", running " + r.Inside
		}
		w.Printf("    phase            %s (%s is on the stack%s)\n", r.Phase, r.PhaseBy, inside)
	} else if r.TID != 0 {
		w.Printf("    phase            unknown: no function of libuv is on the stack\n")
	}
	w.Printf("    active handles   %d of %d\n", r.ActiveHandles, r.Handles)
	w.Printf("    active requests  %d\n", r.ActiveRequests)
	w.Printf("    timers           %d\n", r.Timers)
	w.Printf("    queues           %d pending, %d work done, %d changed watchers, %d closing\n", r.Pending, r.WorkDone,
		r.Watchers, r.Closing)
	w.Printf("    descriptors      %d watched, backend %d\n", r.FDs, r.BackendFD)
	w.Printf("    time             %d ms\n", r.Time)
	if r.Problem != "" {
		w.Printf("    (%s)\n", r.Problem)
	}
	for _, f := range r.Layout {
		w.Printf("  %-44s %8d  %s: %s\n", f.Name, f.Value, f.Supplier, f.Source)
	}
}

var handlesCommand = commands.Command{
	Name: "handles", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'a', Help: "also show handles that are not active, and libuv's and Node's own"},
	},
	Summary: "list the handles of the event loops",
	Detail: `Lists the handles of libuv that are active: sockets, servers, pipes, watchers,
signals, with the descriptor, the object of JavaScript that stands for the handle and
the one that owns it. A handle that is not referenced does not keep the process alive.
Timers of a program share one handle of Node; ::timers lists them.

In Deno it lists all open resources, by the number (rid) that programs know
them by and as they name themselves, with the object of JavaScript that stands for
each and its addresses.`,
	EmptyText: "no loop has an active handle (::handles -a lists all)",
	Example:   "::handles",
	SeeAlso:   []string{"uvloop", "requests", "timers", "jsprint"},
	Run:       runHandles,
}

// handleRecord is a handle.
type handleRecord struct {
	_          out.Record `record:"uvhandle" cols:"At Kind state FD owner more"`
	At         core.Addr  `json:"addr" col:"HANDLE,16"`
	Loop       core.Addr  `json:"loop"`
	Kind       string     `json:"handle" col:"TYPE,9"`
	Active     bool       `json:"active"`
	Referenced bool       `json:"ref"`
	Closing    bool       `json:"closing,omitempty"`
	Internal   bool       `json:"internal,omitempty"`
	Listening  bool       `json:"listening,omitempty"`
	Reading    bool       `json:"reading,omitempty"`
	FD         *int32     `json:"fd,omitempty" col:"FD,5,zero=-"`
	Due        *int64     `json:"due,omitempty"` // milliseconds from the loop's time on
	Repeat     uint64     `json:"repeat,omitempty"`
	Signal     int32      `json:"signal,omitempty"`
	PID        int32      `json:"pid,omitempty"`
	Callback   string     `json:"callback,omitempty"`
	Wrap       core.Addr  `json:"wrap,omitzero"`
	WrapClass  string     `json:"wrap_class,omitempty"`
	Owner      core.Addr  `json:"owner,omitzero"`
	OwnerClass string     `json:"owner_class,omitempty"`
	state      string     `col:"STATE,8"`
	owner      string     `col:"OWNER,30"`
	more       string     `col:"DETAILS"`
}

func runHandles(ctx context.Context, c *commands.Call) error {
	if d := denoOf(c); d != nil {
		return runDenoResources(ctx, c, d)
	}
	n, loops, err := loopsOf(ctx, c)
	if err != nil {
		return err
	}
	infos, _ := n.Infos(ctx)
	for i := range loops {
		l := &loops[i]
		for k := range l.Handles {
			h := &l.Handles[k]
			// Node's own handles have no object of JavaScript; in other programs no handle has one.
			if !c.Flag('a') && (!h.Active || h.Internal || h.Wrap == 0 && len(infos) > 0) {
				continue
			}
			if err := c.Emit(newHandleRecord(n, l, h)); err != nil {
				return err
			}
		}
		if l.Err != nil {
			c.Warn("loop %v: %v", l.Addr, l.Err)
		}
	}
	return nil
}

func newHandleRecord(n *node.Reader, l *uv.Loop, h *uv.Handle) *handleRecord {
	r := &handleRecord{At: core.Addr(h.Addr), Loop: core.Addr(h.Loop), Kind: h.Type, Active: h.Active,
		Referenced: h.Referenced, Closing: h.Closing, Internal: h.Internal, Listening: h.Listening, Reading: h.Reading,
		Repeat: h.Repeat, Signal: h.Signal, PID: h.PID, Callback: n.UV.CallbackName(h.Callback),
		Wrap: core.Addr(h.Wrap), WrapClass: h.WrapClass, Owner: core.Addr(h.Owner), OwnerClass: h.OwnerClass}
	if h.FD >= 0 {
		r.FD = &h.FD
	}
	if h.Type == "timer" && h.Active {
		due := int64(h.Due - l.Time)
		r.Due = &due
	}
	return r
}

// Addr returns the object of JavaScript that owns the handle or stands for it,
// or else the handle.
func (r *handleRecord) Addr() (core.Addr, bool) {
	for _, a := range []core.Addr{r.Owner, r.Wrap} {
		if a != 0 {
			return core.Addr(a), true
		}
	}
	return core.Addr(r.At), true
}

// Prepare implements out.Preparer.
func (r *handleRecord) Prepare() {
	r.state, r.owner, r.more = "idle", "-", strings.Join(r.details(), ", ")
	switch {
	case r.Closing:
		r.state = "closing"
	case r.Active && r.Referenced:
		r.state = "active"
	case r.Active:
		r.state = "unref"
	}
	switch {
	case r.Owner != 0:
		r.owner = fmt.Sprintf("%x %s", uint64(r.Owner), r.OwnerClass)
	case r.Wrap != 0:
		r.owner = fmt.Sprintf("%x %s", uint64(r.Wrap), r.WrapClass)
	}
}

func (r *handleRecord) details() []string {
	var d []string
	if r.Listening {
		d = append(d, "listening")
	}
	if r.Reading {
		d = append(d, "reading")
	}
	if r.Due != nil {
		d = append(d, fmt.Sprintf("due in %d ms", *r.Due))
	}
	if r.Repeat != 0 {
		d = append(d, fmt.Sprintf("every %d ms", r.Repeat))
	}
	if r.Signal != 0 {
		d = append(d, fmt.Sprintf("signal %d", r.Signal))
	}
	if r.PID != 0 {
		d = append(d, fmt.Sprintf("pid %d", r.PID))
	}
	if r.Internal {
		d = append(d, "internal")
	}
	if r.Callback != "" && r.Wrap == 0 {
		d = append(d, r.Callback)
	}
	return d
}

var requestsCommand = commands.Command{
	Name: "requests", Module: module, Addr: commands.AddrNone,
	Summary: "list the requests of libuv that are under way",
	Detail: `Lists operations that a program waits for: file system calls, name lookups, connects,
writes, work on the thread pool. Each is shown with the object of JavaScript that
stands for it; requests of libuv and of addons without one are not found, so the
loop may count more.

In Deno it lists the asynchronous ops that are pending, with the promise that each
will settle and the place in the program that waits for it, by way of others where
Deno's own functions are between. An op that is unreferenced (unref) does not keep the
process alive; "?" where the set of these was not found.`,
	EmptyText: "no request is under way",
	Example:   "::requests",
	SeeAlso:   []string{"uvloop", "handles"},
	Run:       runRequests,
}

// requestRecord is a request.
type requestRecord struct {
	_         out.Record `record:"uvrequest"`
	At        core.Addr  `json:"addr" col:"REQUEST,16"`
	Kind      string     `json:"request" col:"TYPE,12"`
	Wrap      core.Addr  `json:"wrap" dot:"always" col:"WRAP,16"`
	WrapClass string     `json:"wrap_class" col:"CLASS"`
}

func runRequests(ctx context.Context, c *commands.Call) error {
	if d := denoOf(c); d != nil {
		return runDenoOps(ctx, c, d)
	}
	n, err := nodeOf(c)
	if err != nil {
		return err
	}
	list, err := n.UV.Requests(ctx)
	if err != nil {
		return err
	}
	for _, q := range list {
		if err := c.Emit(&requestRecord{At: core.Addr(q.Addr), Kind: q.Type, Wrap: core.Addr(q.Wrap),
			WrapClass: q.WrapClass}); err != nil {
			return err
		}
	}
	return nil
}
