// Command coredbg examines core files of dead processes, native and managed,
// in the language of illumos MDB: at a prompt, or from a script.
//
//	coredbg [flags] [executable] core
//	coredbg bundle [flags] core
//	coredbg fetch [flags] core
//	coredbg diff [flags] old new
//	coredbg triage [flags] core|folder|pattern|list|- ...
//	coredbg groups [flags] file ...
//	coredbg collect [flags] < core
//	coredbg corpus add|check|update|clean [flags] ...
//	coredbg report [flags] [executable] core
//
// It exits with 0 if all went well, 1 if the core could not be opened or (in
// batch) a command failed, 2 after a mistake in its arguments, and 3 if it
// finished but memory or files were missing that the result needed.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/builtin"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core/file"
)

// The exit codes.
const (
	exitOK      = 0
	exitFatal   = 1
	exitUsage   = 2
	exitPartial = 3
)

// system is the machine that the debugger runs on.
var system commands.System = commands.OS{}

func main() {
	delayCollection()
	os.Exit(run(os.Args[1:], coredbg.Open, os.Stdin, out.NewTerminal(os.Stdout), out.NewTerminal(os.Stderr)))
}

// delayCollection has the first garbage collection wait until 16 MiB are in use, instead
// of 4: a short command on a small core ends before, and would spend a quarter of
// its time on three of them. Later ones are as Go or $GOGC has them.
func delayCollection() {
	if old := debug.SetGCPercent(400); old != 100 {
		debug.SetGCPercent(old)
		return
	}
	collected := new([64]byte)
	runtime.SetFinalizer(collected, func(*[64]byte) { debug.SetGCPercent(100) })
}

// An opener opens a core, as coredbg.Open does.
type opener func(path string, o coredbg.Options) (*coredbg.Session, error)

// subcommands are what the first argument may name instead of a core.
var subcommands = map[string]func(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int{
	"bundle": runBundle, "fetch": runFetch, "diff": runDiff, "triage": runTriage, "groups": runGroups, "corpus": runCorpus, "collect": runCollect, "report": runReport,
}

// run is main with its surroundings as arguments.
func run(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	if len(args) > 0 {
		if sub := subcommands[args[0]]; sub != nil {
			return sub(args[1:], open, stdin, stdout, stderr)
		}
	}
	f, err := parseFlags(args, stdout, stderr)
	switch {
	case err != nil:
		return exitUsage // it has been said
	case f.version:
		version, compiler := builtin.Version()
		fmt.Fprintln(stdout, "coredbg", version, compiler)
		return exitOK
	case f.help:
		return exitOK
	}
	return runCore(f, open, stdin, stdout, stderr)
}

// runCore opens the core of the flags and runs what they ask for.
func runCore(f *flags, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f.noteSwap(stderr)
	f.noteMissing(stderr)
	tick, began := newTicker(stderr.File()), system.Now()
	var err error
	var s *commands.Session
	tick.watch(func() { s, err = open(f.core, f.options(stdin, stdout, stderr, tick)) })
	if err != nil {
		err = hint(err)
		if f.json {
			commands.WriteFailure(stdout, err)
		}
		commands.WriteError(stderr, f.hint(err))
		return exitFatal
	}
	defer s.Close()
	f.opened = system.Now().Sub(began)
	tick.attach(s)
	return runSession(s, f, tick, stdin, stdout, stderr)
}

// runSession runs what the flags ask for, or the prompt.
func runSession(s *commands.Session, f *flags, tick *ticker, stdin *os.File, stdout, stderr *out.Terminal) int {
	s.JSON = f.json
	if err := setColor(s, f.color, stdout); err != nil {
		commands.WriteError(stderr, err)
		return exitUsage
	}
	interactive := len(f.work) == 0 && isTerminal(stdin)
	var keys interrupts
	if interactive {
		keys = catchInterrupts()
	}
	if !f.noRC {
		keys.within(func(ctx context.Context) { runRC(ctx, s) })
	}
	var err error
	switch {
	case interactive:
		err = prompt(s, f, tick, keys, stdin, stdout, stderr)
	case len(f.work) == 0:
		err = runInput(s, stdin, "stdin", f.keepGoing)
	default:
		err = runWork(s, f)
	}
	return exitCode(s, err, interactive)
}

// hint adds to an error of opening a core what the user can do about it.
func hint(err error) error {
	if errors.Is(err, file.ErrTooLong) {
		return fmt.Errorf("%w (-max-size SIZE allows more)", err)
	}
	return err
}

// exitCode says how a session went.
func exitCode(s *commands.Session, err error, interactive bool) int {
	err = errors.Join(err, s.Out.Flush())
	var failed *lang.FailedError
	switch {
	case interactive:
		return exitOK
	case errors.As(err, &failed):
		return exitFatal // each failure has been reported
	case err != nil && !errors.Is(err, lang.ErrQuit):
		if !errors.Is(err, context.Canceled) {
			commands.WriteError(s.Err, err)
		}
		return exitFatal
	case s.Partial || s.Process.Truncated:
		return exitPartial
	}
	return exitOK
}

// runRC runs the commands of ~/.coredbgrc. What fails there has been said and
// stops nothing.
func runRC(ctx context.Context, s *commands.Session) {
	home, err := os.UserHomeDir()
	if err != nil {
		return
	}
	path := filepath.Join(home, ".coredbgrc")
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	s.RunSource(ctx, lang.Source{Name: path, Text: string(text), Script: true})
}
