// Package coredbg opens core files of dead processes. It is the one place that
// knows all loaders, runtimes and commands; each is a line in a list below.
//
//	s, err := coredbg.Open("core.1234", coredbg.Options{})
//	if err != nil { … }
//	defer s.Close()
//	for t := range s.Stacks.All(ctx, s.Process.Threads, stack.Options{}) { … }
package coredbg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"coredbg/commands"
	"coredbg/commands/android"
	"coredbg/commands/builtin"
	gocommands "coredbg/commands/golang"
	"coredbg/commands/heap"
	"coredbg/commands/java"
	"coredbg/commands/js"
	"coredbg/commands/js/console"
	"coredbg/commands/js/frames"
	"coredbg/commands/lang"
	malloccommands "coredbg/commands/malloc"
	"coredbg/commands/native"
	nodecommands "coredbg/commands/node"
	"coredbg/commands/values"
	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/jit"
	"coredbg/core/macho"
	"coredbg/core/minidump"
	"coredbg/core/pe"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/abort"
	"coredbg/runtimes/art"
	"coredbg/runtimes/blink"
	"coredbg/runtimes/deno"
	"coredbg/runtimes/engine"
	"coredbg/runtimes/golang"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot"
	"coredbg/runtimes/node"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/embedder"
	"coredbg/stack"
	"coredbg/walk"
)

// A Session is an open core with everything derived from it: its process, symbols, runtimes and stacks,
// and the commands. Close ends it.
type Session = commands.Session

// UserIndexes returns the user's folder for Options.Indexes; "" if the system says none.
func UserIndexes() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "coredbg", "index")
}

// probes are the runtimes that are looked for, by their names.
func probes() []named {
	return []named{{"v8", probeV8}, {"art", art.Probe}, {"hotspot", hotspot.Probe}, {"go", golang.Probe},
		{"engine", engine.Probe}}
}

// embedders are what is looked for in programs around V8.
func embedders() []embedder.Probe {
	return []embedder.Probe{node.Probe, deno.Probe, blink.Probe}
}

// probeV8 looks for V8 and its embedders.
func probeV8(ctx context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	return v8.Probe(ctx, t, embedders()...)
}

// formats are the formats of cores.
func formats() []format {
	return []format{
		{"an", openELF, func(d find.Disk) find.Finder { return elf.Disk{Disk: d} }, true},
		{"a", openMachO, func(d find.Disk) find.Finder { return &macho.Disk{Disk: d} }, false},
		{"a", openMinidump("linux"), func(d find.Disk) find.Finder { return elf.Disk{Disk: d} }, true},
		{"a", openMinidump("darwin"), func(d find.Disk) find.Finder { return &macho.Disk{Disk: d} }, false},
		{"a", openMinidump("windows"), func(d find.Disk) find.Finder { return pe.Disk{Disk: d} }, false},
	}
}

// Registry returns the commands and walkers of all packages.
func Registry() *commands.Registry {
	r := commands.NewRegistry(builtin.Commands(), native.Commands(), values.Commands(), js.Commands(),
		nodecommands.Commands(), java.Commands(), android.Commands(), heap.Commands(), gocommands.Commands(),
		malloccommands.Commands())
	r.AddWalkers(native.Walkers()...)
	r.AddWalkers(js.Walkers()...)
	r.AddWalkers(java.Walkers()...)
	r.AddWalkers(gocommands.Walkers()...)
	r.AddWalkers(malloccommands.Walkers()...)
	return r
}

// Open opens the core at path, or at standard input for Stdin. It reads headers and notes; libraries, symbols
// and runtimes are opened when they are needed. The caller closes the session.
func Open(path string, o Options) (*Session, error) {
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
	s := newSession(c, o)
	if err := errors.Join(readRecipes(s, o.Recipes), checkPerfMap(s, o.PerfMap)); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// WithoutCore returns a session over a process that has nothing: for commands that explain
// the debugger, such as ::help.
func WithoutCore(o Options) *Session {
	p := &core.Process{OS: "linux", Arch: core.AMD64, Space: core.NewSpace(nil, nil)}
	return newSession(&loaded{process: p}, o)
}

// newSession wires a process to its symbols, stacks, runtimes and commands.
func newSession(c *loaded, o Options) *commands.Session {
	p := c.process
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	s := commands.NewSession(p, Registry(), o.Stdout, o.Stderr)
	s.Symbols = sym.NewTable(p, c.files)
	if o.Indexes != "" && !c.bundled { // who sent a bundle made its files
		keep := &file.Cache{Dir: o.Indexes, Now: s.System.Now}
		s.Symbols.Indexes = keep
		p.Closers = append(p.Closers, keep)
	}
	s.Folders = commands.Folders{Sysroot: o.Sysroot, Search: o.Search, DebugDirs: o.DebugDirs}
	s.Files, s.Servers, s.Symbols.AllowRemote = c.data, c.servers, c.servers != nil
	s.Walk = walk.NewTarget(p, walk.Options{Guess: p.Format == minidump.Format, DebugImage: s.Symbols.DebugImage,
		FuncStart: func(a core.Addr) (core.Addr, bool) {
			y, _, ok := s.Symbols.Cover(a)
			return y.Addr, ok && isEntry(y)
		}})
	s.Symbols.Holds = s.Walk.Holds
	if c.maps != nil {
		opened := &file.Set{}
		p.Closers = append(p.Closers, opened)
		p.Made = jit.New(p, s.Symbols.DebugImage, func() (*jit.Map, error) { return perfMap(p, c.maps, opened) })
	}
	for _, x := range probes() {
		s.Probed = append(s.Probed, x.name)
	}
	s.Runtimes = sync.OnceValue(func() []runtimes.Runtime {
		if c.only != nil {
			return []runtimes.Runtime{c.only}
		}
		return probe(s, c.data, o.SDK)
	})
	s.Stacks = &stack.Engine{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: s.Walk.Walk,
		Lines: len(o.DebugDirs) > 0}
	s.Frames = values.NewFrames(s)
	s.Program = console.Program(s)
	s.Questions, s.Guess = questions(), firstLine(console.Guess(s), java.Guess(s))
	s.Variables = []commands.VariableReader{frames.Variables(s), java.Variables(s)}
	s.Held = []commands.HeldSource{frames.Held(s)}
	s.Sources = []commands.SourceReader{frames.Source(s)}
	s.Disasm = native.Disassembler(s)
	s.CauseFinders = []runtimes.CauseFinder{abort.New(p, s.Symbols)}
	s.LeakRules = func() []graph.Rule { return leakRules(s.Found()) }
	s.MadeBy = madeBy(p, s)
	s.Other = func(path string) (*commands.Session, error) {
		other := o
		other.Executable, other.PerfMap, other.Stdout, other.Stderr, other.Opened = "", "", nil, nil, nil
		return Open(path, other)
	}
	s.Noises = []*runtimes.Noise{&abort.Noise, &v8.Noise, &node.Noise}
	return s
}

// leakRules returns the rules of runtimes.
func leakRules(found []runtimes.Runtime) (out []graph.Rule) {
	for _, r := range found {
		if x, ok := r.(runtimes.LeakRuler); ok {
			out = append(out, x.LeakRules()...)
		}
	}
	return out
}

// madeBy returns a function that finds the module of a native object, by the runtimes that are found once it is asked.
func madeBy(p *core.Process, s *commands.Session) func(core.Addr) string {
	found := sync.OnceValue(func() *v8.V8 {
		v, _ := v8.Among(p, s.Found())
		return v
	})
	return func(a core.Addr) string {
		if v := found(); v != nil {
			return v.ModuleOf(a)
		}
		return ""
	}
}

// ErrQuit is returned by a session's Run when it was asked to end.
var ErrQuit = lang.ErrQuit

// firstLine returns a function that asks several languages what a text means, until one knows.
func firstLine(guesses ...func(text string, sure bool) (line, left string)) func(string, bool) (line, left string) {
	return func(text string, sure bool) (line, left string) {
		for _, guess := range guesses {
			if line, left = guess(text, sure); line != "" {
				return line, left
			}
		}
		return "", ""
	}
}
