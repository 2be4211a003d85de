package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/lang"
)

// runWork runs the commands and files of the command line in their order. A failure in one of several names
// that one.
func runWork(s *commands.Session, f *flags) error {
	ctx, stop := untilSignal(s.Err)
	defer stop()
	var failed error
	n := 0 // commands so far
	for _, w := range f.work {
		name := ""
		if w.file == "" && len(f.work) > 1 {
			n++
			name = "-e " + strconv.Itoa(n)
		}
		err := runOne(ctx, s, w, name, f.keepGoing)
		if err == nil {
			err = ctx.Err() // a command may have made less of it, and warned
		}
		if err != nil {
			failed = err
		}
		if err != nil && (!f.keepGoing || errors.Is(err, lang.ErrQuit) || ctx.Err() != nil) {
			break
		}
	}
	return failed
}

func runOne(ctx context.Context, s *commands.Session, w work, name string, keepGoing bool) error {
	if w.file == "" {
		return s.RunSource(ctx, lang.Source{Name: name, Text: w.command})
	}
	in := os.Stdin
	if w.file != "-" {
		var err error
		if in, err = os.Open(w.file); err != nil {
			return err
		}
		defer in.Close()
	}
	return lines(ctx, s, in, w.file, keepGoing)
}

// runInput runs the lines of redirected input.
func runInput(s *commands.Session, in io.Reader, name string, keepGoing bool) error {
	ctx, stop := untilSignal(s.Err)
	defer stop()
	return lines(ctx, s, in, name, keepGoing)
}

// lines runs in line by line, so that a program can write commands and read
// their answers in turn.
func lines(ctx context.Context, s *commands.Session, in io.Reader, name string, keepGoing bool) error {
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, terminal.MaxLine)
	var failed error
	for n := 1; scan.Scan(); n++ {
		first := n
		text := lang.Gather(scan.Text(), func() (string, bool) {
			if !scan.Scan() {
				return "", false
			}
			n++
			return scan.Text(), true
		})
		err := s.RunSource(ctx, lang.Source{Name: name, Text: text, Script: true, Line: first})
		if errors.Is(err, lang.ErrQuit) || ctx.Err() != nil {
			return errors.Join(failed, cmp.Or(err, ctx.Err()))
		}
		if err != nil {
			failed = err
			if !keepGoing {
				return err
			}
		}
	}
	if err := scan.Err(); err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = p.Err
		}
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return failed
}
