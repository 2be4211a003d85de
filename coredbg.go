// Package coredbg opens core files of dead processes. It is the one place that
// knows all loaders, runtimes and commands; each is a line in a list below.
//
//	s, err := coredbg.Open("core.1234", coredbg.Options{})
//	if err != nil { … }
//	defer s.Process.Close()
//	for t := range s.Stacks.All(ctx, s.Process.Threads, commands.StackOptions{}) { … }
package coredbg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"coredbg/commands"
	"coredbg/commands/builtin"
	"coredbg/commands/java"
	"coredbg/commands/js"
	"coredbg/commands/lang"
	"coredbg/commands/native"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/abort"
	"coredbg/runtimes/art"
	"coredbg/runtimes/v8"
	"coredbg/walk"
)

// Options say where the files of a core are, and where output goes. The zero
// value looks where the core says, and prints nothing.
type Options struct {
	// Executable is the path of the program; "" takes the one the core names.
	Executable string
	// Sysroot is a folder that stands for the root of the machine the core
	// comes from. With it, the only files that are opened besides Executable
	// are in it, in Search and in DebugDirs, wherever links in these point.
	Sysroot string
	// Search lists folders that are searched for executables and libraries
	// by their base names.
	Search []string
	// DebugDirs lists folders with separate debug files.
	DebugDirs []string
	// SDK is the Android API level to decode the Android Runtime as; 0 takes
	// the one that fits.
	SDK int
	// Progress is called from time to time during long work, with its name
	// and its size in bytes; total is 0 if it is not known. It may be nil.
	Progress func(doing string, done, total int64)
	// MaxSize is the most bytes that a compressed core may unpack to; 0 stands for
	// file.DefaultMaxSize. More is asked when so many have been unpacked, if it is
	// not nil: if it says so, four times as many are allowed.
	MaxSize int64
	More    func(done int64) bool
	// Stdout gets the records of commands, Stderr what is not data.
	Stdout, Stderr io.Writer
}

// probes are the runtimes that are looked for.
func probes() []runtimes.Probe {
	return []runtimes.Probe{v8.Probe, art.Probe}
}

// registry returns all commands and walkers.
func registry() *commands.Registry {
	r := commands.NewRegistry(builtin.Commands(), native.Commands(), js.Commands(), java.Commands())
	r.AddWalkers(native.Walkers()...)
	r.AddWalkers(js.Walkers()...)
	r.AddWalkers(java.Walkers()...)
	return r
}

// Open opens the core at path, or at standard input for Stdin. It reads headers and notes; libraries, symbols
// and runtimes are opened when they are needed. The caller closes the session's
// Process.
func Open(path string, o Options) (*commands.Session, error) {
	var c *loaded
	err := guard(func() (err error) {
		c, err = load(path, o)
		return err
	})
	if err != nil {
		var format *core.FormatError
		if errors.As(err, &format) && format.File == path {
			return nil, fmt.Errorf("opening %w", format)
		}
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return newSession(c, o), nil
}

// guard calls do, which reads a core.
func guard(do func() error) (err error) {
	if cut := core.Guard(func() { err = do() }); cut != nil {
		return cut
	}
	return err
}

// loaded is an open core.
type loaded struct {
	process *core.Process
	src     core.Source    // of the core: the file, or a part of it
	files   files          // where its modules and their debug files come from
	bundle  *bundle.Bundle // that it is in; nil if it is in none
	data    runtimes.Files // where files without code come from; nil is dataFiles
}

// files finds modules' files and separate debug files.
type files interface {
	elf.FileProvider
	sym.DebugFiles
}

// load asks the loaders one after the other.
func load(path string, o Options) (*loaded, error) {
	src, err := openSource(path, o)
	if err != nil {
		return nil, err
	}
	for _, load := range []loader{loadBundle, loadELF, loadMachO} {
		c, err := load(src, path, o)
		if errors.Is(err, core.ErrUnknownFormat) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
		return c, nil
	}
	defer src.Close()
	return nil, notACore(src)
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
	if st, err := os.Stat(path); err != nil {
		return nil, reason(err)
	} else if st.IsDir() {
		return nil, errors.New("it is a directory")
	}
	src, err := file.Open(path, &file.Options{Progress: o.Progress, MaxSize: o.MaxSize, More: o.More})
	if err != nil {
		return nil, reason(err)
	}
	return src, nil
}

// A loader makes a process of a file's bytes, or returns
// core.ErrUnknownFormat.
type loader func(src core.Source, path string, o Options) (*loaded, error)

func loadELF(src core.Source, path string, o Options) (*loaded, error) {
	p, err := elf.Open(src, path, elf.Options{Exe: o.Executable, Files: disk(o)})
	if err != nil {
		return nil, err
	}
	return &loaded{process: p, src: src, files: disk(o)}, nil
}

// loadBundle opens a bundle. Its own files come first, those of this machine
// are asked only if the options name places.
func loadBundle(src core.Source, path string, o Options) (*loaded, error) {
	if !bundle.Is(src) {
		return nil, core.ErrUnknownFormat
	}
	b, err := bundle.Open(src)
	if err != nil {
		return nil, err
	}
	var from files = b
	if o.Sysroot != "" || len(o.Search) > 0 || len(o.DebugDirs) > 0 {
		from = firstOf{b, disk(o)}
	}
	p, from, err := openBundled(b, path, o, from)
	if err != nil {
		return nil, err
	}
	return &loaded{process: p, src: b.Core(), files: from, bundle: b}, nil
}

// dataFiles finds files that prove themselves to who reads them, so that those
// beside the core may be tried too, unless there is a sysroot. Those of a bundle
// come first.
func dataFiles(c *loaded, o Options) runtimes.Files {
	d := disk(o)
	if o.Sysroot == "" {
		d.Search = append(slices.Clone(d.Search), filepath.Dir(c.process.Path))
	}
	if c.bundle != nil {
		return dataOf{c.bundle, d}
	}
	return d
}

// A dataOf takes files without code from a bundle and, where it has none, from a
// disk.
type dataOf struct {
	bundle *bundle.Bundle
	disk   elf.Disk
}

// Data implements runtimes.Files.
func (d dataOf) Data(path string, prove func(core.Source) error) (core.Source, string, []error) {
	src, from, refused := d.bundle.Data(path, prove)
	if src != nil {
		return src, from, refused
	}
	src, from, more := d.disk.Data(path, prove)
	return src, from, append(refused, more...)
}

func disk(o Options) elf.Disk {
	return elf.Disk{Sysroot: o.Sysroot, Search: o.Search, DebugDirs: o.DebugDirs}
}

// A firstOf takes files from a bundle and, where it has none, from a disk.
type firstOf struct {
	bundle *bundle.Bundle
	disk   elf.Disk
}

// Lookup implements elf.FileProvider.
func (f firstOf) Lookup(path string, buildID []byte) (core.Source, string, []error) {
	src, from, refused := f.bundle.Lookup(path, buildID)
	if src != nil {
		return src, from, refused
	}
	src, from, more := f.disk.Lookup(path, buildID)
	return src, from, append(refused, more...)
}

// Debug finds separate debug files as elf.Disk does.
func (f firstOf) Debug(buildID []byte, link string, crc uint32, near string) (core.Source, string, []error) {
	src, from, refused := f.bundle.Debug(buildID, link, crc, near)
	if src != nil {
		return src, from, refused
	}
	src, from, more := f.disk.Debug(buildID, link, crc, near)
	return src, from, append(refused, more...)
}

// reason is what is wrong with a path, without the path.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
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
	for _, c := range w[:min(len(w), 512)] {
		if c == 0 || c >= 0x7f {
			return core.ErrUnknownFormat
		}
	}
	return errors.New("it is a text file, not a core file")
}

// newSession wires a process to its symbols, stacks, runtimes and commands.
func newSession(c *loaded, o Options) *commands.Session {
	p := c.process
	if c.data == nil {
		c.data = dataFiles(c, o)
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	s := commands.NewSession(p, registry(), o.Stdout, o.Stderr)
	s.Symbols = sym.NewTable(p, c.files)
	s.Walk = walk.NewTarget(p, walk.Options{FuncStart: func(a core.Addr) (core.Addr, bool) {
		y, _, ok := s.Symbols.Lookup(a)
		return y.Addr, ok && isEntry(y)
	}})
	s.Runtimes = sync.OnceValue(func() []runtimes.Runtime { return probe(s, c.data, o.SDK) })
	s.Stacks = &commands.Stacker{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: s.Walk.Walk, Lines: len(o.DebugDirs) > 0}
	s.Disasm = native.Disassembler(s)
	s.Causers = []runtimes.Causer{abort.New(p, s.Symbols)}
	return s
}

// isEntry reports whether y is where calls of a function lead. The cold part
// that a compiler split off a function is jumped to, with the function's frame
// in place, so that its instructions do not tell where the frame ends.
func isEntry(y sym.Symbol) bool {
	return y.Kind == core.SymFunc && !strings.HasSuffix(y.Name, ".cold") && !strings.Contains(y.Name, ".cold.")
}

// probe looks for all runtimes. One that is there and cannot be decoded is a
// warning.
func probe(s *commands.Session, data runtimes.Files, sdk int) []runtimes.Runtime {
	var found []runtimes.Runtime
	t := runtimes.Target{Process: s.Process, Symbols: s.Symbols, Files: data, SDK: sdk}
	for _, look := range probes() {
		r, err := look(context.Background(), t)
		switch {
		case err != nil:
			s.Process.Warn("runtime", err.Error())
			s.Warn(err)
		case r != nil:
			found = append(found, r)
			if d, ok := r.(runtimes.Doubter); ok && d.Doubt() != nil {
				s.Warn(d.Doubt())
			}
			if w, ok := r.(runtimes.Warner); ok {
				s.Process.Warnings = append(s.Process.Warnings, w.Warnings()...)
			}
		}
	}
	return found
}

// ErrQuit is returned by a session's Run when it was asked to end.
var ErrQuit = lang.ErrQuit
