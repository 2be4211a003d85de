package coredbg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/debuginfod"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho/machocore"
	"coredbg/core/minidump"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/heap/heapsnapshot"
	"coredbg/runtimes/heap/hprof"
)

// guard calls do, which reads a core.
func guard(do func() error) (err error) {
	if cut := core.Guard(func() { err = do() }); cut != nil {
		return cut
	}
	return err
}

// A format is a format of cores: how one is opened, and where its files are found
// on a disk.
type format struct {
	article string // of its name
	open    func(src core.Source, path, exe string, files find.Finder) (*core.Process, error)
	disk    func(find.Disk) find.Finder
	served  bool // debuginfod servers have its files
}

func openELF(src core.Source, path, exe string, files find.Finder) (*core.Process, error) {
	return elfcore.Open(src, path, elfcore.Options{Exe: exe, Files: files})
}

// openMinidump opens minidumps of a system.
func openMinidump(system string) func(src core.Source, path, exe string, files find.Finder) (*core.Process, error) {
	return func(src core.Source, path, exe string, files find.Finder) (*core.Process, error) {
		if of := minidump.OS(src); minidump.Is(src) &&
			(of == system || system == "linux" && of != "darwin" && of != "windows") {
			return minidump.Open(src, path, minidump.Options{Exe: exe, Files: files})
		}
		return nil, core.ErrUnknownFormat
	}
}

func openMachO(src core.Source, path, exe string, files find.Finder) (*core.Process, error) {
	return machocore.Open(src, path, machocore.Options{Exe: exe, Files: files})
}

// loaded is an open core.
type loaded struct {
	process *core.Process
	src     core.Source // of the core: the file, or a part of it
	files   find.Finder // where its modules and their debug files come from
	data    find.Finder // where files without code come from
	maps    find.Finder // where perf maps come from
	servers *debuginfod.Client
	bundled bool             // it brings its files
	only    runtimes.Runtime // in a file that is not a core: what it holds; nil else
}

// load opens the core at path, or the one in the bundle that is there, in whichever
// format knows it.
func load(path string, o Options) (*loaded, error) {
	src, err := openSource(path, o)
	if err != nil {
		return nil, err
	}
	c := &loaded{src: src}
	var b *bundle.Bundle
	if bundle.Is(src) {
		c.bundled = true
		if b, err = o.bundle(src, filepath.Dir(path)); err == nil {
			c.src = b.Core()
			if _, e := c.src.Window(0); e != nil {
				err = fmt.Errorf("the core in it cannot be read: %w", e)
			}
		}
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
	}
	switch {
	case heapsnapshot.Is(c.src):
		return c.heapFile("V8 heap snapshot", path, heapsnapshot.NewFile(c.src), o.files(formats()[0], b), src), nil
	case hprof.Is(c.src):
		return c.heapFile("Java heap dump", path, hprof.NewFile(c.src), o.files(formats()[0], b), src), nil
	}
	for _, f := range formats() {
		c.files, c.servers = o.files(f, b), nil
		if f.served {
			c.servers = o.servers()
			c.files = c.orServers(c.files)
		}
		c.process, err = f.open(c.src, path, o.Executable, c.files)
		if errors.Is(err, core.ErrUnknownFormat) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
		if b != nil {
			warnLacking(c.process, b)
			c.process.Format = "bundle of " + f.article + " " + c.process.Format
		}
		c.data = c.orServers(o.data(f, b, filepath.Dir(c.process.Path)))
		c.maps = o.maps(f, b, filepath.Dir(c.process.Path))
		return c, nil
	}
	defer src.Close()
	return nil, notACore(src)
}

// warnLacking says what a bundle shares with others and is not there, before all other warnings:
// they follow from it.
func warnLacking(p *core.Process, b *bundle.Bundle) {
	lacking, all, where := b.Lacking()
	if lacking == 0 {
		return
	}
	text := fmt.Sprintf("%d of the %d parts that it shares with others are missing: they should be in %s; copy that folder there, or name the one that has it with -search DIR",
		lacking, all, strconv.Quote(where))
	p.Warnings = slices.Insert(p.Warnings, 0, core.Warning{Place: core.PlaceShared, Text: text})
}

// heapFile makes a process of a file that is not a core but holds a heap.
func (c *loaded) heapFile(format, path string, only runtimes.Runtime, files find.Finder, src core.Source) *loaded {
	c.files, c.only = files, only
	c.process = &core.Process{Path: path, Format: format, Machine: format, UID: -1, GID: -1, Snapshot: true,
		Space: core.NewSpace(nil, nil), Closers: []io.Closer{src}}
	return c
}

// bundle opens a bundle. Its shared chunks are in its own folder, or are lent.
func (o *Options) bundle(src core.Source, beside string) (*bundle.Bundle, error) {
	if o.Lent == nil {
		return bundle.Open(src, append([]string{beside}, o.Search...)...)
	}
	b, err := bundle.Open(src, o.Search...)
	if err == nil {
		b.From(o.Lent)
	}
	return b, err
}

// disk returns the places that the options name.
func (o *Options) disk() find.Disk {
	return find.Disk{Sysroot: o.Sysroot, Search: o.Search, DebugDirs: o.DebugDirs, Named: o.Lent != nil}
}

// orLent has lent files asked for after f, unless a sysroot stands for this machine.
func (o *Options) orLent(f find.Finder) find.Finder {
	if o.Lent == nil || o.Sysroot != "" {
		return f
	}
	return find.Chain{f, o.Lent}
}

// files finds modules and their debug files. The bundle's come first; this machine is asked for missing
// ones only if the options name places.
func (o *Options) files(f format, b *bundle.Bundle) find.Finder {
	switch disk := o.orLent(f.disk(o.disk())); {
	case b == nil:
		return disk
	case o.Sysroot != "" || len(o.Search) > 0 || len(o.DebugDirs) > 0:
		return find.Chain{b, disk}
	}
	return b
}

// data finds files that prove themselves to their reader, so that files in the core's folder may be
// tried too, unless there is a sysroot. The bundle's come first.
func (o *Options) data(f format, b *bundle.Bundle, beside string) find.Finder {
	d := o.disk()
	if !d.Named {
		d.Beside = beside
	}
	disk := o.orLent(f.disk(d))
	if b == nil {
		return disk
	}
	return find.Chain{b, disk}
}

// servers returns the client of the servers that the options name; nil if they name none.
func (o *Options) servers() *debuginfod.Client {
	if o.Debuginfod == nil || len(o.Debuginfod.URLs) == 0 {
		return nil
	}
	d := *o.Debuginfod
	if d.Progress == nil {
		d.Progress = o.Progress
	}
	return debuginfod.New(d)
}

// orServers has servers asked after f, if there are any.
func (c *loaded) orServers(f find.Finder) find.Finder {
	if c.servers == nil {
		return f
	}
	return find.Chain{f, c.servers}
}

// Stdin is the path that stands for standard input.
const Stdin = "-"

func openSource(path string, o Options) (core.Source, error) {
	if path == Stdin {
		if runtime.GOOS == "windows" {
			return nil, errors.New("standard input has no path on this system; give a file")
		}
		path = "/dev/stdin"
	}
	if o.Opened == nil {
		if st, err := os.Stat(path); err != nil {
			return nil, reason(err)
		} else if st.IsDir() {
			return nil, errors.New("it is a directory")
		}
	}
	src, err := file.Open(path, &file.Options{Opened: o.Opened, Progress: o.Progress, MaxSize: o.MaxSize, More: o.More})
	if err != nil {
		return nil, reason(err)
	}
	return src, nil
}

// reason is what is wrong with a path, without the path.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// A kind is files that people take for cores, or that hold one: the bytes at an offset in them, and
// advice. Sources: APPNOTE.TXT 4.3.7 of PKWARE, POSIX pax, the manuals of bzip2 and 7z, makedumpfile's
// diskdump_mod.h, the PE format, and WinDbg for the names of Windows' dumps.
var kinds = []struct {
	at        int
	magic, is string
}{
	{0, "PK\x03\x04", "a zip archive: unzip it, and open the core that is in it"},
	{257, "ustar", "a tar archive: unpack it, and open the core that is in it"},
	{0, "BZh", "compressed by bzip2: bzip2 -dc FILE | coredbg -e COMMAND -"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it, and open the core that is in it"},
	{0, "PAGEDU64", "a memory dump of Windows, which coredbg does not read"},
	{0, "PAGEDUMP", "a memory dump of Windows, which coredbg does not read"},
	{0, "KDUMP   ", "a dump of the Linux kernel, which coredbg does not read; crash does"},
	{0, "makedumpfile", "a dump of the Linux kernel, which coredbg does not read; crash does"},
	{0, "MZ", "a program of Windows, not a core file"},
	{0, "dex\n", "a dex file, not a core file"},
	{0, "!<arch>\n", "an archive of object files, not a core file"},
	{0, "SQLite format 3\x00", "a database of SQLite, not a core file"},
}

// kindOf names the kind of a file that begins with data, or returns "".
func kindOf(data []byte) string {
	for _, k := range kinds {
		if len(data) >= k.at && bytes.HasPrefix(data[k.at:], []byte(k.magic)) {
			return k.is
		}
	}
	return ""
}

// notACore says what a file is instead.
func notACore(src core.Source) error {
	w, err := src.Window(0)
	switch {
	case src.Size() == 0 || err == io.EOF:
		return errors.New("the file is empty")
	case err != nil:
		return err
	}
	if is := kindOf(w); is != "" {
		return fmt.Errorf("it is %s", is)
	}
	for _, c := range w[:min(len(w), 512)] {
		if c == 0 || c >= 0x7f {
			return core.ErrUnknownFormat
		}
	}
	return errors.New("it is a text file, not a core file")
}

// isEntry reports whether y is where calls of a function lead. The cold part
// that a compiler split off a function is jumped to, with the function's frame
// in place, so that its instructions do not show where the frame ends.
func isEntry(y sym.Symbol) bool {
	return y.Kind == core.SymFunc && !strings.HasSuffix(y.Name, ".cold") && !strings.Contains(y.Name, ".cold.")
}

// A named is a probe with the name of its runtime.
type named struct {
	name  string
	probe runtimes.Probe
}

// probe looks for all runtimes. One that is there and cannot be decoded is a
// warning.
func probe(s *commands.Session, data find.Finder, sdk int) []runtimes.Runtime {
	var found []runtimes.Runtime
	t := runtimes.Target{Process: s.Process, Symbols: s.Symbols, Files: data, SDK: sdk}
	for _, x := range probes() {
		r, err := x.probe(context.Background(), t)
		switch {
		case err != nil:
			s.Process.Warn("runtime", err.Error())
			s.Warn(err)
		case r != nil:
			found = append(found, r)
			if d, ok := r.(runtimes.SelfTester); ok && d.Doubt() != nil {
				s.Warn(d.Doubt())
			}
			if w, ok := r.(runtimes.Warner); ok {
				s.Process.Warnings = append(s.Process.Warnings, w.Warnings()...)
			}
		}
	}
	return found
}
