package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"coredbg/cmd/coredbg/ask"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/mcp"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/builtin"
	"coredbg/commands/out"
	"coredbg/triage"
	"coredbg/triage/lend"
)

const (
	mcpSynopsis = `usage: coredbg mcp [flags] [core ...]
`
	mcpAbout = `Answers the questions of an assistant about cores, by the Model Context Protocol on
standard input and output. Cores are opened only from the folders of -dir, and the
given ones; these are open from the start. Nothing is written and no program is run;
no server is asked. Other files that are opened are a core's own executables,
libraries and debug files, if their build-id proves them, and the files in the folders of
-search, -sysroot and -debug-dir; -strict leaves out the former. docs/assistants.md has
more.
`
)

// mcpPage is the help of "coredbg mcp".
var mcpPage = cmdline.Page{Synopsis: mcpSynopsis, About: mcpAbout,
	Example: "  coredbg mcp -dir /var/lib/systemd/coredump\n", Often: []string{"dir", "search", "redact", "strict"}}

// mcpFlags are the flags of "coredbg mcp".
type mcpFlags struct {
	flags
	dirs           []string
	cores          []string
	redact, strict bool
	timeout        time.Duration
	folders        *ask.Folders
}

// runMCP is "coredbg mcp".
func runMCP(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, err := parseMCP(args, stdout, stderr)
	return perform(err, stderr, func(ctx context.Context) error {
		version, _ := builtin.Version()
		s, err := mcp.New(mcp.Options{Version: version, Folders: f.folders, Timeout: f.timeout, Triage: f.triage,
			Open: func(ctx context.Context, path, executable string, search []string) (*commands.Session, error) {
				return f.openCore(ctx, open, path, executable, search)
			}})
		if err != nil {
			return err
		}
		for _, path := range f.cores {
			if _, err := s.Open(ctx, path, "", nil); err != nil {
				return err
			}
		}
		err = s.Serve(ctx, stdin, answers{raw(stdout)})
		if err == nil || ctx.Err() != nil || errors.Is(err, io.EOF) {
			return nil
		}
		return fmt.Errorf("messages of the client: %w", err)
	})
}

// raw returns the file of standard output, for a protocol whose texts are escaped as JSON.
func raw(stdout *out.Terminal) io.Writer {
	if f := stdout.File(); f != nil {
		return f
	}
	return stdout
}

// answers is standard output for a protocol, which stays open.
type answers struct{ io.Writer }

// Close implements io.Closer.
func (answers) Close() error { return nil }

func parseMCP(args []string, stdout, stderr io.Writer) (*mcpFlags, error) {
	f := &mcpFlags{timeout: 2 * time.Minute}
	set := flag.NewFlagSet("coredbg mcp", flag.ContinueOnError)
	set.Func("dir", "let cores be opened from `folder` and those below it; may be repeated", func(s string) error {
		f.dirs = append(f.dirs, s)
		return nil
	})
	set.BoolVar(&f.redact, "redact", false, "leave out of each core what bundle -redact leaves out; opening one takes longer")
	set.BoolVar(&f.strict, "strict", false, "open no file of this machine that no flag names, not even the core's own libraries")
	set.DurationVar(&f.timeout, "timeout", f.timeout, "give up a question after this `time`")
	openFlags(set, &f.flags)
	f.given = cmdline.Note(set)
	var err error
	if f.cores, err = cmdline.Parse(set, args, &mcpPage, stdout, stderr); err != nil {
		return nil, err
	}
	f.offline, f.noCache = true, true
	if len(f.dirs)+len(f.cores) == 0 {
		err = errors.New("which cores? -dir FOLDER lets the cores in a folder be opened")
	} else {
		f.folders, err = ask.NewFolders(f.dirs, f.cores)
	}
	if err != nil {
		cmdline.Mistake(set, err, mcpSynopsis, stderr)
	}
	return f, err
}

// openCore opens a core that is in the folders.
func (f *mcpFlags) openCore(ctx context.Context, open opener, path, executable string,
	search []string) (*commands.Session, error) {
	of := f.flags
	opened, real, err := f.folders.Open(path)
	if err != nil {
		return nil, err
	}
	of.core, of.opened = real, opened
	if executable != "" {
		x, at, err := f.folders.Open(executable)
		if err != nil {
			opened.Close()
			return nil, fmt.Errorf("executable %s: %w", executable, err)
		}
		x.Close()
		of.executable = at
	}
	for _, dir := range search {
		at, err := f.folders.Folder(dir)
		if err != nil {
			opened.Close()
			return nil, fmt.Errorf("folder %s: %w", dir, err)
		}
		of.search = append(of.search, at)
	}
	quiet := out.NewTerminal(io.Discard)
	of.lent = &lend.Lender{Beside: filepath.Dir(real), System: !f.strict && f.sysroot == ""}
	tick := terminal.NewTicker(nil, system)
	if f.redact {
		var done func()
		if of.core, done, err = redacted(ctx, &of, tick, quiet); err != nil {
			return nil, err
		}
		defer done() // an open file stays readable, except on Windows, which keeps it until it is closed
		of.opened = nil
	}
	s, err := open(of.core, of.options(nil, nil, quiet, tick))
	if err != nil {
		return nil, hint(err)
	}
	if f.redact && runtime.GOOS == "windows" {
		s.Process.Closers = append(s.Process.Closers, remover(of.core))
	}
	s.Process.Path = real
	s.Other = func(path string) (*commands.Session, error) {
		return f.openCore(context.WithoutCancel(ctx), open, path, "", search) // the call that ctx belongs to is over
	}
	return s, nil
}

// A remover removes the folder of a temporary file once that is closed.
type remover string

// Close implements io.Closer.
func (r remover) Close() error { return os.RemoveAll(filepath.Dir(string(r))) }

// triage reads cores as "coredbg triage" does.
func (f *mcpFlags) triage(ctx context.Context, cores []string, emit func(*triage.Line) error) error {
	t := &triageFlags{flags: f.flags, jobs: runtime.NumCPU(), timeout: 30 * time.Second, memory: 2 << 30, steady: true}
	return t.runner().Run(ctx, cores, func(got *triage.Result) error { return emit(got.Line) })
}
