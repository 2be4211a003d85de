package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"unicode"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

// prompt runs an interactive session: it says what the core is, then reads
// and runs lines until the input ends. ^C ends the command that runs.
func prompt(s *commands.Session, stdin, stdout, stderr *os.File) error {
	native.Banner(context.Background(), s).Text(s.Out)
	if err := s.Out.Flush(); err != nil {
		return err
	}
	e, err := newEditor(s.Complete)
	if err != nil {
		return runInput(s, stdin, "stdin", true)
	}
	defer e.Close()
	pager := newPager(stdin, stdout)
	if pager != nil {
		s.Out.SetRaw(pager)
		s.Live = true
	}
	if e.historyError != nil {
		fmt.Fprintf(stderr, "coredbg: no history is kept: %v\n", e.historyError)
	}
	s.Prompt = promptFor(s.Process.Path)
	return converse(s, e, pager)
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
func converse(s *commands.Session, in lineReader, pager *out.Pager) error {
	last := ""
	for {
		line, err := in.ReadLine(s.Prompt)
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Err)
			return nil
		case errors.Is(err, errAborted):
			continue
		case err != nil:
			return err
		}
		if strings.TrimSpace(line) != "" && line != last {
			in.AddHistory(line)
			last = line
		}
		if pager != nil {
			pager.Reset()
		}
		if quit := runLine(s, line); quit {
			return nil
		}
	}
}

// runLine runs one line with ^C for it alone.
func runLine(s *commands.Session, line string) (quit bool) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := s.Run(ctx, line)
	switch {
	case errors.Is(err, lang.ErrQuit):
		return true
	case ctx.Err() != nil:
		fmt.Fprintln(s.Err, "coredbg: interrupted")
	}
	return false
}
