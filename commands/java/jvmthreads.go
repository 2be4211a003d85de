package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// jvmThreadRecord is a line of ::javathreads for a virtual machine other than ART.
type jvmThreadRecord struct {
	_        out.Record `record:"jvmthread" cols:"label TID Priority Name State"`
	ID       int64      `json:"id,omitempty"` // Thread.threadId
	TID      int        `json:"tid" col:"TID,8,right" dot:"always"`
	Name     string     `json:"name" col:"NAME,28"`
	State    string     `json:"state,omitempty" col:"STATE"` // as thread dumps have it
	Does     string     `json:"does,omitempty"`              // what the virtual machine says that it does
	Code     string     `json:"code,omitempty"`              // what it runs: "in Java", "in native" …
	Daemon   bool       `json:"daemon,omitempty"`
	Internal bool       `json:"internal,omitempty"` // it runs no Java
	Priority int        `json:"priority,omitempty" col:"PRI,3,zero=-"`
	Peer     core.Addr  `json:"peer,omitzero"` // the java.lang.Thread
	Addr     core.Addr  `json:"addr"`          // the virtual machine's record
	Absent   bool       `json:"not_in_core,omitempty"`
	Problem  string     `json:"problem,omitempty"`
	label    string     `col:"ID,6,right"`
	current  bool
	verbose  bool
}

func newJVMThread(t *runtimes.JavaThread) *jvmThreadRecord {
	return &jvmThreadRecord{ID: t.Number, TID: t.TID, Name: t.Name, State: t.State, Does: t.Does, Code: t.Code, Daemon: t.Daemon, Internal: t.Internal,
		Priority: t.Priority, Peer: t.Peer, Addr: t.Addr, Absent: t.Native == nil, Problem: t.Problem}
}

// Prepare implements out.Preparer.
func (r *jvmThreadRecord) Prepare() {
	mark := marks(r.current, r.Absent, r.Daemon)
	r.label = fmt.Sprintf("%s%4d", mark, r.ID)
	if r.Internal {
		r.label = fmt.Sprintf("%s  vm", mark)
		r.State = r.Does
	}
}

// Details writes the problem of the thread, and with -v its record and state.
func (r *jvmThreadRecord) Details(w *out.Writer) {
	if r.Problem != "" {
		w.Printf("         %s\n", r.Problem)
	}
	if !r.verbose {
		return
	}
	w.Printf("         record %v", r.Addr)
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
	for i := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x := newJVMThread(&all[i])
		x.verbose, x.current = c.Has('v'), all[i].Native != nil && all[i].Native == c.Session.Thread
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
		if t.Native != nil && !t.Internal && !yield(core.Addr(t.TID)) {
			return nil
		}
	}
	return err
}
