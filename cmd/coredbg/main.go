// Command coredbg examines core files of dead processes, native and managed,
// in the language of illumos MDB: at a prompt, or from a script.
//
//	coredbg [flags] [executable] core
//	coredbg bundle [flags] core
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

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
)

// The exit codes.
const (
	exitOK      = 0
	exitFatal   = 1
	exitUsage   = 2
	exitPartial = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments.
func run(args []string, stdin, stdout, stderr *os.File) int {
	if len(args) > 1 && args[0] == "bundle" {
		return runBundle(args[1:], stdout, stderr)
	}
	f, err := parseFlags(args, stderr)
	switch {
	case err != nil:
		return exitUsage // the flag package has said why
	case f.version:
		fmt.Fprintln(stdout, "coredbg", version())
		return exitOK
	case f.help:
		return exitOK
	}
	s, err := coredbg.Open(f.core, coredbg.Options{
		Executable: f.executable, Sysroot: f.sysroot, Search: f.search, DebugDirs: f.debugDirs, SDK: f.sdk,
		Progress: progress(stderr), Stdout: stdout, Stderr: stderr,
	})
	if err != nil {
		fmt.Fprintf(stderr, "coredbg: %v\n", err)
		return exitFatal
	}
	defer s.Process.Close()
	return runSession(s, f, stdin, stdout, stderr)
}

// runSession runs what the flags ask for, or the prompt.
func runSession(s *commands.Session, f *flags, stdin, stdout, stderr *os.File) int {
	s.JSON = f.json
	if err := setColor(s, f.color, stdout); err != nil {
		fmt.Fprintf(stderr, "coredbg: %v\n", err)
		return exitUsage
	}
	if !f.noRC {
		runRC(s)
	}
	interactive := len(f.work) == 0 && isTerminal(stdin)
	var err error
	switch {
	case interactive:
		err = prompt(s, stdin, stdout, stderr)
	case len(f.work) == 0:
		err = runInput(s, stdin, "stdin", f.keepGoing)
	default:
		err = runWork(s, f)
	}
	return exitCode(s, err, interactive)
}

// exitCode tells how a session went.
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
			fmt.Fprintf(s.Err, "coredbg: %v\n", err)
		}
		return exitFatal
	case s.Partial || s.Process.Truncated:
		return exitPartial
	}
	return exitOK
}

// runRC runs the commands of ~/.coredbgrc. What fails there has been said and
// stops nothing.
func runRC(s *commands.Session) {
	home, err := os.UserHomeDir()
	if err != nil {
		return
	}
	path := filepath.Join(home, ".coredbgrc")
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	s.RunSource(context.Background(), lang.Source{Name: path, Text: string(text), Script: true})
}

// progress returns a function that keeps a line about long work up to date, or
// nil if nobody would see it.
func progress(stderr *os.File) func(doing string, done, total int64) {
	if !isTerminal(stderr) {
		return nil
	}
	lines := map[string]*out.Progress{}
	return func(doing string, done, total int64) {
		l := lines[doing]
		if l == nil {
			l = out.NewProgress(stderr, doing)
			lines[doing] = l
		}
		if done == total {
			l.Done()
			return
		}
		l.Update(uint64(max(done, 0)), uint64(max(total, 0)))
	}
}
