package note

import (
	stdelf "debug/elf"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/format"
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
	openCookie      = 23 // NT_OPENBSD_WCOOKIE
)

// noteBSD reads a note of a BSD: the system's name, and facts about the process or about the thread of
// the preceding notes. The first note with a fact counts.
func (dec *Decoder) noteBSD(n core.Note) {
	switch {
	case n.Owner == "FreeBSD":
		dec.p.OS = "freebsd"
		dec.noteFreeBSD(n)
	case strings.HasPrefix(n.Owner, "NetBSD-CORE"):
		dec.p.OS = "netbsd"
		if n.Owner == "NetBSD-CORE" {
			dec.noteNetBSD(n)
		}
	case n.Owner == "OpenBSD":
		dec.p.OS = "openbsd"
		switch n.Type {
		case openProcInfo: // struct elfcore_procinfo: signal at 8, id after four masks, name after ids
			dec.processBSD(n.Desc, 8, 32, 72)
			dec.originBSD(n.Desc, 36, 48, 60)
		case openAuxv:
			dec.auxvBSD(n.Desc)
		case openCookie:
			if dec.id == stdelf.EM_SPARCV9 && len(n.Desc) >= 8 {
				dec.p.WindowCookie = dec.Order.Uint64(n.Desc)
			}
		}
	}
}

// processBSD takes the signal that ended the process, its id and its name from places of
// a note; -1 is none.
func (dec *Decoder) processBSD(d []byte, signal, pid, name int) {
	p := dec.p
	if g := dec.int32At(d, signal); g != 0 && p.Signal == nil {
		p.Signal = newSignalBSD(g)
	}
	if id := dec.int32At(d, pid); id != 0 && p.PID == 0 {
		p.PID = id
	}
	if name >= 0 && name < len(d) && p.Name == "" {
		p.Name = format.CString(d[name:min(len(d), name+32)], 0)
	}
}

// originBSD takes the parent, the real user and group, and the signal's code from places of a
// struct elfcore_procinfo.
func (dec *Decoder) originBSD(d []byte, ppid, uid, gid int) {
	p := dec.p
	if len(d) > gid+4 {
		p.PPID, p.UID, p.GID = dec.int32At(d, ppid), dec.int32At(d, uid), dec.int32At(d, gid)
	}
	if c := dec.int32At(d, 12); p.Signal != nil && c > 0 && c < siKernel {
		p.Signal.Code, p.Signal.HasCode = c, true
		p.Signal.CodeName, p.Signal.CodeText = codeBSD(p.Signal, c)
	}
}

// int32At reads a number at a place of a note, 0 if that does not have it.
func (dec *Decoder) int32At(d []byte, at int) int {
	if at < 0 || at+4 > len(d) {
		return 0
	}
	return int(int32(dec.Order.Uint32(d[at:])))
}

func (dec *Decoder) auxvBSD(d []byte) {
	if dec.p.Auxv == nil {
		dec.p.Auxv = parseAuxv(dec.Class, d)
	}
}

// noteNetBSD reads struct netbsd_elfcore_procinfo, with ids after four masks of 16 bytes,
// and the auxiliary vector.
func (dec *Decoder) noteNetBSD(n core.Note) {
	switch n.Type {
	case netProcInfo:
		dec.processBSD(n.Desc, 8, 80, 124)
		dec.originBSD(n.Desc, 84, 96, 108)
		dec.signalled = dec.int32At(n.Desc, 156) // cpi_siglwp
	case netAuxv:
		dec.auxvBSD(n.Desc)
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

// noteFreeBSD reads struct prpsinfo and struct thrmisc (sys/procfs.h); sysctl's data about the process,
// after the size of its structures: struct kinfo_proc and kinfo_vmentry (sys/user.h), the auxiliary
// vector; and struct ptrace_lwpinfo (sys/ptrace.h). Structures of FreeBSD only grow at their end.
func (dec *Decoder) noteFreeBSD(n core.Note) {
	p, d := dec.p, n.Desc
	var t *core.Thread
	if k := len(p.Threads); k > 0 {
		t = p.Threads[k-1]
	}
	switch n.Type {
	case ntPRStatus:
		at := 20
		if dec.Wide {
			at = 36
		}
		dec.processBSD(d, at, -1, -1)
	case freePRPSInfo: // version, size, name of 17 bytes, arguments of 81, id
		name := 2 * dec.Ptr()
		if len(d) < name+98 {
			p.Warn("NT_PRPSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
			return
		}
		p.Name, p.PSArgs = format.CString(d[name:name+17], 0),
			strings.TrimRight(format.CString(d[name+17:name+98], 0), " ")
		dec.processBSD(d, -1, (name+98+3)&^3, -1)
	case freeProcessInfo:
		dec.processBSD(d, -1, 4+8+8*dec.Ptr(), -1)
		p.PPID = dec.int32At(d, 4+8+8*dec.Ptr()+4)
	case freeThrMisc:
		if t != nil {
			t.Name = format.CString(d[:min(len(d), 20)], 0)
		}
	case freeAuxv:
		if len(d) > 4 {
			dec.auxvBSD(d[4:])
		}
	case freeVMMap:
		dec.mapFreeBSD(d)
	case freeLWPInfo:
		dec.infoFreeBSD(d)
	case freeSegBases:
		if t != nil && dec.id == stdelf.EM_X86_64 && len(d) >= 8 {
			t.TLS = core.Addr(dec.Order.Uint64(d))
		}
	case ntARMTLS:
		if t != nil && len(d) >= dec.Ptr() {
			t.TLS = core.Addr(dec.Word(d, 0))
		}
	}
}

// mapFreeBSD reads struct kinfo_vmentry one after another, each with its own size; the
// path of a file is at its end.
func (dec *Decoder) mapFreeBSD(d []byte) {
	const start, end, off, path, most = 8, 16, 24, 136, 1 << 16
	if dec.files != nil || len(d) < 4 {
		return
	}
	dec.filesGood = true
	for d = d[4:]; len(d) >= path && len(dec.files) < most; {
		size := int(dec.Order.Uint32(d))
		if size < path || size > len(d) {
			dec.filesGood = false
			dec.p.Warn("NT_PROCSTAT_VMMAP note", fmt.Sprintf("an entry of %d bytes among %d", size, len(d)))
			return
		}
		e := FileMapping{Start: core.Addr(dec.Order.Uint64(d[start:])), End: core.Addr(dec.Order.Uint64(d[end:])),
			Off: dec.Order.Uint64(d[off:]), Path: format.CString(d[path:size], 0)}
		if e.Path != "" && e.Start < e.End && e.End <= dec.Limit() {
			dec.files = append(dec.files, e)
		}
		d = d[size:]
	}
}

// infoFreeBSD reads the siginfo in struct ptrace_lwpinfo of the thread that the signal hit.
func (dec *Decoder) infoFreeBSD(d []byte) {
	const flags, hasInfo = 4 + 8, 0x20
	info := 4 + 0x2c
	if dec.Wide {
		info = 4 + 0x30
	}
	g := dec.p.Signal
	if g == nil || g.HasCode || len(d) < info+32 || dec.int32At(d, flags)&hasInfo == 0 ||
		dec.int32At(d, info) != g.Number {
		return
	}
	g.Errno, g.Code, g.HasCode = dec.int32At(d, info+4), dec.int32At(d, info+8), true
	switch n := linuxNumber(g); {
	case g.Code > 0 && g.Code < siKernel && Faults(n):
		g.CodeName, g.CodeText = codeBSD(g, g.Code)
		g.HasAddr, g.Addr = true, core.Addr(dec.Word(d, info+24))
	case g.Code >= 0x10001: // SI_USER and higher codes
		g.HasSender, g.PID, g.UID = true, dec.int32At(d, info+12), dec.int32At(d, info+16)
	}
}
