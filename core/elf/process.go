package elf

import (
	"bytes"
	"fmt"
	"strings"

	"coredbg/core"
)

// readNotes reads one note segment.
func (l *loader) readNotes(ph phdr) {
	l.needed = max(l.needed, satAdd(ph.off, ph.filesz))
	b := slice(l.src, ph.off, ph.filesz)
	if uint64(len(b)) < ph.filesz {
		l.p.Warn("notes", fmt.Sprintf("the file ends after %d of their %d bytes", len(b), ph.filesz))
	}
	warned := 0
	r := noteReader{class: l.class, base: int64(ph.off), expect: l.usualSize, warn: func(off int64, text string) {
		if warned++; warned <= 16 {
			l.p.Warn("notes", fmt.Sprintf("at file offset %#x: %s", off, text))
		}
	}}
	r.read(b, l.note)
	if warned > 16 {
		l.p.Warn("notes", fmt.Sprintf("%d more that lie about their size", warned-16))
	}
}

// note takes one note. A thread's notes follow its NT_PRSTATUS; those of the
// process are among the first thread's.
func (l *loader) note(n core.Note) {
	p := l.p
	process := true
	switch {
	case l.illumos && n.Owner == "CORE":
		n.Name = ""
		process = !l.systemThread(n)
		l.noteIllumos(n)
	case n.Name == "":
		process = n.Owner != "LINUX" && n.Owner != "CORE"
		if l.systemThread(n) {
			process = false
		}
		l.noteBSD(n)
	default:
		switch n.Type {
		case ntPRStatus:
			l.sizedABI(len(n.Desc))
			if l.gregs.list == nil {
				l.signalOnly(n.Desc)
				break
			}
			t := l.thread(n.Desc)
			if t == nil {
				p.Warn("NT_PRSTATUS note", fmt.Sprintf("%d bytes are too few for a thread", len(n.Desc)))
				break
			}
			if k := len(p.Threads); k > 0 && n.Owner != "CORE" && p.Threads[k-1].TID == t.TID {
				process = false // the same once more, by the owner of the other notes
				break
			}
			if need := l.gregs.off + l.gregs.size; len(n.Desc) < need {
				p.Warn(fmt.Sprintf("thread %d", t.TID), fmt.Sprintf("its NT_PRSTATUS note has %d of %d bytes: registers are missing", len(n.Desc), need))
			}
			p.Threads = append(p.Threads, t)
			l.noteEnd = append(l.noteEnd, len(p.Notes))
			process = false
		case ntPRPSInfo:
			l.psinfo(n.Desc)
		case ntSigInfo:
			if g := l.siginfo(n.Desc); g != nil && g.Number != 0 {
				l.signals = append(l.signals, threadSignal{len(p.Threads) - 1, g})
			}
			process = len(p.Threads) <= 1
		case ntAuxv:
			if p.Auxv == nil {
				p.Auxv = parseAuxv(l.class, n.Desc)
			}
		case ntFile:
			if l.files == nil {
				l.fileNote(n.Desc)
			}
		default:
			process = false
		}
	}
	if k := len(p.Threads); !process && k > 0 {
		n.TID = p.Threads[k-1].TID
	}
	p.Notes = append(p.Notes, n)
	if k := len(l.noteEnd); k > 0 {
		l.noteEnd[k-1] = len(p.Notes)
	}
}

// finishThreads gives threads their full registers, and the process what its
// threads tell.
func (l *loader) finishThreads() {
	p := l.p
	lo := 0
	for i, t := range p.Threads {
		hi := l.noteEnd[i]
		for lo < hi && !l.startsThread(p.Notes[lo]) {
			lo++
		}
		own := p.Notes[lo:hi:hi]
		t.Registers = func() []core.Register { return l.registers(own) }
		for _, n := range own {
			l.threadNote(t, n)
		}
		if t.TID == p.PID && t.Name == "" {
			t.Name = p.Name
		}
		lo = hi
	}
	if p.OS != "linux" && len(p.Threads) == 0 {
		p.Warn("", "a core of "+p.OS+": its notes are listed, but its threads are not read")
	} else if len(p.Threads) == 0 && l.p.Arch != nil {
		p.Warn("", "the core has no threads")
	}
	if len(p.Threads) == 0 {
		if len(l.signals) > 0 {
			p.Signal = l.signals[0].Signal
		}
		return
	}
	if p.PID == 0 {
		p.PID = p.Threads[0].TID
	}
	l.findCrashed()
}

// startsThread reports whether a note is the first of a thread.
func (l *loader) startsThread(n core.Note) bool {
	_, other := l.systemRegs(n)
	return other || is(n, ntPRStatus)
}

// psinfo reads struct elf_prpsinfo (Linux, include/linux/elfcore.h), which has
// ids of 16 bits on i386 and arm.
func (l *loader) psinfo(d []byte) {
	ids, name := 16, 40
	short := false
	if !l.wide {
		ids, name = 8, 32
		if short = len(d) < 128; short {
			name = 28
		}
	}
	if len(d) < name+16 {
		l.p.Warn("NT_PRPSINFO note", fmt.Sprintf("%d bytes are too few", len(d)))
		return
	}
	p, o := l.p, l.order
	if short {
		p.UID, p.GID = int(o.Uint16(d[ids:])), int(o.Uint16(d[ids+2:]))
		ids += 4
	} else {
		p.UID, p.GID = int(o.Uint32(d[ids:])), int(o.Uint32(d[ids+4:]))
		ids += 8
	}
	p.PID, p.PPID = int(int32(o.Uint32(d[ids:]))), int(int32(o.Uint32(d[ids+4:])))
	p.Name = cstring(d[name:name+16], 0)
	p.PSArgs = strings.TrimRight(cstring(d[name+16:min(len(d), name+96)], 0), " ")
}

// A fileEntry is a mapping of a file as NT_FILE lists it.
type fileEntry struct {
	start, end core.Addr
	off        uint64 // bytes
	path       string
}

// fileNote reads NT_FILE: count, page size, count times start, end and offset in
// pages, then count names (Linux, fs/binfmt_elf.c, fill_files_note). What a
// damaged one has before the damage is kept.
func (l *loader) fileNote(d []byte) {
	w := l.ptr()
	warn := func(format string, args ...any) {
		l.p.Warn("NT_FILE note", fmt.Sprintf(format, args...)+": modules are looked for in memory too")
	}
	if len(d) < 2*w {
		warn("%d bytes are too few", len(d))
		return
	}
	count, page := l.word(d, 0), l.word(d, w)
	room := uint64(len(d)-2*w) / uint64(3*w)
	n := min(count, room)
	l.filesGood = n == count
	if !l.filesGood {
		warn("it claims %d mappings and has room for %d", count, room)
	}
	if page == 0 || page > 1<<30 {
		page = 1
	}
	names := d[2*w+int(n)*3*w:]
	if !l.filesGood {
		// With a count that lies, the names begin where no mapping can be.
		n, names = l.trueCount(d, n)
	}
	l.files = make([]fileEntry, 0, n)
	last := ""
	for i := range int(n) {
		at := 2*w + i*3*w
		e := fileEntry{start: core.Addr(l.word(d, at)), end: core.Addr(l.word(d, at+w)), off: l.word(d, at+2*w) * page}
		end := bytes.IndexByte(names, 0)
		if end < 0 {
			l.filesGood = false
			warn("it ends after %d of %d names", i, n)
			return
		}
		if string(names[:end]) != last { // the mappings of a file share one string
			last = string(names[:end])
		}
		e.path = last
		names = names[end+1:]
		if e.start < e.end {
			l.files = append(l.files, e)
		}
	}
}

// trueCount guesses how many mappings a note has whose count cannot be true:
// they ascend, and text follows them.
func (l *loader) trueCount(d []byte, most uint64) (n uint64, names []byte) {
	w := l.ptr()
	last := uint64(0)
	for n = 0; n < most; n++ {
		at := 2*w + int(n)*3*w
		start, end := l.word(d, at), l.word(d, at+w)
		if start < last || end <= start || start&0xfff != 0 || end&0xfff != 0 {
			break
		}
		last = end
	}
	return n, d[2*w+int(n)*3*w:]
}

// aux returns an entry of the auxiliary vector, 0 if there is none.
func (l *loader) aux(typ uint64) core.Addr {
	v, _ := l.p.AuxValue(typ)
	return core.Addr(v)
}

// The entries of the auxiliary vector that lead to images.
const (
	atPHDR        = 3
	atPHENT       = 4
	atPHNUM       = 5
	atBase        = 7
	atEntry       = 9
	atRandom      = 25
	atExecfn      = 31
	atSysinfoEHDR = 33
)
