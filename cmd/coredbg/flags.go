package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/debuginfod"
	"coredbg/core/find"
)

// flags are the command line.
type flags struct {
	executable, core      string
	work                  []work
	json, noRC, keepGoing bool
	version, help         bool
	swapped               bool // the core came first
	coreless              bool // commands that need no core
	known                 int  // cores of the named program, process or unit in the system's stores
	sysroot, color        string
	search, debugDirs     []string
	perfMap               string
	recipes               []string
	load                  []string // files of commands in Starlark
	sdk                   int
	maxSize               int64
	offline, noCache      bool
	opened                *os.File       // of the core, if it is open already
	lent                  find.Finder    // in place of the files of this machine; nil for these
	given                 *cmdline.Given // nil where no other process needs them

	openTime time.Duration // how long it took to open the core
}

// work is something to do in batch: a command or a file of commands.
type work struct{ command, file string }

const (
	synopsis = `usage: coredbg [flags] [executable] core
       coredbg bundle [flags] [executable] core
       coredbg fetch [flags] [executable] core
       coredbg diff [flags] old new
       coredbg triage [flags] core|folder|pattern|list|- ...
       coredbg groups [flags] file ...
       coredbg collect [flags] < core
       coredbg corpus add|check|update|clean [flags] ...
       coredbg report [flags] [executable] core
       coredbg mcp [flags] [core ...]
       coredbg dap [flags]
       coredbg schema [type ...]
       coredbg completion bash|zsh|fish
       coredbg man
`
	about = `With -e, -f or redirected input coredbg runs these commands and ends; else it
prompts. A core is an ELF or Mach-O core, a minidump, or a bundle of one;
"-" is read from standard input. A process id, a program's name or path, or a unit
of systemd stands for its last core that systemd-coredump, apport, ABRT or the kernel
has kept. "::help" at the prompt explains the commands.
Subcommands, each with a --help of its own:

  coredbg bundle    makes one file of a core and the files needed to read it
  coredbg fetch     gets a core's files from servers, then does that
  coredbg diff      shows what grew from one core to another
  coredbg triage    reports why each of many cores died
  coredbg groups    says which of these died of the same bug
  coredbg collect   keeps cores as they come, each with why it died
  coredbg corpus    checks that the results for a set of cores have not changed
  coredbg report    writes a page of one core
  coredbg mcp       answers an assistant's questions about cores
  coredbg dap       shows a core to an editor
  coredbg schema    prints the JSON Schema of the records of -json
  coredbg completion, coredbg man  are for packages and shells
`
	brief = `usage: coredbg [flags] [executable] core
       coredbg SUBCOMMAND --help

Says why the process of a core died, and prompts: "bt", "info locals", "p x" and
"::help" go on from there. With -e, -f or redirected input it runs these, and
ends.

  coredbg core.1234
  coredbg -e '::stack' core.1234

  bundle, fetch   one file of a core and of all that is needed to read it
  report, diff    a page about a core; what grew from one core to another
  triage, groups  why many cores died, and which of the same bug
  collect, corpus, mcp, dap, schema, completion, man
`
)

// corePage is the help of coredbg itself.
var corePage = cmdline.Page{Synopsis: synopsis, About: about, Brief: brief,
	Often: []string{"e", "json", "search", "sysroot"}}

// newFlags returns the flags of coredbg, to be read into f.
func newFlags(f *flags) *flag.FlagSet {
	set := flag.NewFlagSet("coredbg", flag.ContinueOnError)
	set.Func("e", "run `command` and end; may be repeated", func(s string) error {
		f.work = append(f.work, work{command: s})
		return nil
	})
	cmdline.Also(set, "e", "eval")
	set.Func("f", "run the commands in `file` and end; may be repeated", func(s string) error {
		f.work = append(f.work, work{file: s})
		return nil
	})
	cmdline.Also(set, "f", "file")
	set.BoolVar(&f.json, "json", false, "print one JSON object a line")
	set.Func("load", "add the commands of a Starlark `file`; may be repeated", func(s string) error {
		f.load = append(f.load, s)
		return nil
	})
	set.BoolVar(&f.noRC, "S", false, "do not run ~/.coredbgrc, nor read the recipes and commands of the configuration folder")
	cmdline.Also(set, "S", "no-rc")
	set.BoolVar(&f.keepGoing, "k", false, "keep going after a command that failed")
	cmdline.Also(set, "k", "keep-going")
	set.StringVar(&f.core, "c", "", "open the core `file`, as gdb and lldb take it; what else is given is the executable")
	cmdline.Also(set, "c", "core")
	set.Func("ex", "run `command`, as gdb's: -e", func(s string) error {
		f.work = append(f.work, work{command: s})
		return nil
	})
	set.BoolVar(&f.version, "version", false, "print the version and end")
	set.StringVar(&f.color, "color", "auto", "`when` to use colour: auto, always or never")
	openFlags(set, f)
	return set
}

// parseFlags reads the command line. Flags may come before and after the operands. Mistakes have been printed
// when it returns an error.
func parseFlags(args []string, stdout, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := newFlags(f)
	operands, err := cmdline.Parse(set, args, &corePage, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.help = true
		return f, nil
	case err != nil:
		return nil, err
	case f.version:
		return f, nil
	case len(operands) == 1 && len(f.work) == 0 && slices.Contains([]string{"help", "version"}, operands[0]) &&
		!cmdline.Exists(operands[0]):
		return parseFlags([]string{"--" + operands[0]}, stdout, stderr)
	case f.color != "auto" && f.color != "always" && f.color != "never":
		err = fmt.Errorf("-color is auto, always or never, not %q", f.color)
	case len(operands) == 0 && f.core == "" && f.helps():
		f.coreless, f.noRC = true, true
	case f.core != "":
		err = f.operands(append(operands, f.core))
	default:
		err = f.operands(operands)
	}
	if path := ownRecipes(); err == nil && !f.noRC && path != "" {
		f.recipes = append([]string{path}, f.recipes...)
	}
	if err == nil && f.core == coredbg.Stdin {
		err = f.stdinFree()
	}
	if err != nil {
		cmdline.Mistake(set, err, synopsis, stderr)
	}
	return f, err
}

// ownRecipes returns the user's own file of recipes, in $XDG_CONFIG_HOME/coredbg, by default ~/.config/coredbg; ""
// if there is none.
func ownRecipes() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	path := filepath.Join(dir, "coredbg", "recipes")
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return path
}

// helps reports whether all that is to be run explains the debugger, which needs no core.
func (f *flags) helps() bool {
	for _, w := range f.work {
		word := strings.TrimPrefix(strings.TrimSpace(w.command), "::")
		if i := strings.IndexAny(word, " \t!|"); i >= 0 {
			word = word[:i]
		}
		if !slices.Contains([]string{"help", "dcmds", "walkers", "formats", "dmods", "which", "version", "dem"}, word) {
			return false
		}
	}
	return len(f.work) > 0
}

// stdinFree reports an error if commands are to come from where the core does.
func (f *flags) stdinFree() error {
	if len(f.work) == 0 {
		return errors.New("with the core on standard input, commands come from -e or -f")
	}
	for _, w := range f.work {
		if w.file == "-" {
			return errors.New("standard input cannot be both the core and a file of commands")
		}
	}
	return nil
}

// openFlags adds the flags that say where files are.
func openFlags(set *flag.FlagSet, f *flags) {
	set.StringVar(&f.sysroot, "sysroot", "", "look for the core's files in `dir` as if it were /, and nowhere else but in -search and -debug-dir")
	set.Func("search", "look for files by base name in `dir`; may be repeated", func(s string) error {
		f.search = append(f.search, s)
		return nil
	})
	set.Func("max-size", "unpack a compressed core to at most `size` bytes, as 500M or 64G; 16G without it",
		func(s string) (err error) {
			f.maxSize, err = cmdline.Size(s)
			return err
		})
	set.BoolVar(&f.offline, "offline", false, "ask no server for files, whatever DEBUGINFOD_URLS says")
	set.BoolVar(&f.noCache, "no-cache", false,
		"neither keep indexes of large debug files for the next time nor use the kept ones")
	set.IntVar(&f.sdk, "sdk", 0, "decode the Android Runtime as of API level `N`; 0 finds it out")
	set.Func("recipes", "take how containers look from `file`, before what is built in; may be repeated",
		func(s string) error {
			f.recipes = append(f.recipes, s)
			return nil
		})
	set.StringVar(&f.perfMap, "perf-map", "",
		"take names of code made at run time from the perf map `file`, not from perf-PID.map")
	set.Func("debug-dir", "look for debug files in `dir`, then in /usr/lib/debug; may be repeated",
		func(s string) error {
			f.debugDirs = append(f.debugDirs, s)
			return nil
		})
}

// options returns the options for opening the core. On a terminal it reports slow work, and asks before it
// takes much room.
func (f *flags) options(stdin *os.File, stdout io.Writer, stderr *out.Terminal, tick *terminal.Ticker) coredbg.Options {
	o := coredbg.Options{
		Executable: f.executable, Sysroot: f.sysroot, Search: f.search, DebugDirs: f.debugDirs, Recipes: f.recipes,
		PerfMap: f.perfMap, SDK: f.sdk,
		MaxSize: f.maxSize, Progress: tick.Tell, Stdout: stdout, Stderr: stderr,
		Debuginfod: f.servers(), Opened: f.opened, Lent: f.lent,
	}
	if !f.noCache {
		o.Indexes = coredbg.UserIndexes()
	}
	if o.Debuginfod != nil {
		o.Debuginfod.Warn = func(err error) {
			tick.Clear()
			commands.WriteError(stderr, err)
		}
	}
	if f.maxSize == 0 && len(f.work) == 0 && terminal.Is(stdin) && terminal.Is(stderr.File()) {
		o.More = func(done int64) bool {
			defer tick.Hold()()
			return terminal.AskMore(stdin, stderr.File(), done)
		}
	}
	return o
}

// servers returns which debuginfod servers are asked, as the environment says; nil for none.
func (f *flags) servers() *debuginfod.Options {
	if f.offline {
		return nil
	}
	o := debuginfod.FromEnviron(system.Getenv)
	if o != nil {
		o.Now = system.Now
	}
	return o
}

// parseCore parses the arguments of a subcommand that reads one core. Mistakes have been printed when it
// returns an error.
func (f *flags) parseCore(set *flag.FlagSet, args []string, page *cmdline.Page, stdout, stderr io.Writer) error {
	openFlags(set, f)
	operands, err := cmdline.Parse(set, args, page, stdout, stderr)
	if err != nil {
		return err
	}
	if err = f.operands(operands); err != nil {
		cmdline.Mistake(set, err, page.Synopsis, stderr)
		return err
	}
	f.noteSwap(stderr)
	return f.seek(stderr)
}

func (f *flags) operands(args []string) error {
	switch len(args) {
	case 1:
		f.core = args[0]
	case 2:
		f.executable, f.core = args[0], args[1]
		if verb := cmdline.Misspelt(f.executable, synopsis); verb != "" {
			return fmt.Errorf("there is no executable %s; did you mean coredbg %s?", f.executable, verb)
		}
		if st, err := os.Stat(f.executable); err == nil && st.IsDir() {
			return fmt.Errorf("%s is a directory, not an executable", f.executable)
		}
		var err error
		f.executable, f.core, f.swapped, err = coredbg.Operands(f.executable, f.core)
		return err
	case 0:
		return errors.New("which core?")
	default:
		return fmt.Errorf("too many arguments: %q", args[2:])
	}
	return nil
}
