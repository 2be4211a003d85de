package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/triage"
)

// runBundle is "coredbg bundle": it says what the bundle will contain, then
// writes it.
func runBundle(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	f, o, err := parseBundle("bundle", args, &bundlePage, stdout, stderr)
	return packCore(f, o, err, stdout, stderr)
}

// runFetch is "coredbg fetch": it asks servers for all files of a core, then does what
// "coredbg bundle" does.
func runFetch(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	f, o, err := parseBundle("fetch", args, &fetchPage, stdout, stderr)
	if err == nil && f.servers() == nil {
		why := "DEBUGINFOD_URLS names no server"
		if f.offline {
			why = "-offline asks no server"
		}
		commands.WriteError(stderr, fmt.Errorf("coredbg fetch: %s; coredbg bundle packs what is here", why))
		return exitUsage
	}
	if err == nil {
		o.Fetch = true
	}
	return packCore(f, o, err, stdout, stderr)
}

// packCore makes the bundle that flags ask for; err is what is wrong with these.
func packCore(f *flags, o *bundleFlags, err error, stdout, stderr *out.Terminal) int {
	return perform(err, stderr, func(ctx context.Context) (err error) {
		if o.memory > 0 {
			triage.Limit(o.memory, math.MaxInt64)
		}
		tick := terminal.NewTicker(stderr.File(), system)
		tick.Watch(func() { err = writeBundle(ctx, f, o, tick, stdout, stderr) })
		return err
	})
}

// bundleFlags are the flags of "coredbg bundle" alone.
type bundleFlags struct {
	coredbg.BundleOptions
	target
	zstd   string // a program that packs; "" for the library
	memory int64  // that it may take, in bytes; 0 for any
}

const (
	bundleSynopsis = `usage: coredbg bundle [flags] [executable] core
`
	bundleAbout = `Packs a core and the files needed to read it into one file, which coredbg opens
on any machine. It lists the contents first.
`
)

// bundlePage is the help of "coredbg bundle".
var bundlePage = cmdline.Page{Synopsis: bundleSynopsis, About: bundleAbout,
	Example: "  coredbg bundle core.1234 -o crash.cdb\n", Often: []string{"o", "redact", "stacks", "search"}}

const (
	fetchSynopsis = `usage: coredbg fetch [flags] [executable] core
`
	fetchAbout = `Asks the debuginfod servers of DEBUGINFOD_URLS for all files of a core that are
not here, executables, libraries and debug files, keeps them in the cache that is
shared with gdb, and packs them with the core into one file, as coredbg bundle does.
`
)

// fetchPage is the help of "coredbg fetch".
var fetchPage = cmdline.Page{Synopsis: fetchSynopsis, About: fetchAbout, Example: "  coredbg fetch core.1234\n",
	Often: []string{"o", "redact", "stacks"}}

// parseBundle parses the flags of a subcommand that makes a bundle.
func parseBundle(name string, args []string, page *cmdline.Page, stdout,
	stderr io.Writer) (f *flags, o *bundleFlags, err error) {
	f, o = &flags{}, &bundleFlags{}
	set := flag.NewFlagSet("coredbg "+name, flag.ContinueOnError)
	o.target.flags(set, ".cdb")
	takeFlags(set, &o.BundleOptions)
	set.BoolVar(&o.Small, "small", false, "pack harder, and slower")
	set.BoolVar(&o.Lean, "lean", false, "leave out unwind tables, function names and source lines of code that no stack runs through: what is asked about it later says so")
	set.BoolVar(&o.Sources, "sources", false,
		"take the source files of functions on stacks, too, as far as they are here or servers have them")
	set.StringVar(&o.Share, "share", "", "put files that other bundles may share into `folder`, which must be next to the bundle when it is opened")
	set.StringVar(&o.zstd, "zstd", "", "pack with this `program`, zstd, at its level 19: slow, and a seventh smaller than -small")
	set.Func("memory", "take at most `size` bytes of memory, as 500M", func(s string) (err error) {
		o.memory, err = cmdline.Size(s)
		return err
	})
	if err = f.parseCore(set, args, page, stdout, stderr); err != nil {
		return nil, nil, err
	}
	if o.zstd != "" {
		o.Pack = packWith(o.zstd)
	}
	o.target.name(f.core)
	return f, o, nil
}

// takeFlags adds the flags that say what every kind of bundle leaves out.
func takeFlags(set *flag.FlagSet, o *coredbg.BundleOptions) {
	set.BoolVar(&o.Stacks, "stacks", false, "a small bundle for stacks: leave the heap out")
	set.BoolVar(&o.Redact, "redact", false, "leave arguments and environment out, copies of their values, and vector registers")
}

// packWith returns what packs with a program that is zstd, or does as it does.
func packWith(program string) func(ctx context.Context, piece []byte) ([]byte, error) {
	return func(ctx context.Context, piece []byte) ([]byte, error) {
		return commands.OS{}.Filter(ctx, piece, program, "-19", "-q", "-c", "--check", "--single-thread",
			"--stream-size="+strconv.Itoa(len(piece)))
	}
}

// writeBundle says what a bundle will contain and writes it.
func writeBundle(ctx context.Context, f *flags, o *bundleFlags, tick *terminal.Ticker, stdout,
	stderr *out.Terminal) error {
	to, err := o.create(ctx, "a bundle", f, stdout.File())
	if err != nil {
		return err
	}
	defer to.Close()
	bundle, err := coredbg.PlanBundle(ctx, f.core, f.options(os.Stdin, nil, stderr, tick), o.BundleOptions)
	if err != nil {
		return hint(err)
	}
	defer bundle.Close()
	talk := stdout
	if o.path == "-" {
		talk = stderr
	}
	tick.Clear()
	if o.Fetch {
		for _, line := range bundle.Servers() {
			fmt.Fprintln(talk, out.Clean(line, false))
		}
	}
	fmt.Fprint(talk, bundle.Contents())
	var n int64
	if err = to.Keep(bundle.Files()...); err == nil {
		n, err = bundle.Write(ctx, to)
	}
	if err == nil {
		err = to.Commit()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.path, err)
	}
	tick.Clear()
	fmt.Fprintf(talk, "wrote %s, %d bytes\n", o.path, n)
	return nil
}
