package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/collect"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/file"
	"coredbg/triage"
)

const (
	collectSynopsis = `usage: coredbg collect [flags] < core
`
	collectAbout = `Reads a core from standard input and keeps a bundle of it and its line of triage, for
/proc/sys/kernel/core_pattern. The pattern is the example below.

-host %h and -command %e name the machine and the program, too. The files are their owner's alone and
appear whole. The line says what became of the core; where no bundle could be made, the core itself is
kept. coredbg groups reads the lines: coredbg groups /var/lib/coredbg/*.json
`
)

// collectPage is the help of "coredbg collect".
var collectPage = cmdline.Page{Synopsis: collectSynopsis, About: collectAbout,
	Example: "  |/usr/local/bin/coredbg collect -kernel -dir /var/lib/coredbg -pid %P -time %t\n",
	Often:   []string{"dir", "keep", "kernel", "stacks"}}

// collectFlags are the flags of "coredbg collect".
type collectFlags struct {
	triageFlags
	collect.Collector
	bundle  coredbg.BundleOptions
	command string
	pid     int
	time    int64
	kernel  bool
}

// runCollect is "coredbg collect".
func runCollect(args []string, _ opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, err := parseCollect(args, stdin, stdout, stderr)
	if err != nil && slices.Contains(args, "-kernel") {
		logKernel(err) // stderr has no reader then
	}
	return perform(err, stderr, func(ctx context.Context) error {
		root := f.keepRoot()
		defer root.Close()
		l, err := f.take(ctx, stdin)
		if err != nil {
			if f.kernel {
				logKernel(err)
			}
			return err
		}
		fmt.Fprintf(stdout, "%s: %s\n", out.Clean(l.Core, false), out.Clean(cmp.Or(l.Title, l.Error), false))
		if l.Status != triage.Read {
			return errUnread
		}
		return nil
	})
}

func (f *collectFlags) take(ctx context.Context, stdin io.Reader) (*triage.Line, error) {
	at := system.Now()
	if f.time > 0 {
		at = time.Unix(f.time, 0)
	}
	return f.Take(ctx, stdin, collect.Name(f.command, f.pid, at), at)
}

// keepRoot opens the root folder of the process that the kernel dumps and makes it the
// sysroot, by a path that stays good when the process is gone and another has its id.
func (f *collectFlags) keepRoot() *os.File {
	if !f.kernel || f.sysroot != "" || f.pid == 0 {
		return nil
	}
	root, err := os.Open(fmt.Sprintf("/proc/%d/root", f.pid))
	if err != nil {
		return nil // it was killed, and its files are gone: the host's files are used if they prove to be its
	}
	f.sysroot = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), root.Fd())
	f.given.Set("sysroot", f.sysroot)
	f.Runner = f.runner()
	return root
}

// logKernel writes an error to the kernel's log. There is no other place to report it if that fails.
func logKernel(err error) { file.KernelLog("coredbg: " + out.Clean(err.Error(), false)) }

func parseCollect(args []string, stdin *os.File, stdout, stderr io.Writer) (*collectFlags, error) {
	f := &collectFlags{}
	f.Keep, f.MaxTotal, f.maxSize = 100, 20<<30, 4<<30
	set := flag.NewFlagSet("coredbg collect", flag.ContinueOnError)
	set.StringVar(&f.Dir, "dir", "", "the `folder` to keep cores in; it is made if it is not there")
	set.IntVar(&f.pid, "pid", 0, "the process `id`, for the name of the files (%P of core_pattern)")
	set.Int64Var(&f.time, "time", 0, "when the process died, in `seconds` since 1970 (%t)")
	set.StringVar(&f.Host, "host", "", "the `name` of the system that the process saw, for the line (%h)")
	set.BoolVar(&f.kernel, "kernel", false, "the kernel has started it: look for files as the process saw them, below /proc/PID/root, and write what goes wrong to the kernel's log")
	set.StringVar(&f.command, "command", "", "the `name` of the process (%e)")
	takeFlags(set, &f.bundle)
	set.IntVar(&f.Keep, "keep", f.Keep, "keep this `count` of cores, 100 without it; 0 for any")
	set.Func("max-total", "keep at most `size` bytes, as 500M; 20G without it", func(s string) (err error) {
		f.MaxTotal, err = cmdline.Size(s)
		return err
	})
	limitFlags(set, &f.triageFlags)
	openFlags(set, &f.flags)
	set.Lookup("max-size").Usage = "read at most `size` bytes of the core, as 500M; 4G without it"
	f.given = cmdline.Note(set)
	operands, err := cmdline.Parse(set, args, &collectPage, stdout, stderr)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Dir == "":
		err = errors.New("-dir is needed: which folder?")
	case len(operands) > 0:
		err = fmt.Errorf("the core comes from standard input, not from %q", operands[0])
	case terminal.Is(stdin):
		err = errors.New("a core is not typed: redirect one")
	}
	if err != nil {
		cmdline.Mistake(set, err, collectSynopsis, stderr)
		return nil, err
	}
	f.MaxSize, f.Timeout, f.Bundle = f.maxSize, f.timeout, f.makeBundle
	f.Runner = f.runner()
	return f, nil
}

// makeBundle runs "coredbg bundle" in a process of its own.
func (f *collectFlags) makeBundle(ctx context.Context, core, bundle string) error {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	takeFlags(set, &coredbg.BundleOptions{})
	openFlags(set, &flags{})
	args := []string{"bundle", "-memory", strconv.FormatInt(f.memory, 10)}
	args = append(append(args, f.given.For(set)...), "-offline", "-no-cache", "-o", bundle, "--", core)
	var said bytes.Buffer
	state, err := commands.OS{}.Self(ctx, args, nil, io.Discard, &said)
	if err == nil && !state.Success() {
		line, _, _ := strings.Cut(strings.TrimPrefix(said.String(), "coredbg: "), "\n")
		err = errors.New(cmp.Or(out.Clean(line, false), state.String()))
	}
	return err
}
