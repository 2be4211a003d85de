package commands

import "coredbg/core"

// A SignalRecord is the JSON form of a core.Signal.
type SignalRecord struct {
	Number   int        `json:"number"`
	Name     string     `json:"name,omitempty"`
	Text     string     `json:"text,omitempty"`
	Code     *int       `json:"code,omitempty"`
	CodeName string     `json:"code_name,omitempty"`
	CodeText string     `json:"code_text,omitempty"`
	Errno    int        `json:"errno,omitempty"`
	Addr     *core.Addr `json:"addr,omitempty"`
	PID      *int       `json:"sender_pid,omitempty"`
	UID      *int       `json:"sender_uid,omitempty"`
}

// NewSignalRecord returns the record of g.
func NewSignalRecord(g *core.Signal) *SignalRecord {
	r := &SignalRecord{Number: g.Number, Name: g.Name, Text: g.Text,
		CodeName: g.CodeName, CodeText: g.CodeText, Errno: g.Errno}
	if g.HasCode {
		r.Code = &g.Code
	}
	if g.HasAddr {
		r.Addr = &g.Addr
	}
	if g.HasSender {
		r.PID, r.UID = &g.PID, &g.UID
	}
	return r
}
