package note

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// The types of notes of illumos and Solaris that are decoded; their owner is CORE, as
// Linux' is (illumos, usr/src/uts/common/sys/elf.h).
const (
	illumosPStatus = 10
	illumosPSInfo  = 13
	illumosUTSName = 15
)

// Probe looks in a segment of notes for the notes that only illumos and Solaris write. Their notes have
// Linux' first types, too, with different structures.
func (dec *Decoder) Probe(b []byte) {
	r := reader{Class: dec.Class, expect: func(uint32) uint64 { return 0 }, warn: func(int64, string) {}}
	r.read(b, func(n core.Note) {
		switch n.Type {
		case illumosPStatus, illumosPSInfo, illumosUTSName, illumosLWPStatus:
			if n.Owner == "CORE" {
				dec.illumos = true
				dec.p.OS = "illumos"
			}
		}
	})
}

// noteIllumos reads a note about the process: struct psinfo, struct pstatus, the system's name, and the
// siginfo_t of a thread that a signal hit (illumos, usr/src/uts/common/sys/procfs.h, siginfo.h).
func (dec *Decoder) noteIllumos(n core.Note) {
	p, d := dec.p, n.Desc
	number := func(at int) int { return int(int32(dec.Order.Uint32(d[at:]))) }
	switch n.Type {
	case illumosPSInfo:
		name := 88
		if dec.Wide {
			name = 136
		}
		if len(d) < name+96 {
			p.Warn("NT_PSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
			return
		}
		p.PID, p.PPID, p.UID, p.GID = number(8), number(12), number(24), number(32)
		p.Name = format.CString(d[name:name+16], 0)
		p.PSArgs = strings.TrimRight(format.CString(d[name+16:name+96], 0), " ")
	case illumosPStatus:
		if len(d) >= 16 && p.PID == 0 {
			p.PID, p.PPID = number(8), number(12)
		}
	case illumosUTSName: // five names of 257 bytes, the version the fourth
		const each = 257
		if len(d) >= 4*each && strings.HasPrefix(format.CString(d[3*each:4*each], 0), "11.") {
			p.OS = "solaris"
		}
	case illumosLWPStatus:
		if g := dec.infoIllumos(d); g != nil && p.Signal == nil {
			p.Signal = g
		}
	case ntAuxv:
		if p.Auxv == nil {
			p.Auxv = parseAuxv(dec.Class, d)
		}
	}
}
