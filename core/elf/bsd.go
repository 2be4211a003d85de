package elf

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// noteBSD takes from a note of a BSD which system it is, what ended the process,
// and its id. The first that says so counts.
//
// FreeBSD has a struct prstatus for each thread, with the signal after three
// sizes and the release (sys/procfs.h). NetBSD and OpenBSD have one struct
// elfcore_procinfo, with the signal at 8 and the id after four masks (NetBSD,
// sys/exec_elf.h; OpenBSD, sys/exec_elf.h).
func (l *loader) noteBSD(n core.Note) {
	const (
		freePRStatus = 1
		netProcInfo  = 1
		openProcInfo = 10
	)
	signal, pid := -1, -1
	switch {
	case n.Owner == "FreeBSD":
		l.p.OS = "freebsd"
		if n.Type == freePRStatus {
			signal = 4*l.ptr() + 4
		}
	case strings.HasPrefix(n.Owner, "NetBSD-CORE"):
		l.p.OS = "netbsd"
		if n.Owner == "NetBSD-CORE" && n.Type == netProcInfo {
			signal, pid = 8, 80
		}
	case n.Owner == "OpenBSD":
		l.p.OS = "openbsd"
		if n.Type == openProcInfo {
			signal, pid = 8, 32
		}
	}
	number := func(at int) int {
		if at < 0 || at+4 > len(n.Desc) {
			return 0
		}
		return int(int32(l.order.Uint32(n.Desc[at:])))
	}
	if g := number(signal); g != 0 && l.p.Signal == nil {
		l.p.Signal = newSignalBSD(g)
	}
	if id := number(pid); id != 0 && l.p.PID == 0 {
		l.p.PID = id
	}
}

// newSignalBSD names a signal of a BSD (sys/signal.h of 4.4BSD and of all that came
// of it).
func newSignalBSD(n int) *core.Signal {
	// The numbers that Linux has given to others.
	linux := map[int]int{10: 7, 12: 31, 16: 23, 17: 19, 18: 20, 19: 18, 20: 17, 23: 29, 30: 10, 31: 12}
	var g *core.Signal
	switch to, other := linux[n]; {
	case n == 7:
		g = &core.Signal{Name: "SIGEMT", Text: "emulation trap"}
	case n == 29:
		g = &core.Signal{Name: "SIGINFO", Text: "request for status"}
	case n >= 32:
		g = &core.Signal{Name: fmt.Sprintf("SIG%d", n)}
	case other:
		g = newSignal(to)
	default:
		g = newSignal(n)
	}
	g.Number = n
	return g
}
