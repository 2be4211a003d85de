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
	"time"
	"unicode"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

// prompt runs an interactive session: it says what the core is, then reads
// and runs lines until the input ends. ^C ends the command that runs.
func prompt(s *commands.Session, f *flags, tick *ticker, keys interrupts, stdin *os.File, stdout, stderr *out.Terminal) error {
	began := system.Now()
	var banner commands.Texter
	keys.within(func(ctx context.Context) {
		if s.Servers != nil {
			defer s.Servers.Within(ctx)()
		}
		tick.watch(func() { banner = native.Banner(ctx, s) })
	})
	f.opened += system.Now().Sub(began) // the verdict may take longer than the file
	banner.Text(s.Out)
	if err := s.Out.Flush(); err != nil {
		return err
	}
	if tick != nil {
		fmt.Fprintf(stderr, "opened in %v\n", f.opened.Round(time.Millisecond))
	}
	e, err := newEditor(s.Complete, keys, stdin, stdout, stderr)
	if err != nil {
		return runInput(s, stdin, "stdin", true)
	}
	defer e.Close()
	pager := newPager(stdin, stdout, tick)
	if pager != nil {
		s.Out.SetRaw(pager)
		s.Live = true
	}
	if e.historyError != nil {
		commands.WriteError(stderr, fmt.Errorf("no history is kept: %w", e.historyError))
	}
	s.Prompt = promptFor(s.Process.Path)
	return converse(s, keys, e, pager)
}

// interrupts gets what ^C sends. From the moment that it is made the signal
// ends nothing by itself, to the end of the program: neither while a line is
// read, which a terminal that cannot be edited on leaves to the signal, nor in
// the moments between a line, its command and a pager.
type interrupts chan os.Signal

func catchInterrupts() interrupts {
	keys := make(interrupts, 1)
	signal.Notify(keys, os.Interrupt)
	return keys
}

// within runs do with a context that ^C ends, and reports whether it did.
func (keys interrupts) within(do func(ctx context.Context)) (interrupted bool) {
	select {
	case <-keys: // meant for what is over
	default:
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-keys:
			cancel()
		case <-over:
		}
	}()
	do(ctx)
	close(over)
	<-watched
	interrupted = ctx.Err() != nil
	cancel()
	return interrupted
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
func converse(s *commands.Session, keys interrupts, in lineReader, pager *out.Pager) error {
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
func runLine(s *commands.Session, keys interrupts, line string) (quit bool) {
	var err error
	interrupted := keys.within(func(ctx context.Context) { err = s.Run(ctx, line) })
	switch {
	case errors.Is(err, lang.ErrQuit):
		return true
	case interrupted:
		fmt.Fprintln(s.Err, "coredbg: interrupted")
	}
	return false
}
