package fault

import (
	"fmt"

	"coredbg/core"
)

// SignalWords says in one line which signal it was: "SIGSEGV (segmentation
// fault), SEGV_MAPERR (address not mapped to object) at 0x10".
func SignalWords(g *core.Signal) string {
	if g == nil {
		return ""
	}
	s := g.Name
	if s == "" {
		s = fmt.Sprintf("signal %d", g.Number)
	}
	if g.Text != "" {
		s += " (" + g.Text + ")"
	}
	if g.CodeName != "" {
		s += ", " + g.CodeName
		if g.CodeText != "" {
			s += " (" + g.CodeText + ")"
		}
	} else if g.HasCode {
		s += fmt.Sprintf(", code %d", g.Code)
	}
	if g.HasAddr {
		s += " at " + g.Addr.String()
	}
	if g.HasSender && g.PID != 0 {
		s += fmt.Sprintf(", sent by pid %d uid %d", g.PID, g.UID)
	}
	return s
}

// Ending says in one line how the process ended, as far as the core shows.
func Ending(p *core.Process) string {
	switch words := SignalWords(p.Signal); {
	case p.Signal != nil && p.Snapshot:
		return "a snapshot of a process that was stopped by " + words
	case p.Signal != nil:
		return "process terminated by " + words
	case p.Snapshot:
		return "no signal recorded: a snapshot of a running process"
	}
	return "no signal recorded: whether the process ended, and how, is not known"
}
