package note

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// NewDecoder returns a decoder for the core of a process with a header. The architecture of the
// process is set: nil if the machine's registers are not known.
func NewDecoder(h format.Header, p *core.Process) *Decoder {
	dec := &Decoder{machine: machine{Class: h.Class, id: h.Machine, arch: p.Arch}, p: p}
	dec.gregs, _ = gregsOf(h.Machine, h.Class, h.Flags)
	// A debugger writes section headers, which the kernel does only for the
	// number of very many program headers.
	dec.debugger = h.Shnum > 1 && h.Phnum != format.PNXNum
	return dec
}

// maxWarned bounds the warnings about the notes of one segment.
const maxWarned = 16

// Read reads the notes in b, a segment at offset off of the core's file. Segments are read in the
// core's order, after Probe has seen all of them.
func (dec *Decoder) Read(b []byte, off int64) {
	warned := 0
	r := reader{Class: dec.Class, base: off, expect: dec.usualSize, warn: func(off int64, text string) {
		if warned++; warned <= maxWarned {
			dec.p.Warn("notes", fmt.Sprintf("at file offset %#x: %s", off, text))
		}
	}}
	r.read(b, dec.note)
	if warned > maxWarned {
		dec.p.Warn("notes", fmt.Sprintf("%d more that lie about their size", warned-maxWarned))
	}
}

// Finish gives threads their full registers, and the process what its threads tell. All segments have
// been read.
func (dec *Decoder) Finish() {
	dec.finishThreads()
	if dec.p.OS == "linux" {
		dec.p.Siginfo = dec.siginfo
	}
}

// Files returns the mappings of files that a note lists, in its order, and whether it has
// all that it says it has: false, too, if there is no such note.
func (dec *Decoder) Files() (list []FileMapping, whole bool) { return dec.files, dec.filesGood }

// noteLinux reads a note of Linux, and reports whether it is one of the process.
func (dec *Decoder) noteLinux(n core.Note) bool {
	p := dec.p
	switch n.Type {
	case ntPRStatus:
		return dec.status(n)
	case ntPRPSInfo:
		dec.psinfo(n.Desc)
	case ntSigInfo:
		if g := dec.siginfo(n.Desc); g != nil && g.Number != 0 {
			dec.signals = append(dec.signals, threadSignal{len(p.Threads) - 1, g})
		}
		return len(p.Threads) <= 1
	case ntAuxv:
		if p.Auxv == nil {
			p.Auxv = parseAuxv(dec.Class, n.Desc)
		}
	case ntFile:
		if dec.files == nil {
			dec.fileNote(n.Desc)
		}
	default:
		return false
	}
	return true
}

// status reads NT_PRSTATUS, the first of a thread's notes. It reports false if the note is a thread's.
func (dec *Decoder) status(n core.Note) bool {
	p := dec.p
	dec.sizedABI(len(n.Desc))
	if dec.gregs.list == nil {
		dec.signalOnly(n.Desc)
		return true
	}
	t := dec.thread(n.Desc)
	if t == nil {
		p.Warn("NT_PRSTATUS note", fmt.Sprintf("%d bytes are too few for a thread", len(n.Desc)))
		return true
	}
	if k := len(p.Threads); k > 0 && n.Owner != "CORE" && p.Threads[k-1].TID == t.TID {
		return false // the same once more, by the owner of the other notes
	}
	if need := dec.gregs.off + dec.gregs.size; len(n.Desc) < need {
		p.Warn(fmt.Sprintf("thread %d", t.TID),
			fmt.Sprintf("its NT_PRSTATUS note has %d of %d bytes: registers are missing", len(n.Desc), need))
	}
	p.Threads = append(p.Threads, t)
	dec.noteEnd = append(dec.noteEnd, len(p.Notes))
	return false
}

// note reads one note. A thread's notes follow its NT_PRSTATUS. The process' notes are among the first
// thread's.
func (dec *Decoder) note(n core.Note) {
	p := dec.p
	process := true
	switch {
	case dec.illumos && n.Owner == "CORE":
		n.Name = ""
		process = !dec.systemThread(n)
		dec.noteIllumos(n)
	case n.Name == "":
		process = n.Owner != "LINUX" && n.Owner != "CORE"
		if dec.systemThread(n) {
			process = false
		}
		dec.noteBSD(n)
	default:
		process = dec.noteLinux(n)
	}
	if k := len(p.Threads); !process && k > 0 {
		n.TID = p.Threads[k-1].TID
	}
	p.Notes = append(p.Notes, n)
	if k := len(dec.noteEnd); k > 0 {
		dec.noteEnd[k-1] = len(p.Notes)
	}
}

// psinfo reads struct elf_prpsinfo (Linux, include/linux/elfcore.h), which has
// ids of 16 bits on i386 and arm.
func (dec *Decoder) psinfo(d []byte) {
	ids, name := 16, 40
	short := false
	if !dec.Wide {
		ids, name = 8, 32
		if short = len(d) < 128; short {
			name = 28
		}
	}
	if len(d) < name+16 {
		dec.p.Warn("NT_PRPSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
		return
	}
	p, o := dec.p, dec.Order
	if short {
		p.UID, p.GID = int(o.Uint16(d[ids:])), int(o.Uint16(d[ids+2:]))
		ids += 4
	} else {
		p.UID, p.GID = int(o.Uint32(d[ids:])), int(o.Uint32(d[ids+4:]))
		ids += 8
	}
	p.PID, p.PPID = int(int32(o.Uint32(d[ids:]))), int(int32(o.Uint32(d[ids+4:])))
	p.Name = format.CString(d[name:name+16], 0)
	p.PSArgs = strings.TrimRight(format.CString(d[name+16:min(len(d), name+96)], 0), " ")
}
