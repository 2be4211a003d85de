package java

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/art/sync"
	"coredbg/stack"
	"coredbg/walk"
)

var monitorCommands = []commands.Command{{
	Name: "javamonitors", Module: module, Addr: commands.AddrOptional,
	Summary: "show the locks of Java that threads hold or wait for",
	Detail: `Lists each object whose monitor has an owner or waiters: thin locks are found by the
object's lock word, fat ones by their art::Monitor. With an address it shows the lock of
the object there. COUNT is how often the owner has locked it; owner and waiters are
named with the runtime's thread ids, as ART's traces have them.`,
	Example: "::javamonitors",
	SeeAlso: []string{"deadlock", "javathreads", "javastack"},
	Run:     runMonitors,
}, {
	Name: "deadlock", Module: module, Addr: commands.AddrNone,
	Summary: "show circles of threads that wait for each other's locks",
	Detail: `Follows from each thread that is blocked to the owner of what it waits for: monitors,
and locks of java.util.concurrent through Thread.parkBlocker.`,
	Nothing: "no circle of threads that wait for each other",
	Example: "::deadlock",
	SeeAlso: []string{"javamonitors", "javastack"},
	Run:     runDeadlock,
}, {
	Name: "javaexception", Module: module, Addr: commands.AddrOptional,
	Summary: "show a Throwable with its stack trace, or those that threads are to throw",
	Detail: `Shows the Throwable at the address as printStackTrace would, causes and suppressed
ones included. Without an address it shows the pending exception of each thread.`,
	Nothing: "no thread has a pending exception",
	Example: "::javasearch -i java.lang.Throwable | ::javaexception",
	SeeAlso: []string{"javaprint", "javastack"},
	Run:     runException,
}}

// monitorRecord is a lock.
type monitorRecord struct {
	m      *sync.Monitor
	name   string      // of the object's class; "java.lang.Class<C>" of a class
	frames []lockFrame // that locked it
}

// A lockFrame is a frame that has locked an object: of its owner, or of a thread
// that gave the lock back to wait.
type lockFrame struct {
	TID    int    `json:"tid"`
	Name   string `json:"name"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	native bool
	thread *frame.Thread
}

// place is the frame as ART's traces print it.
func (f *lockFrame) place() string {
	e := object.TraceElement{Method: f.Name, File: f.File, Line: f.Line, Native: f.native}
	return e.String()
}

func runMonitors(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	var list []*sync.Monitor
	if c.Given {
		m, err := a.Monitor(c.Dot)
		if err != nil {
			return err
		}
		list = append(list, m)
	} else {
		list, err = a.Monitors(ctx)
	}
	frames := lockFrames(ctx, c, a, list)
	for _, m := range list {
		if err := c.Emit(&monitorRecord{m, a.TypeOf(m.Object), frames[m.Object.Addr]}); err != nil {
			return err
		}
	}
	return err
}

// lockFrames walks the stacks of the threads that have to do with locks and
// returns the frames that locked each object.
func lockFrames(ctx context.Context, c *commands.Call, a *art.ART, list []*sync.Monitor) map[core.Addr][]lockFrame {
	frames := map[core.Addr][]lockFrame{}
	seen := map[*frame.Thread]bool{}
	for _, m := range list {
		for _, t := range append([]*frame.Thread{m.Owner}, m.Waiting...) {
			if t == nil || t.Native == nil || seen[t] {
				continue
			}
			seen[t] = true
			last, index := (*frame.Activation)(nil), 0
			each := func(_ *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
				q, ok := f.Record.(*frame.Activation)
				if !ok || src == nil || src.Kind != runtimes.Java {
					return
				}
				if index++; q != last {
					last, index = q, 0
				}
				for _, h := range a.Locks(q, index, &f.Regs) {
					if h.Object != 0 {
						frames[h.Object] = append(frames[h.Object], lockFrame{t.TID, src.Name, src.File, src.Line, q.Method.Native(), t})
					}
				}
			}
			c.Session.Stacks.Thread(ctx, t.Native, stack.Options{ManagedOnly: true, Each: each})
		}
	}
	return frames
}

// Addr returns the object.
func (r *monitorRecord) Addr() (core.Addr, bool) { return r.m.Object.Addr, true }

// named is a thread as ART's traces name it.
func named(t *frame.Thread) string { return fmt.Sprintf("%q tid=%d", t.Name, t.ID) }

func namedAll(list []*frame.Thread) string {
	var names []string
	for _, t := range list {
		names = append(names, named(t))
	}
	return strings.Join(names, ", ")
}

// Text writes the object and the threads that have to do with it.
func (r *monitorRecord) Text(w *out.Writer) {
	m := r.m
	w.Paint(out.Addr, "%v", m.Object.Addr)
	w.Printf(": %s, %s", r.name, m.State)
	if m.Addr != 0 {
		w.Printf(" (art::Monitor %v)", m.Addr)
	}
	if m.Hash != 0 {
		w.Printf(", hash %#08x", m.Hash)
	}
	w.Printf("\n")
	switch {
	case m.Owner != nil:
		w.Printf("    held by %s", named(m.Owner))
		if m.Count > 1 {
			w.Printf(", %d times", m.Count)
		}
		if m.Method != "" {
			w.Printf(", since %s line %d", m.Method, m.Line)
		}
		w.Printf("\n")
	case m.OwnerID != 0:
		w.Printf("    held by tid=%d\n", m.OwnerID)
	}
	for _, f := range r.frames {
		w.Printf("    locked in %s of %s\n", f.place(), named(f.thread))
	}
	if len(m.Entering) > 0 {
		w.Printf("    waiting to lock: %s\n", namedAll(m.Entering))
	}
	if len(m.Waiting) > 0 {
		w.Printf("    waiting on it: %s\n", namedAll(m.Waiting))
	}
	if m.Problem != "" {
		w.Paint(out.Error, "    %s", m.Problem)
		w.Printf("\n")
	}
}

// threadJSON is a thread in JSON.
type threadJSON struct {
	ID   int    `json:"id"`
	TID  int    `json:"tid,omitempty"`
	Name string `json:"name,omitempty"`
}

func threadsJSON(list ...*frame.Thread) []threadJSON {
	var all []threadJSON
	for _, t := range list {
		all = append(all, threadJSON{t.ID, t.TID, t.Name})
	}
	return all
}

// MarshalJSON gives {"type":"javamonitor",…}.
func (r *monitorRecord) MarshalJSON() ([]byte, error) {
	m := r.m
	j := struct {
		_        out.Record   `record:"javamonitor"`
		Addr     core.Addr    `json:"addr"`
		Class    string       `json:"class"`
		State    string       `json:"state"`
		Monitor  core.Addr    `json:"monitor,omitzero"`
		Owner    *threadJSON  `json:"owner,omitempty"`
		Count    int          `json:"count,omitempty"`
		Entering []threadJSON `json:"entering,omitempty"`
		Waiting  []threadJSON `json:"waiting,omitempty"`
		Hash     uint32       `json:"hash,omitempty"`
		Frames   []lockFrame  `json:"locked_in,omitempty"`
		Problem  string       `json:"problem,omitempty"`
	}{out.Record{}, core.Addr(m.Object.Addr), r.name, m.State.String(), core.Addr(m.Addr), nil, m.Count,
		threadsJSON(m.Entering...), threadsJSON(m.Waiting...), m.Hash, r.frames, m.Problem}
	switch {
	case m.Owner != nil:
		j.Owner = &threadsJSON(m.Owner)[0]
	case m.OwnerID != 0:
		j.Owner = &threadJSON{ID: m.OwnerID}
	}
	return out.Marshal(j)
}

// deadlockRecord is a circle of threads.
type deadlockRecord struct {
	circle []sync.Wait
	types  []string // of the objects
}

func runDeadlock(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	circles, err := a.Deadlocks()
	for _, circle := range circles {
		r := &deadlockRecord{circle: circle}
		for _, x := range circle {
			r.types = append(r.types, a.TypeOf(x.Object))
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if err != nil {
		return c.Unknown("whether all circles were found is not known: %w", err)
	}
	return nil
}

// Addr returns the object that the first thread waits for.
func (r *deadlockRecord) Addr() (core.Addr, bool) { return r.circle[0].Object.Addr, true }

// Text spells the circle out.
func (r *deadlockRecord) Text(w *out.Writer) {
	w.Printf("deadlock of %d threads:\n", len(r.circle))
	for i, x := range r.circle {
		what := "waits to lock"
		if x.Kind == "park" {
			what = "is parked for"
		}
		w.Printf("    %s %s ", named(x.Thread), what)
		w.Paint(out.Addr, "%v", x.Object.Addr)
		w.Printf(" (a %s) held by %s\n", r.types[i], named(x.Owner))
	}
}

// MarshalJSON gives {"type":"deadlock",…}.
func (r *deadlockRecord) MarshalJSON() ([]byte, error) {
	type edge struct {
		Thread threadJSON `json:"thread"`
		Kind   string     `json:"kind"`
		Addr   core.Addr  `json:"addr"`
		Class  string     `json:"class"`
		Owner  threadJSON `json:"owner"`
	}
	var edges []edge
	for i, x := range r.circle {
		edges = append(edges, edge{threadsJSON(x.Thread)[0], x.Kind, core.Addr(x.Object.Addr), r.types[i], threadsJSON(x.Owner)[0]})
	}
	return out.Marshal(struct {
		_     out.Record `record:"deadlock"`
		Waits []edge     `json:"waits"`
	}{out.Record{}, edges})
}
