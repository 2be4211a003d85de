package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands/out"
	"coredbg/report"
)

const (
	reportSynopsis = `usage: coredbg report [flags] [executable] core
`
	reportAbout = `Writes one page of HTML about a core: why the process died, the stacks
of all threads, who holds the memory, the missing parts, and next to each answer the
command that gives it. The page needs no network and no other file.
`
)

// reportPage is the help of "coredbg report".
var reportPage = cmdline.Page{Synopsis: reportSynopsis, About: reportAbout, Example: "  coredbg report core.1234\n",
	Often: []string{"o", "redact", "search", "sysroot"}}

// reportFlags are the flags of "coredbg report" alone.
type reportFlags struct {
	target
	redact bool
}

// runReport is "coredbg report".
func runReport(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, o, err := parseReport(args, stdout, stderr)
	return perform(err, stderr, func(ctx context.Context) (err error) {
		tick := terminal.NewTicker(stderr.File(), system)
		tick.Watch(func() { err = writeReport(ctx, f, o, open, tick, stdin, stdout, stderr) })
		return f.hint(err)
	})
}

func parseReport(args []string, stdout, stderr io.Writer) (f *flags, o *reportFlags, err error) {
	f, o = &flags{color: "auto"}, &reportFlags{}
	set := flag.NewFlagSet("coredbg report", flag.ContinueOnError)
	o.target.flags(set, ".html")
	set.BoolVar(&o.redact, "redact", false, "leave out what bundle -redact leaves out, and messages and values")
	if err = f.parseCore(set, args, &reportPage, stdout, stderr); err != nil {
		return nil, nil, err
	}
	o.target.name(f.core)
	return f, o, nil
}

// writeReport writes the page. The error is errPartial if something could not be read that
// it should say.
func writeReport(ctx context.Context, f *flags, o *reportFlags, open opener, tick *terminal.Ticker, stdin *os.File,
	stdout, stderr *out.Terminal) error {
	to, err := o.create(ctx, "a report", f, stdout.File())
	if err != nil {
		return err
	}
	defer to.Close()
	path := f.core
	if o.redact {
		var done func()
		if f.core, done, err = redacted(ctx, f, tick, stderr); err != nil {
			return err
		}
		defer done()
	}
	s, err := open(f.core, f.options(stdin, nil, stderr, tick))
	if err != nil {
		return hint(err)
	}
	defer s.Close()
	tick.Attach(s)
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
		return fmt.Errorf("writing %s: %w", o.path, err)
	}
	tick.Clear()
	if o.path != "-" {
		fmt.Fprintf(stdout, "wrote %s\n", o.path)
	}
	if s.Partial {
		return errPartial
	}
	return nil
}

// redacted makes a redacted bundle of the core for the page: data that is not in the bundle cannot be in the
// page. The caller calls done when it has been read.
func redacted(ctx context.Context, f *flags, tick *terminal.Ticker,
	stderr *out.Terminal) (path string, done func(), err error) {
	dir, err := os.MkdirTemp("", "coredbg-report-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	o := &bundleFlags{BundleOptions: coredbg.BundleOptions{Redact: true},
		target: target{path: filepath.Join(dir, "core.cdb")}}
	if err := writeBundle(ctx, f, o, tick, out.NewTerminal(io.Discard), stderr); err != nil {
		done()
		return "", nil, fmt.Errorf("redacting %s: %w", f.core, err)
	}
	return o.path, done, nil
}
