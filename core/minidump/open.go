package minidump

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"coredbg/core"
)

// Format is the Format of the processes of minidumps.
const Format = "minidump"

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
	p := &core.Process{}
	if _, err := newReader(src, p); err != nil {
		return ""
	}
	return p.OS
}

// Open reads the minidump in src; path is for messages. The process closes src; if Open fails the
// caller does. Damaged parts of the dump are skipped and named in the process' warnings. The error
// wraps core.ErrUnknownFormat if src is not a minidump; it is a *core.FormatError if no part of src can
// be read.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	if !Is(src) {
		return nil, fmt.Errorf("%s: its first bytes are not those of a minidump: %w", path, core.ErrUnknownFormat)
	}
	p := &core.Process{Path: path, Format: Format, UID: -1, GID: -1, Order: le, PtrSize: 8,
		Machine: "an unknown processor"}
	in, err := newReader(src, p)
	if err != nil {
		err.File = path
		return nil, err
	}
	if p.OS == "" {
		return nil, &core.FormatError{File: path, Off: -1,
			Msg: "a minidump that does not say which system it comes from"}
	}
	modules := newModuleLoader(in, opt)
	p.Closers = []io.Closer{src, &modules.opened}
	misc(in)
	notes := &annotator{in: in, p: p}
	linuxStreams(in, notes)
	modules.mask = notes.crashpad()
	mem := readMemory(in)
	died := readCrash(in)
	threads := &threadLoader{in: in, p: p, crash: died, features: readFeatures(in)}
	threads.threads()
	modules.read()
	notes.moduleAnnotations(modules.modules)
	mem.space(modules.modules)
	modules.make(mem)
	unloaded(in)
	finish(in)
	mem.nameMappings()
	weighAddr(p)
	if len(p.Threads) == 0 && p.Arch != nil {
		p.Warn("", "the dump has no threads")
	}
	in.warnCut()
	return p, nil
}

// misc takes the process id and the start time from MiscInfo. It ignores the processor times there: on
// Linux Crashpad counts the process' times once for each thread.
func misc(in *reader) {
	const hasPID, hasTimes = 1, 2
	s, ok := in.find(miscInfo)
	if !ok {
		return
	}
	d := in.data(s)
	if len(d) >= 12 && le.Uint32(d[4:])&hasPID != 0 {
		in.p.PID = int(le.Uint32(d[8:]))
	}
	if len(d) >= 16 && le.Uint32(d[4:])&hasTimes != 0 {
		in.p.Began = seconds(d[12:])
	}
}

// finish keeps the streams as notes, and takes the executable's path and the process's name from the modules.
func finish(in *reader) {
	p := in.p
	for _, s := range in.streams {
		p.Notes = append(p.Notes, core.Note{Owner: magic, Type: uint32(s.typ), Name: s.name(), Off: int64(s.loc.rva),
			Desc: in.data(s)})
	}
	for _, m := range p.Modules {
		if m.Exe {
			p.Exe = m.Path
			p.Name = cmp.Or(p.Name, m.Path[strings.LastIndexAny(m.Path, `/\`)+1:])
		}
	}
}
