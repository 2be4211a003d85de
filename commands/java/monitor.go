package java

import (
	"cmp"
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/sync"
	"coredbg/runtimes/java"
	"coredbg/stack"
	"coredbg/walk"
)

var monitorCommands = []commands.Command{{
	Name: "javamonitors", Module: module, Addr: commands.AddrOptional,
	Views:   []commands.View{{Language: runtimes.LanguageJava, Subject: commands.Locks}},
	Summary: "show the locks of Java that threads hold or wait for",
	Detail: `Lists each object whose monitor has an owner or waiters. On ART thin locks are found by
the object's lock word, fat ones by their art::Monitor; on HotSpot locks are found by the
frames that hold them and by their ObjectMonitor. With an address it shows the lock of
the object there. Threads have the ids of ::javathreads.`,
	Example: "::javamonitors",
	SeeAlso: []string{"deadlock", "javathreads", "javastack"},
	Run:     runMonitors,
}}

// monitorRecord is a lock.
type monitorRecord struct {
	_        out.Record  `record:"javamonitor"`
	Addr     core.Addr   `json:"addr" dot:"always"` // the object
	Class    string      `json:"class"`             // "java.lang.Class<C>" of a class
	State    string      `json:"state"`
	Monitor  core.Addr   `json:"monitor,omitzero"` // the art::Monitor
	Owner    *threadRef  `json:"owner,omitempty"`
	Count    int         `json:"count,omitempty"`    // how often the owner has locked it
	Entering []threadRef `json:"entering,omitempty"` // threads that wait to lock it
	Waiting  []threadRef `json:"waiting,omitempty"`  // threads that wait for a notification
	Hash     uint32      `json:"hash,omitempty"`
	Frames   []lockFrame `json:"locked_in,omitempty"`
	Problem  string      `json:"problem,omitempty"`
	since    string      // where the owner has locked it
	monitor  string      // what Monitor is; "" for an art::Monitor
}

func newMonitor(m *sync.Monitor, class string, frames []lockFrame) *monitorRecord {
	r := &monitorRecord{Addr: m.Object.Addr, Class: class, State: m.State.String(), Monitor: m.Addr, Count: m.Count,
		Entering: refsTo(m.Entering), Waiting: refsTo(m.Waiting), Hash: m.Hash, Frames: frames, Problem: m.Problem}
	switch {
	case m.Owner != nil:
		r.Owner = refTo(m.Owner)
		if m.Method != "" {
			r.since = fmt.Sprintf(", since %s line %d", m.Method, m.Line)
		}
	case m.OwnerID != 0:
		r.Owner = &threadRef{ID: m.OwnerID, unknown: true}
	}
	return r
}

// A lockFrame is a frame that has locked an object: of its owner, or of a thread
// that gave the lock back to wait.
type lockFrame struct {
	TID    int    `json:"tid"`
	Name   string `json:"name"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	native bool
	thread *threadRef
}

// place is the frame as ART's traces print it.
func (f *lockFrame) place() string {
	e := java.TraceElement{Method: f.Name, File: f.File, Line: f.Line, Native: f.native}
	return e.String()
}

func runMonitors(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		if r, ok := commands.RuntimeOf[runtimes.JavaLocker](c.Session); ok {
			return runOtherMonitors(ctx, c, r)
		}
		return commands.LacksJava(c.Session, errNoJava)
	}
	var list []*sync.Monitor
	if c.HasAddr {
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
		if err := c.Emit(newMonitor(m, a.TypeOf(m.Object), frames[m.Object.Addr])); err != nil {
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
						frames[h.Object] = append(frames[h.Object], lockFrame{t.TID, src.Name, src.File, src.Line,
							q.Method.Native(), refTo(t)})
					}
				}
			}
			c.Session.Stacks.Thread(ctx, t.Native, stack.Options{ManagedOnly: true, Each: each})
		}
	}
	return frames
}

// Text writes the object and the threads that have to do with it.
func (r *monitorRecord) Text(w *out.Writer) {
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": %s, %s", r.Class, r.State)
	if r.Monitor != 0 {
		w.Printf(" (%s %v)", cmp.Or(r.monitor, "art::Monitor"), r.Monitor)
	}
	if r.Hash != 0 {
		w.Printf(", hash %#08x", r.Hash)
	}
	w.Printf("\n")
	if r.Owner != nil {
		w.Printf("    held by %v", r.Owner)
		if r.Count > 1 && !r.Owner.unknown {
			w.Printf(", %d times", r.Count)
		}
		w.Printf("%s\n", r.since)
	}
	for _, f := range r.Frames {
		w.Printf("    locked in %s of %v\n", f.place(), f.thread)
	}
	if len(r.Entering) > 0 {
		w.Printf("    waiting to lock: %s\n", join(r.Entering))
	}
	if len(r.Waiting) > 0 {
		w.Printf("    waiting on it: %s\n", join(r.Waiting))
	}
	if r.Problem != "" {
		w.Paint(out.Error, "    %s", r.Problem)
		w.Printf("\n")
	}
}
