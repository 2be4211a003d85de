package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

// prompt runs an interactive session: it says what the core is, then reads
// and runs lines until the input ends. ^C ends the command that runs.
func prompt(s *commands.Session, f *flags, tick *terminal.Ticker, keys terminal.Interrupts, stdin *os.File, stdout,
	stderr *out.Terminal) error {
	began := system.Now()
	var banner commands.Texter
	keys.Within(func(ctx context.Context) {
		if s.Servers != nil {
			defer s.Servers.Within(ctx)()
		}
		tick.Watch(func() { banner = native.Banner(ctx, s) })
	})
	f.openTime += system.Now().Sub(began) // the verdict may take longer than the file
	banner.Text(s.Out)
	if err := s.Out.Flush(); err != nil {
		return err
	}
	if tick != nil {
		fmt.Fprintf(stderr, "opened in %v\n", f.openTime.Round(time.Millisecond))
	}
	e, err := terminal.NewEditor(s.Complete, keys, system, stdin, stdout, stderr)
	if err != nil {
		return runInput(s, stdin, "stdin", true)
	}
	defer e.Close()
	pager := terminal.NewPager(stdin, stdout, tick)
	if pager != nil {
		s.Out.SetRaw(pager)
		s.Live = true
	}
	if e.HistoryError != nil {
		commands.WriteError(stderr, fmt.Errorf("no history is kept: %w", e.HistoryError))
	}
	s.Prompt = promptFor(s.Process.Path)
	return converse(s, keys, e, pager)
}

// promptFor makes a prompt of a core's name. The line editor takes no control
// characters in it.
func promptFor(path string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, filepath.Base(path))
	return name + "> "
}

// converse reads lines and runs them until ::quit or the end of input.
func converse(s *commands.Session, keys terminal.Interrupts, in terminal.LineReader, pager *out.Pager) error {
	last := ""
	for {
		line, err := in.ReadLine(s.Prompt)
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Err)
			return nil
		case errors.Is(err, terminal.ErrAborted):
			continue
		case err != nil:
			return err
		}
		if strings.TrimSpace(line) != "" && line != last {
			in.AddHistory(line)
			last = line
		}
		line = lang.Gather(line, func() (string, bool) {
			more, err := in.ReadLine("> ")
			if errors.Is(err, io.EOF) {
				fmt.Fprintln(s.Err)
			}
			return more, err == nil
		})
		if pager != nil {
			pager.Reset()
		}
		s.Typed(line)
		quit := runLine(s, keys, line)
		if pager != nil {
			_ = pager.Finish() // however it ends, the next line is read
		}
		if quit {
			return nil
		}
	}
}

// runLine runs one line with ^C for it alone.
func runLine(s *commands.Session, keys terminal.Interrupts, line string) (quit bool) {
	var err error
	interrupted := keys.Within(func(ctx context.Context) { err = s.Run(ctx, line) })
	switch {
	case errors.Is(err, lang.ErrQuit):
		return true
	case interrupted:
		fmt.Fprintln(s.Err, "coredbg: interrupted")
	}
	return false
}
