package elf

import (
	stdelf "debug/elf"
	"fmt"
	"strings"

	"coredbg/core"
)

// The types of notes of the BSDs that are decoded: FreeBSD's (sys/elf_common.h), NetBSD's
// and OpenBSD's (sys/exec_elf.h of each).
const (
	freePRPSInfo    = 3
	freeThrMisc     = 7
	freeProcessInfo = 8
	freeVMMap       = 10
	freeAuxv        = 16
	freeLWPInfo     = 17
	freeSegBases    = 0x200
	netProcInfo     = 1
	netAuxv         = 2
	openProcInfo    = 10
	openAuxv        = 11
)

// noteBSD takes from a note of a BSD which system it is, and what it says of the process
// or the thread that the notes before it are of. The first that says so counts.
func (l *loader) noteBSD(n core.Note) {
	switch {
	case n.Owner == "FreeBSD":
		l.p.OS = "freebsd"
		l.noteFreeBSD(n)
	case strings.HasPrefix(n.Owner, "NetBSD-CORE"):
		l.p.OS = "netbsd"
		if n.Owner == "NetBSD-CORE" {
			l.noteNetBSD(n)
		}
	case n.Owner == "OpenBSD":
		l.p.OS = "openbsd"
		switch n.Type {
		case openProcInfo: // struct elfcore_procinfo: signal at 8, id after four masks, name after ids
			l.processBSD(n.Desc, 8, 32, 72)
			l.originBSD(n.Desc, 36, 48, 60)
		case openAuxv:
			l.auxvBSD(n.Desc)
		}
	}
}

// processBSD takes the signal that ended the process, its id and its name from places of
// a note; -1 is none.
func (l *loader) processBSD(d []byte, signal, pid, name int) {
	p := l.p
	if g := l.int32At(d, signal); g != 0 && p.Signal == nil {
		p.Signal = newSignalBSD(g)
	}
	if id := l.int32At(d, pid); id != 0 && p.PID == 0 {
		p.PID = id
	}
	if name >= 0 && name < len(d) && p.Name == "" {
		p.Name = cstring(d[name:min(len(d), name+32)], 0)
	}
}

// originBSD takes the parent, the real user and group, and the signal's code from places of a
// struct elfcore_procinfo.
func (l *loader) originBSD(d []byte, ppid, uid, gid int) {
	p := l.p
	if len(d) > gid+4 {
		p.PPID, p.UID, p.GID = l.int32At(d, ppid), l.int32At(d, uid), l.int32At(d, gid)
	}
	if c := l.int32At(d, 12); p.Signal != nil && c > 0 && c < siKernel {
		p.Signal.Code, p.Signal.HasCode = c, true
		p.Signal.CodeName, p.Signal.CodeText = codeBSD(p.Signal, c)
	}
}

// int32At reads a number at a place of a note, 0 if that does not have it.
func (l *loader) int32At(d []byte, at int) int {
	if at < 0 || at+4 > len(d) {
		return 0
	}
	return int(int32(l.order.Uint32(d[at:])))
}

func (l *loader) auxvBSD(d []byte) {
	if l.p.Auxv == nil {
		l.p.Auxv = parseAuxv(l.class, d)
	}
}

// noteNetBSD reads struct netbsd_elfcore_procinfo, with ids after four masks of 16 bytes,
// and the auxiliary vector.
func (l *loader) noteNetBSD(n core.Note) {
	switch n.Type {
	case netProcInfo:
		l.processBSD(n.Desc, 8, 80, 124)
		l.originBSD(n.Desc, 84, 96, 108)
		l.signalled = l.int32At(n.Desc, 156) // cpi_siglwp
	case netAuxv:
		l.auxvBSD(n.Desc)
	}
}

// codeBSD names the code of a signal where BSDs and Linux have the same ones.
func codeBSD(g *core.Signal, code int) (name, text string) {
	switch n := linuxNumber(g); n {
	case 4, 7, 11:
		return codeName(n, code)
	}
	return "", ""
}

// noteFreeBSD reads struct prpsinfo and struct thrmisc (sys/procfs.h), and what sysctl
// gives of the process, after the size of its structures: struct kinfo_proc and
// kinfo_vmentry (sys/user.h), the auxiliary vector; and struct ptrace_lwpinfo
// (sys/ptrace.h). Structures of FreeBSD only grow at their end.
func (l *loader) noteFreeBSD(n core.Note) {
	p, d := l.p, n.Desc
	var t *core.Thread
	if k := len(p.Threads); k > 0 {
		t = p.Threads[k-1]
	}
	switch n.Type {
	case ntPRStatus:
		at := 20
		if l.wide {
			at = 36
		}
		l.processBSD(d, at, -1, -1)
	case freePRPSInfo: // version, size, name of 17 bytes, arguments of 81, id
		name := 2 * l.ptr()
		if len(d) < name+98 {
			p.Warn("NT_PRPSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
			return
		}
		p.Name, p.PSArgs = cstring(d[name:name+17], 0), strings.TrimRight(cstring(d[name+17:name+98], 0), " ")
		l.processBSD(d, -1, (name+98+3)&^3, -1)
	case freeProcessInfo:
		l.processBSD(d, -1, 4+8+8*l.ptr(), -1)
		p.PPID = l.int32At(d, 4+8+8*l.ptr()+4)
	case freeThrMisc:
		if t != nil {
			t.Name = cstring(d[:min(len(d), 20)], 0)
		}
	case freeAuxv:
		if len(d) > 4 {
			l.auxvBSD(d[4:])
		}
	case freeVMMap:
		l.mapFreeBSD(d)
	case freeLWPInfo:
		l.infoFreeBSD(d)
	case freeSegBases:
		if t != nil && l.machine == stdelf.EM_X86_64 && len(d) >= 8 {
			t.TLS = core.Addr(l.order.Uint64(d))
		}
	case ntARMTLS:
		if t != nil && len(d) >= l.ptr() {
			t.TLS = core.Addr(l.word(d, 0))
		}
	}
}

// mapFreeBSD reads struct kinfo_vmentry one after another, each with its own size; the
// path of a file is at its end.
func (l *loader) mapFreeBSD(d []byte) {
	const start, end, off, path, most = 8, 16, 24, 136, 1 << 16
	if l.files != nil || len(d) < 4 {
		return
	}
	l.filesGood = true
	for d = d[4:]; len(d) >= path && len(l.files) < most; {
		size := int(l.order.Uint32(d))
		if size < path || size > len(d) {
			l.filesGood = false
			l.p.Warn("NT_PROCSTAT_VMMAP note", fmt.Sprintf("an entry of %d bytes among %d", size, len(d)))
			return
		}
		e := fileEntry{start: core.Addr(l.order.Uint64(d[start:])), end: core.Addr(l.order.Uint64(d[end:])),
			off: l.order.Uint64(d[off:]), path: cstring(d[path:size], 0)}
		if e.path != "" && e.start < e.end && e.end <= l.limit() {
			l.files = append(l.files, e)
		}
		d = d[size:]
	}
}

// infoFreeBSD reads the siginfo of a thread's struct ptrace_lwpinfo: that of the thread
// that the signal hit.
func (l *loader) infoFreeBSD(d []byte) {
	const flags, hasInfo = 4 + 8, 0x20
	info := 4 + 0x2c
	if l.wide {
		info = 4 + 0x30
	}
	g := l.p.Signal
	if g == nil || g.HasCode || len(d) < info+32 || l.int32At(d, flags)&hasInfo == 0 || l.int32At(d, info) != g.Number {
		return
	}
	g.Errno, g.Code, g.HasCode = l.int32At(d, info+4), l.int32At(d, info+8), true
	switch n := linuxNumber(g); {
	case g.Code > 0 && g.Code < siKernel && Faults(n):
		g.CodeName, g.CodeText = codeBSD(g, g.Code)
		g.HasAddr, g.Addr = true, core.Addr(l.word(d, info+24))
	case g.Code >= 0x10001: // SI_USER and those after it
		g.HasSender, g.PID, g.UID = true, l.int32At(d, info+12), l.int32At(d, info+16)
	}
}

// newSignalBSD names a signal of a BSD (sys/signal.h of 4.4BSD and of all that came
// of it).
func newSignalBSD(n int) *core.Signal {
	if n == 29 {
		return &core.Signal{Number: n, Name: "SIGINFO", Text: "request for status"}
	}
	return renumbered(n, map[int]int{10: 7, 12: 31, 16: 23, 17: 19, 18: 20, 19: 18, 20: 17, 23: 29, 30: 10, 31: 12})
}
