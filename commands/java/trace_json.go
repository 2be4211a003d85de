package java

import (
	"coredbg/commands/out"
	"coredbg/core"
)

// MarshalJSON gives the thread with its frames, as ::stack does, and what the
// runtime says of it.
func (r *traceThread) MarshalJSON() ([]byte, error) {
	stack, err := r.ThreadRecord.MarshalJSON()
	if err != nil || r.thread == nil {
		return stack, err
	}
	t := r.thread
	more := struct {
		ID       int       `json:"id"`
		Group    string    `json:"group,omitempty"`
		Priority string    `json:"priority"`
		Daemon   bool      `json:"daemon,omitempty"`
		Peer     core.Addr `json:"peer,omitzero"`
		Self     core.Addr `json:"self"`
		Handle   core.Addr `json:"handle,omitzero"`
	}{t.ID, r.group, r.priority, t.Daemon && t.Peer != 0, t.Peer, t.Addr, r.handle}
	b, err := out.Marshal(more)
	if err != nil {
		return nil, err
	}
	// One object of two: the stack's without its end, then the rest.
	return append(append(stack[:len(stack)-1], ','), b[1:]...), nil
}
