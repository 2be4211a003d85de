package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"coredbg"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core/file"
)

// runCore opens the core of the flags and runs what they ask for.
func runCore(f *flags, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	if f.coreless {
		s := coredbg.WithoutCore(coredbg.Options{Stdout: stdout, Stderr: stderr})
		return runSession(s, f, nil, stdin, stdout, stderr)
	}
	f.noteSwap(stderr)
	if err := f.seek(stderr); err != nil {
		if f.json {
			commands.WriteFailure(stdout, err)
		}
		commands.WriteError(stderr, err)
		return exitFatal
	}
	f.noteMissing(stderr)
	tick, began := terminal.NewTicker(stderr.File(), system), system.Now()
	var err error
	var s *commands.Session
	tick.Watch(func() { s, err = open(f.core, f.options(stdin, stdout, stderr, tick)) })
	if err != nil {
		err = hint(err)
		if f.json {
			commands.WriteFailure(stdout, err)
		}
		commands.WriteError(stderr, f.hint(err))
		return exitFatal
	}
	defer s.Close()
	f.openTime = system.Now().Sub(began)
	tick.Attach(s)
	return runSession(s, f, tick, stdin, stdout, stderr)
}

// runSession runs what the flags ask for, or the prompt.
func runSession(s *commands.Session, f *flags, tick *terminal.Ticker, stdin *os.File, stdout,
	stderr *out.Terminal) int {
	s.JSON = f.json
	if err := terminal.SetColor(s, system, f.color, stdout); err != nil {
		commands.WriteError(stderr, err)
		return exitUsage
	}
	interactive := len(f.work) == 0 && terminal.Is(stdin)
	var keys terminal.Interrupts
	if interactive {
		keys = terminal.CatchInterrupts()
	}
	if err := loadCommands(s, f); err != nil {
		commands.WriteError(stderr, err)
		return exitUsage
	}
	if !f.noRC {
		keys.Within(func(ctx context.Context) { runRC(ctx, s) })
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
	if unwritten := s.Out.Flush(); !errors.Is(err, unwritten) { // a statement may have met it already
		err = errors.Join(err, unwritten)
	}
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

// runRC runs the commands of ~/.coredbgrc. Failures there have been printed and stop nothing.
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
