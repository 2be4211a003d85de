package triage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"coredbg/core"
)

// identityOf returns a digest of the state that the process died in: its signal, and its threads
// with their registers. Copies of a core have the same digest, even if they are compressed, packed
// into a bundle or cut short. It is "" if the core has no registers.
func identityOf(p *core.Process) string {
	h := sha256.New()
	known := false
	fmt.Fprintln(h, p.Machine, p.OS, p.PID)
	if g := p.Signal; g != nil {
		fmt.Fprintln(h, g.Number, g.Code, g.HasAddr, uint64(g.Addr))
	}
	for _, t := range p.Threads {
		fmt.Fprintln(h, t.TID, t.Regs.Known, t.Regs.Val)
		known = known || t.Regs.Known != 0
	}
	if !known {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// byPath is how the ID of a core begins if only its path is known.
const byPath = "path "

// ID is equal for copies of one core: by the state of the process, else by the bytes of the file. A core that
// has neither is known by its path.
func (l *Line) ID() string {
	switch {
	case l.Process != "":
		return "process " + l.Process
	case l.SHA256 != "":
		return "file " + l.SHA256
	}
	return byPath + l.Core
}
