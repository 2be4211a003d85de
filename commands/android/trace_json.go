package android

import (
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// A traceThreadJSON is a thread of a trace with its frames, and the runtime's description if it is attached.
type traceThreadJSON struct {
	_ out.Record `record:"thread"`
	*commands.ThreadJSON
	*attachedJSON
}

// attachedJSON is the runtime's description of a thread.
type attachedJSON struct {
	ID       int       `json:"id"`
	Group    string    `json:"group,omitempty"`
	Priority string    `json:"priority"`
	Daemon   bool      `json:"daemon,omitempty"`
	Peer     core.Addr `json:"peer,omitzero"`
	Self     core.Addr `json:"self"` // the art::Thread
	Handle   core.Addr `json:"handle,omitzero"`
}

// JSON implements out.Formed.
func (r *traceThread) JSON() any {
	j := &traceThreadJSON{ThreadJSON: commands.NewThreadJSON(r.Stack)}
	if t := r.thread; t != nil {
		j.attachedJSON = &attachedJSON{t.ID, r.group, r.priority, t.Daemon && t.Peer != 0, t.Peer, t.Addr, r.handle}
	}
	return j
}

// Addr returns the thread's id.
func (r *traceThread) Addr() (core.Addr, bool) { return core.Addr(r.Thread.TID), true }
