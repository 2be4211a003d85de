package minidump

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
)

// Format is the Format of the processes of minidumps.
const Format = "minidump"

// Options say where a dump's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one.
	Exe string
	// Files finds the files of modules and their symbols; nil means that there are none.
	Files find.Finder
}

// A stream is an entry of the directory.
type stream struct {
	typ streamType
	loc location
}

func (s stream) name() string {
	if n := streamNames[s.typ]; n != "" {
		return n
	}
	return fmt.Sprintf("stream %#x", uint32(s.typ))
}

// A loader makes a process of a dump.
type loader struct {
	src     core.Source
	opt     Options
	p       *core.Process
	cpu     uint16
	streams []stream

	segs    []core.Segment
	mapped  []core.Mapping // by MemoryInfoList or LinuxMaps
	mapsSay bool           // mapped are all mappings that there were
	modules []module
	paths   map[string][]int // mappings by their paths
	crashed uint32           // id of the thread that died
	context []byte           // what it died with
	died    bool
	mask    uint64 // significant bits of addresses, as Crashpad says

	needed uint64         // the file size that is called for
	cut    map[string]int // records that the file does not hold whole
	warned int
	// strings is how many bytes of strings were read, and work how many mappings were
	// looked at for modules: streams may ask for any number of both.
	strings uint64
	spent   bool
	work    int
	opened  file.Set

	features features // of XSAVE

	private *Private // what PrivateOf is to return; nil else
}

// Is reports whether src begins as a minidump does.
func Is(src core.Source) bool {
	w, err := src.Window(0)
	return err == nil && len(w) >= len(magic) && string(w[:len(magic)]) == magic
}

// OS returns the system that the process of a dump ran on: "linux", "darwin" or "windows"; ""
// if src is no minidump or that is not known.
func OS(src core.Source) string {
	if !Is(src) {
		return ""
	}
	l := &loader{src: src, p: &core.Process{}, cut: map[string]int{}}
	if l.directory() == nil {
		l.system()
	}
	return l.p.OS
}

// Open reads the minidump in src; path is for messages. The process closes src; if Open fails the
// caller does. Damaged parts of the dump are skipped and named in the process' warnings. The error
// wraps core.ErrUnknownFormat if src is not a minidump; it is a *core.FormatError if no part of src can
// be read.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	if !Is(src) {
		return nil, fmt.Errorf("%s: its first bytes are not those of a minidump: %w", path, core.ErrUnknownFormat)
	}
	l := &loader{src: src, opt: opt, cut: map[string]int{}}
	l.p = &core.Process{Path: path, Format: Format, UID: -1, GID: -1, Order: le, PtrSize: 8, Machine: "an unknown processor"}
	if err := l.directory(); err != nil {
		err.File = path
		return nil, err
	}
	l.system()
	if l.p.OS == "" {
		return nil, &core.FormatError{File: path, Off: -1, Msg: "a minidump that does not say which system it comes from"}
	}
	l.p.Closers = []io.Closer{src, &l.opened}
	l.misc()
	l.xsaveConfig()
	l.linuxStreams()
	l.crashpad()
	l.memory()
	l.exception()
	l.threads()
	l.readModules()
	l.unloaded()
	l.finish()
	l.warnCut()
	return l.p, nil
}

// directory reads the header and the directory of streams.
func (l *loader) directory() *core.FormatError {
	h := l.slice(0, headerSize)
	if len(h) < headerSize {
		return &core.FormatError{Off: 0, Msg: fmt.Sprintf("a minidump of %d bytes: its header alone takes %d", l.src.Size(), headerSize)}
	}
	if v := le.Uint16(h[4:]); v != 0xa793 {
		return &core.FormatError{Off: 4, Msg: "a minidump of a version that is not known:", Val: v}
	}
	l.p.Written = seconds(h[20:])
	count, rva := uint64(le.Uint32(h[8:])), uint64(le.Uint32(h[12:]))
	table := l.slice(rva, min(count, maxStreams)*directorySize)
	have := uint64(len(table) / directorySize)
	if have == 0 {
		return &core.FormatError{Off: int64(rva), Msg: "a minidump without streams: its directory is not in the file,"}
	}
	if have < count {
		l.p.Warn("directory", fmt.Sprintf("only %d of %d streams can be read", have, count))
		if count <= maxStreams {
			l.need(rva+count*directorySize, "the directory")
		}
	}
	seen := map[streamType]bool{}
	for i := range int(have) {
		e := table[i*directorySize:]
		s := stream{streamType(le.Uint32(e)), locationAt(e[4:])}
		if s.typ == 0 {
			continue // UnusedStream
		}
		// LLDB writes an Exception for each thread that has one.
		if seen[s.typ] && s.typ != exceptionInfo {
			l.warn(s.name(), rva+uint64(i*directorySize), "it is there twice, and the first counts; the second is")
			continue
		}
		seen[s.typ] = true
		l.streams = append(l.streams, s)
	}
	return nil
}

// find returns the stream of a type.
func (l *loader) find(t streamType) (stream, bool) {
	for _, s := range l.streams {
		if s.typ == t {
			return s, true
		}
	}
	return stream{}, false
}

// data returns the bytes of a stream, as far as the file has them.
func (l *loader) data(s stream) []byte { return l.slice(uint64(s.loc.rva), uint64(s.loc.size)) }

// system reads SystemInfo.
func (l *loader) system() {
	s, ok := l.find(systemInfo)
	if !ok {
		return
	}
	d := l.data(s)
	if len(d) < systemInfoSize {
		l.p.Warn(s.name(), fmt.Sprintf("%d bytes are too few", len(d)))
		return
	}
	l.cpu = le.Uint16(d)
	switch platform := le.Uint32(d[20:]); {
	case platform <= platformWinCE:
		l.p.OS = "windows"
	case platform == platformMac, platform == platformIOS:
		l.p.OS = "darwin"
	case platform == platformLinux, platform == platformDroid, platform == platformUnix:
		l.p.OS = "linux"
	default:
		l.p.OS = fmt.Sprintf("system %#x", platform)
	}
	if a := archOf(l.cpu); a != nil {
		l.p.Arch, l.p.Machine, l.p.PtrSize = a, a.Name, a.PtrSize
	} else {
		l.p.Machine = fmt.Sprintf("processor %#x", l.cpu)
		l.p.Warn(s.name(), fmt.Sprintf("registers of %s are not known: only mappings and memory are shown", l.p.Machine))
	}
}

// misc takes the process id and the start time from MiscInfo. It ignores the processor times there: on
// Linux Crashpad counts the process' times once for each thread.
func (l *loader) misc() {
	const hasPID, hasTimes = 1, 2
	s, ok := l.find(miscInfo)
	if !ok {
		return
	}
	d := l.data(s)
	if len(d) >= 12 && le.Uint32(d[4:])&hasPID != 0 {
		l.p.PID = int(le.Uint32(d[8:]))
	}
	if len(d) >= 16 && le.Uint32(d[4:])&hasTimes != 0 {
		l.p.Began = seconds(d[12:])
	}
}

// seconds reads a time_t of 32 bits, as writers have it who know no other; zero if it is 0.
func seconds(d []byte) time.Time {
	if n := le.Uint32(d); n != 0 {
		return time.Unix(int64(n), 0).UTC()
	}
	return time.Time{}
}

// finish takes facts about the process from streams, and keeps the streams as notes.
func (l *loader) finish() {
	for _, s := range l.streams {
		l.p.Notes = append(l.p.Notes, core.Note{Owner: magic, Type: uint32(s.typ), Name: s.name(), Off: int64(s.loc.rva), Desc: l.data(s)})
	}
	p := l.p
	for _, m := range p.Modules {
		if m.Exe {
			p.Exe = m.Path
			p.Name = cmp.Or(p.Name, m.Path[strings.LastIndexAny(m.Path, `/\`)+1:])
		}
	}
	l.nameMappings()
	l.weighAddr()
	if len(p.Threads) == 0 && p.Arch != nil {
		p.Warn("", "the dump has no threads")
	}
}

// warnCut says that the dump is not whole.
func (l *loader) warnCut() {
	if len(l.cut) == 0 {
		return
	}
	var of []string
	for what, n := range l.cut {
		of = append(of, fmt.Sprintf("%s (%d)", what, n))
	}
	slices.Sort(of)
	l.p.WarnCut(fmt.Sprintf("the dump is cut short, or lies about where things are: the file has %d bytes, and should have %d; not whole: %s",
		l.src.Size(), l.needed, strings.Join(of, ", ")))
}
