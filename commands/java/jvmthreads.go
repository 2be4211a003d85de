package java

import (
	"context"
	"fmt"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// jvmThreadRecord is a line of ::javathreads for a virtual machine other than ART.
type jvmThreadRecord struct {
	_        out.Record `record:"jvmthread" cols:"label thread Priority Name State"`
	ID       int64      `json:"id,omitempty"` // Thread.threadId
	TID      int        `json:"tid"`
	Name     string     `json:"name" col:"NAME,28"`
	State    string     `json:"state,omitempty" col:"STATE"` // as thread dumps have it
	Does     string     `json:"does,omitempty"`              // what the virtual machine says that it does
	Code     string     `json:"code,omitempty"`              // what it runs: "in Java", "in native" …
	Daemon   bool       `json:"daemon,omitempty"`
	Internal bool       `json:"internal,omitempty"` // it runs no Java
	Virtual  bool       `json:"virtual,omitempty"`  // a virtual thread, with the tid of its carrier
	Carries  int64      `json:"carries,omitempty"`  // the number of the virtual thread that it runs
	Priority int        `json:"priority,omitempty" col:"PRI,3,zero=-"`
	Peer     core.Addr  `json:"peer,omitzero"` // the java.lang.Thread
	Record   core.Addr  `json:"addr"`          // the virtual machine's record
	Absent   bool       `json:"not_in_core,omitempty"`
	Problem  string     `json:"problem,omitempty"`
	label    string     `col:"ID,6,right"`
	thread   string     `col:"TID,8,right"`
	current  bool
	verbose  bool
}

func newJVMThread(t *runtimes.JavaThread) *jvmThreadRecord {
	return &jvmThreadRecord{ID: t.Number, TID: t.TID, Name: t.Name, State: t.State, Does: t.Does, Code: t.Code,
		Daemon: t.Daemon, Internal: t.Internal,
		Virtual: t.Virtual, Carries: t.Carries,
		Priority: t.Priority, Peer: t.Peer, Record: t.Addr, Absent: t.Native == nil, Problem: t.Problem}
}

// Prepare implements out.Preparer.
func (r *jvmThreadRecord) Prepare() {
	mark := marks(r.current, r.Absent, r.Daemon && !r.Virtual)
	r.thread = strconv.Itoa(r.TID)
	if r.Virtual && r.TID == 0 {
		r.thread = "virtual"
	}
	if r.Virtual {
		mark = mark[:1] + "v"
	}
	r.label = fmt.Sprintf("%s%4d", mark, r.ID)
	if r.Internal {
		r.label = fmt.Sprintf("%s  vm", mark)
		r.State = r.Does
	}
}

// Addr returns the kernel's id of the thread, or the java.lang.Thread of a virtual one.
func (r *jvmThreadRecord) Addr() (core.Addr, bool) {
	if r.Virtual {
		return r.Peer, true
	}
	return core.Addr(r.TID), true
}

// Details writes the problem of the thread, and with -v its record and state.
func (r *jvmThreadRecord) Details(w *out.Writer) {
	if r.Problem != "" {
		w.Printf("         %s\n", r.Problem)
	}
	if r.Carries != 0 {
		w.Printf("         carries virtual thread %d\n", r.Carries)
	}
	if !r.verbose {
		return
	}
	w.Printf("         record %v", r.Record)
	if r.Peer != 0 {
		w.Printf(", java.lang.Thread %v", r.Peer)
	}
	for _, s := range []string{r.Code, r.Does} {
		if s != "" {
			w.Printf(", %s", s)
		}
	}
	w.Printf("\n")
}

// runOtherThreads is runThreads for a runtime that is not ART.
func runOtherThreads(ctx context.Context, c *commands.Call, r runtimes.JavaThreader) error {
	all, err := r.JavaThreads()
	if err != nil {
		c.Warn("::javathreads: %w", err)
	}
	if c.Flag('g') {
		return groupThreads(ctx, c, all)
	}
	for i := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x := newJVMThread(&all[i])
		x.verbose, x.current = c.Flag('v'), all[i].Native != nil && all[i].Native == c.Session.Thread
		if err := c.Emit(x); err != nil {
			return err
		}
	}
	return nil
}

// walkOtherThreads is walkThreads for a runtime that is not ART.
func walkOtherThreads(r runtimes.JavaThreader, yield func(core.Addr) bool) error {
	all, err := r.JavaThreads()
	for _, t := range all {
		at := core.Addr(t.TID)
		if t.Virtual {
			at = t.Peer
		}
		if t.Native != nil && !t.Internal && !yield(at) {
			return nil
		}
	}
	return err
}
