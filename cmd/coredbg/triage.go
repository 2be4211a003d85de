package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/export"
	"coredbg/triage"
)

const (
	triageSynopsis = `usage: coredbg triage [flags] core|folder|pattern|list|- ...
`
	triageAbout = `Says of any number of cores why each process died: one line of JSON a core, in the
order of the arguments and of names in them, for coredbg groups and other programs. A
folder stands for the cores in it and below, a pattern such as 'cores/**/core.*' for the files that
match it, a text file or - (standard input) for the paths in it. Each core is read by
a process of its own, within bounds. One that cannot be read is a line, too, whose status
says why: unopened, timeout, memory, failed. Only seconds and peak in a line differ from
run to run. It exits with 3 if some core could not be read.
`
)

// triagePage is the help of "coredbg triage".
var triagePage = cmdline.Page{Synopsis: triageSynopsis, About: triageAbout,
	Example: "  coredbg triage cores | coredbg groups -\n", Often: []string{"j", "o", "resume"}}

// triageFlags are the flags of "coredbg triage".
type triageFlags struct {
	flags
	jobs                    int
	timeout                 time.Duration
	memory                  int64
	noSandbox, steady, zero bool
	resume                  string
	shard, shards           int
	format                  string // "" for lines
	one                     bool   // this process reads one core
}

// runTriage is "coredbg triage".
func runTriage(args []string, _ opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, operands, err := parseTriage(args, stdout, stderr)
	if err == nil && f.one {
		return runTriageOne(f, operands[0], stdin, stdout, stderr)
	}
	return perform(err, stderr, func(ctx context.Context) error {
		f.noteMissing(stderr)
		if err := f.checkRecipes(stderr); err != nil {
			return err
		}
		cores, err := triage.Cores(operands, stdin, f.zero)
		switch {
		case err != nil:
			return err
		case len(cores) == 0:
			return fmt.Errorf("no cores in %s", strings.Join(operands, ", "))
		}
		return f.each(ctx, triage.Shard(cores, f.shard, f.shards), stdout, stderr)
	})
}

func parseTriage(args []string, stdout, stderr io.Writer) (f *triageFlags, operands []string, err error) {
	f = &triageFlags{shard: 1, shards: 1}
	set := flag.NewFlagSet("coredbg triage", flag.ContinueOnError)
	set.IntVar(&f.jobs, "j", runtime.NumCPU(), "read `N` cores at a time")
	cmdline.Also(set, "j", "jobs")
	limitFlags(set, f)
	formatFlag(set, f)
	set.StringVar(&f.resume, "resume", "", "write to `file`, and make no line that is in it already")
	set.Func("shard", "read the `i/n`-th part of the cores", func(s string) error {
		i, n, _ := strings.Cut(s, "/")
		var err error
		if f.shard, err = strconv.Atoi(i); err == nil {
			f.shards, err = strconv.Atoi(n)
		}
		if err != nil || f.shard < 1 || f.shard > f.shards {
			return errors.New("not a part such as 2/5")
		}
		return nil
	})
	set.BoolVar(&f.zero, "0", false, "the paths of a list end with a byte of zero, as of find -print0")
	set.BoolVar(&f.steady, "steady", false, "leave out what differs from run to run: seconds and peak")
	if len(args) > 0 && args[0] == triage.OneCore {
		f.one, args = true, args[1:]
	}
	openFlags(set, &f.flags)
	f.given = cmdline.Note(set)
	operands, err = cmdline.Parse(set, args, &triagePage, stdout, stderr)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case len(operands) == 0:
		err = errors.New("which cores?")
	case f.one && len(operands) != 1:
		err = errors.New("one process reads one core")
	case f.jobs < 1:
		err = errors.New("-j is at least 1")
	case f.format != "" && !isFormat(f.format):
		err = fmt.Errorf("-o is one of %s, not %q", export.Names(), f.format)
	case f.format != "" && f.resume != "":
		err = errors.New("-resume goes on with lines of triage, not with -o")
	}
	if err != nil {
		cmdline.Mistake(set, err, triageSynopsis, stderr)
	}
	return f, operands, err
}

// isFormat reports whether there is a format of a name.
func isFormat(name string) bool {
	_, ok := formatOf(name)
	return ok
}

// formatFlag adds the flag that says what is written of a core.
func formatFlag(set *flag.FlagSet, f *triageFlags) {
	set.StringVar(&f.format, "o", f.format, "write each core in this `format`: "+export.Names()+
		"; without it as lines of triage")
	cmdline.Also(set, "o", "output")
}

// childFlags returns the flags that a process which reads one core has in common with the one that
// starts it, and into which values it puts them.
func childFlags(f *triageFlags) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	limitFlags(set, f)
	formatFlag(set, f)
	openFlags(set, &f.flags)
	return set
}

// limitFlags adds the flags that bound the processes that read cores.
func limitFlags(set *flag.FlagSet, f *triageFlags) {
	f.memory = 2 << 30
	set.DurationVar(&f.timeout, "timeout", 30*time.Second,
		"end the process of a core after this `time`, as 90s; 30s without it")
	set.Func("memory", "let the process of a core take at most `size` bytes, as 500M; 2G without it",
		func(s string) (err error) {
			f.memory, err = cmdline.Size(s)
			return err
		})
	set.BoolVar(&f.noSandbox, "no-sandbox", false, "let the processes reach what you can")
}

// each reads cores and writes their lines.
func (f *triageFlags) each(ctx context.Context, cores []string, stdout, stderr *out.Terminal) error {
	w := out.NewWriter(stdout)
	if f.resume != "" {
		to, done, err := triage.Resume(f.resume)
		if err != nil {
			return err
		}
		defer to.Close()
		w = out.NewWriter(to)
		cores = triage.Left(cores, done)
	}
	p := newProgress(stderr, len(cores))
	defer p.clear()
	unread := false
	to := newSheet(w, stderr, f.format)
	err := f.runner().Run(ctx, cores, func(got *triage.Result) error {
		p.clear()
		unread = unread || got.Doc == nil && got.Line.Status != triage.Read
		err := to.add(got)
		p.add(got.Line)
		return err
	})
	if err == nil {
		err = to.end()
	}
	if err == nil && unread {
		err = errUnread
	}
	return err
}

// checkRecipes reports once what is wrong with the recipes that all processes read.
func (f *flags) checkRecipes(stderr *out.Terminal) error {
	return coredbg.CheckRecipes(f.recipes, func(problem error) { commands.WriteError(stderr, problem) })
}

// runner returns what reads cores.
func (f *triageFlags) runner() *triage.Runner {
	r := &triage.Runner{Start: commands.OS{}.Self, Args: f.childArgs(), Jobs: f.jobs, Timeout: f.timeout,
		Memory: f.memory}
	if !f.noSandbox {
		r.Lend = triage.Lending(&coredbg.Options{Sysroot: f.sysroot, DebugDirs: f.debugDirs})
	}
	if !f.steady {
		r.Now = system.Now
	}
	return r
}

// childArgs are the arguments of a process that reads a core, without its path.
func (f *triageFlags) childArgs() []string {
	args := []string{"triage", triage.OneCore}
	if f.format != "" { // a corpus has its own
		args = append(args, "-o", f.format)
	}
	return append(append(args, f.given.For(childFlags(&triageFlags{}))...), "--")
}

// runTriageOne reads a core for the process that has started this one, and ends with it.
func runTriageOne(f *triageFlags, core string, stdin *os.File, stdout, stderr *out.Terminal) int {
	f.offline, f.noCache = true, true // it reads one core of many, and a stranger may have written it
	j := &triage.Job{Core: core, Options: f.options(stdin, nil, out.NewTerminal(io.Discard), nil), Memory: f.memory,
		NoSandbox: f.noSandbox}
	if format, ok := formatOf(f.format); ok {
		j.Export = format.Make
	}
	if err := j.Serve(stdin, stdout); err != nil {
		commands.WriteError(stderr, err)
		return exitFatal
	}
	return exitOK
}

// A progress is a line on a terminal that says how many cores have been read.
type progress struct {
	w           *os.File // nil without a terminal
	began       time.Time
	done, total int
	unread      int
}

func newProgress(stderr *out.Terminal, total int) *progress {
	p := &progress{total: total, began: system.Now()}
	if f := stderr.File(); f != nil && terminal.Is(f) {
		p.w = f
	}
	return p
}

// add counts a core and shows the line.
func (p *progress) add(l *triage.Line) {
	p.done++
	if l != nil && l.Status != triage.Read {
		p.unread++
	}
	if p.w == nil || p.done == p.total {
		return
	}
	took := system.Now().Sub(p.began)
	left := took / time.Duration(p.done) * time.Duration(p.total-p.done)
	fmt.Fprintf(p.w, "\r%d of %d cores, %d not read, %v left (^C ends it)\x1b[K", p.done, p.total, p.unread,
		left.Round(time.Second))
}

// clear takes the line away.
func (p *progress) clear() {
	if p.w != nil && p.done > 0 {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
