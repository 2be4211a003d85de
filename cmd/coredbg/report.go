package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/report"
)

const (
	reportSynopsis = `usage: coredbg report [flags] [executable] core
`
	reportAbout = `Writes what is known of a core as one page of HTML: why the process died, the stacks
of all threads, who holds the memory, what is missing, and beside each answer the
command that gives it. The page needs no network and no other file.
`
)

// reportFlags are the flags of "coredbg report" alone.
type reportFlags struct {
	target
	redact bool
}

// runReport is "coredbg report".
func runReport(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, o, err := parseReport(args, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	ctx, stop := untilSignal(stderr)
	defer stop()
	tick := newTicker(stderr.File())
	partial := false
	tick.watch(func() { partial, err = writeReport(ctx, f, o, open, tick, stdin, stdout, stderr) })
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "coredbg: interrupted")
		return exitFatal
	case err != nil:
		commands.WriteError(stderr, f.hint(hint(err)))
		return exitFatal
	case partial:
		return exitPartial
	}
	return exitOK
}

func parseReport(args []string, stdout, stderr io.Writer) (f *flags, o *reportFlags, err error) {
	f, o = &flags{color: "auto"}, &reportFlags{}
	set := flag.NewFlagSet("coredbg report", flag.ContinueOnError)
	set.StringVar(&o.path, "o", "", "write to `file`, or to standard output for -; without it the core's name with .html, here")
	set.BoolVar(&o.force, "force", false, "replace a file that is there")
	set.BoolVar(&o.redact, "redact", false, "leave out what bundle -redact leaves out, and messages and values")
	also(set, "o", "output")
	openFlags(set, f)
	operands, err := parseArgs(set, args, reportSynopsis, reportAbout, stdout, stderr)
	if err != nil {
		return nil, nil, err
	}
	if err = f.operands(operands); err != nil {
		mistake(set, err, reportSynopsis, stderr)
		return nil, nil, err
	}
	f.noteSwap(stderr)
	if o.path == "" {
		o.path = filepath.Base(f.core) + ".html"
		if f.core == coredbg.Stdin {
			o.path = "core.html"
		}
	}
	return f, o, nil
}

// writeReport writes the page, and reports whether something could not be read that it
// should say.
func writeReport(ctx context.Context, f *flags, o *reportFlags, open opener, tick *ticker, stdin *os.File, stdout, stderr *out.Terminal) (partial bool, err error) {
	to, err := o.create(ctx, "a report", f, stdout.File())
	if err != nil {
		return false, err
	}
	defer to.Close()
	path := f.core
	if o.redact {
		var done func()
		if f.core, done, err = redacted(ctx, f, tick, stderr); err != nil {
			return false, err
		}
		defer done()
	}
	s, err := open(f.core, f.options(stdin, nil, stderr, tick))
	if err != nil {
		return false, err
	}
	defer s.Close()
	tick.attach(s)
	if o.redact {
		s.Process.Path = filepath.Base(path)
	}
	page, err := report.New(ctx, s, report.Options{Bare: o.redact, Now: system.Now()})
	if err == nil {
		err = page.Write(to)
	}
	if err == nil {
		err = to.Commit()
	}
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", o.path, err)
	}
	tick.clear()
	if o.path != "-" {
		fmt.Fprintf(stdout, "wrote %s\n", o.path)
	}
	return s.Partial, nil
}

// redacted makes a redacted bundle of the core, which the page is of: what is not in it
// cannot be in the page. The caller calls done when it has been read.
func redacted(ctx context.Context, f *flags, tick *ticker, stderr *out.Terminal) (path string, done func(), err error) {
	dir, err := os.MkdirTemp("", "coredbg-report-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	b := &target{path: filepath.Join(dir, "core.cdb")}
	err = func() error {
		to, err := b.create(ctx, "a bundle", f, nil)
		if err != nil {
			return err
		}
		defer to.Close()
		bundle, err := coredbg.PlanBundle(ctx, f.core, f.options(os.Stdin, nil, stderr, tick), coredbg.BundleOptions{Redact: true})
		if err != nil {
			return err
		}
		defer bundle.Close()
		if _, err = bundle.Write(ctx, to); err != nil {
			return err
		}
		return to.Commit()
	}()
	if err != nil {
		done()
		return "", nil, fmt.Errorf("redacting %s: %w", f.core, err)
	}
	return b.path, done, nil
}
