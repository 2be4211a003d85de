package elf

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// The types of notes of illumos and Solaris that are decoded; their owner is CORE, as
// Linux' is (illumos, usr/src/uts/common/sys/elf.h).
const (
	illumosPStatus   = 10
	illumosPSInfo    = 13
	illumosUTSName   = 15
	illumosLWPStatus = 16
)

// findIllumos looks for notes that only illumos and Solaris write: these have Linux'
// first types, too, with structures of their own.
func (l *loader) findIllumos(notes []phdr) {
	for _, ph := range notes {
		r := noteReader{class: l.class, expect: func(uint32) uint64 { return 0 }, warn: func(int64, string) {}}
		r.read(slice(l.src, ph.off, ph.filesz), func(n core.Note) {
			switch n.Type {
			case illumosPStatus, illumosPSInfo, illumosUTSName, illumosLWPStatus:
				l.illumos = l.illumos || n.Owner == "CORE"
			}
		})
	}
	if l.illumos {
		l.p.OS = "illumos"
	}
}

// noteIllumos takes from a note what it says of the process: struct psinfo, struct
// pstatus, the system's name, and of a thread that a signal hit its siginfo_t (illumos,
// usr/src/uts/common/sys/procfs.h, siginfo.h).
func (l *loader) noteIllumos(n core.Note) {
	p, d := l.p, n.Desc
	number := func(at int) int { return int(int32(l.order.Uint32(d[at:]))) }
	switch n.Type {
	case illumosPSInfo:
		name := 88
		if l.wide {
			name = 136
		}
		if len(d) < name+96 {
			p.Warn("NT_PSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
			return
		}
		p.PID, p.PPID, p.UID, p.GID = number(8), number(12), number(24), number(32)
		p.Name = cstring(d[name:name+16], 0)
		p.PSArgs = strings.TrimRight(cstring(d[name+16:name+96], 0), " ")
	case illumosPStatus:
		if len(d) >= 16 && p.PID == 0 {
			p.PID, p.PPID = number(8), number(12)
		}
	case illumosUTSName: // five names of 257 bytes, the version the fourth
		const each = 257
		if len(d) >= 4*each && strings.HasPrefix(cstring(d[3*each:4*each], 0), "11.") {
			p.OS = "solaris"
		}
	case illumosLWPStatus:
		if g := l.infoIllumos(d); g != nil && p.Signal == nil {
			p.Signal = g
		}
	case ntAuxv:
		if p.Auxv == nil {
			p.Auxv = parseAuxv(l.class, d)
		}
	}
}

// infoIllumos returns the signal that a struct lwpstatus has, nil if it has none.
func (l *loader) infoIllumos(d []byte) *core.Signal {
	const info = 16
	if len(d) < info+24 {
		return nil
	}
	sig := int(int16(l.order.Uint16(d[12:])))
	if sig <= 0 {
		return nil
	}
	g := newSignalSVR4(sig)
	d = d[info:]
	if int(int32(l.order.Uint32(d))) != sig {
		return g
	}
	g.Code, g.HasCode = int(int32(l.order.Uint32(d[4:]))), true
	fault := linuxNumber(g)
	if g.Code > 0 {
		g.CodeName, g.CodeText = codeName(fault, g.Code)
	}
	if at := 12; g.Code > 0 && Faults(fault) {
		if l.wide {
			at = 16
		}
		g.HasAddr, g.Addr = true, core.Addr(l.word(d, at))
	}
	return g
}
