package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// flags are the command line.
type flags struct {
	executable, core      string
	work                  []work
	json, noRC, keepGoing bool
	version, help         bool
	sysroot, color        string
	search, debugDirs     []string
	sdk                   int
}

// work is something to do in batch: a command or a file of commands.
type work struct{ command, file string }

const usage = `usage: coredbg [flags] [executable] core
       coredbg bundle [-o FILE] [-stacks] [-redact] [executable] core

With -e, -f or redirected input coredbg runs these commands and ends; else it
prompts. "::help" at the prompt lists the commands.

`

// parseFlags reads the command line. Flags may stand before and behind the
// operands. What is wrong has been said when it returns an error.
func parseFlags(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := flag.NewFlagSet("coredbg", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
	}
	set.Func("e", "run `command` and end; may be repeated", func(s string) error {
		f.work = append(f.work, work{command: s})
		return nil
	})
	set.Func("f", "run the commands in `file` and end; may be repeated", func(s string) error {
		f.work = append(f.work, work{file: s})
		return nil
	})
	set.BoolVar(&f.json, "json", false, "print one JSON object a line")
	set.BoolVar(&f.noRC, "S", false, "do not run ~/.coredbgrc")
	set.BoolVar(&f.keepGoing, "k", false, "keep going after a command that failed")
	set.BoolVar(&f.version, "version", false, "print the version and end")
	set.StringVar(&f.color, "color", "auto", "colour output: auto, always or never")
	openFlags(set, f)

	operands, err := parseAll(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.help = true
		return f, nil
	case err != nil:
		return nil, err
	case f.version:
		return f, nil
	case f.color != "auto" && f.color != "always" && f.color != "never":
		err = fmt.Errorf("-color is auto, always or never, not %q", f.color)
	default:
		err = f.operands(operands)
	}
	if err != nil {
		fmt.Fprintf(stderr, "coredbg: %v\n%s", err, usage)
	}
	return f, err
}

// openFlags adds the flags that say where files are.
func openFlags(set *flag.FlagSet, f *flags) {
	set.StringVar(&f.sysroot, "sysroot", "", "look for the core's files below `dir`")
	set.Func("search", "look for files by base name in `dir`; may be repeated", func(s string) error {
		f.search = append(f.search, s)
		return nil
	})
	set.IntVar(&f.sdk, "sdk", 0, "decode the Android Runtime as of API level `N`; 0 finds it out")
	set.Func("debug-dir", "look for debug files in `dir`; may be repeated", func(s string) error {
		f.debugDirs = append(f.debugDirs, s)
		return nil
	})
}

// parseAll parses flags wherever they stand and returns the other arguments.
func parseAll(set *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := set.Parse(args); err != nil {
			return nil, err
		}
		rest := set.Args()
		if len(rest) == 0 {
			return operands, nil
		}
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			return append(operands, rest...), nil
		}
		operands = append(operands, rest[0])
		args = rest[1:]
	}
}

func (f *flags) operands(args []string) error {
	switch len(args) {
	case 1:
		f.core = args[0]
	case 2:
		f.executable, f.core = args[0], args[1]
		if st, err := os.Stat(f.executable); err == nil && st.IsDir() {
			return fmt.Errorf("%s is a directory, not an executable", f.executable)
		}
	case 0:
		return errors.New("which core?")
	default:
		return fmt.Errorf("too many arguments: %q", args[2:])
	}
	return nil
}

// version names the build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = s.Value
		}
	}
	if v == "" {
		v = "(devel)"
	}
	return v + " " + info.GoVersion
}
