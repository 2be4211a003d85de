package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

// foreignFlags are flags of gdb, lldb, WinDbg and mdb, separated by commas, with what is
// given here instead. Sources: the manuals of these programs.
var foreignFlags = []struct{ names, here string }{
	{"ex, eval-command, o, one-line, c-command", "-e COMMAND runs a command"},
	{"x, command, s, source, cf, ix, init-command", "-f FILE runs the commands of a file"},
	{"iex, init-eval-command, S-command, O, one-line-before-file", "-e COMMAND runs a command"},
	{"batch, b, quiet, q, silent, batch-silent, nh, nw, nowindows, logo", "with -e or -f it ends by itself, and says nothing else"},
	{"c, core, z, corefile", "the core is the last argument: coredbg [executable] CORE"},
	{"exec, se, symbols, args", "the executable comes before the core: coredbg EXECUTABLE CORE"},
	{"p, pid, attach, attach-pid, w, waitfor", "coredbg does not attach to processes: gcore PID makes a core of one"},
	{"n, nx, no-lldbinit, norc", "-S does not run ~/.coredbgrc"},
	{"y, sympath, d, directory, D, data-directory, i, symbol-path, solib-search-path", "-search, -sysroot and -debug-dir DIR say where files are"},
	{"V", "--version prints the version"},
	{"v, verbose", "::status -v says more"},
}

// undefined is how package flag says that it has no such flag.
const undefined = "flag provided but not defined: -"

// suggestFlag adds to the error about a flag that is not there what may be meant.
func suggestFlag(set *flag.FlagSet, err error) error {
	name, ok := strings.CutPrefix(err.Error(), undefined)
	if !ok {
		return err
	}
	if set.Name() == "coredbg" {
		for _, f := range foreignFlags {
			if slices.Contains(strings.Split(f.names, ", "), name) {
				return fmt.Errorf("%w: %s", err, f.here)
			}
		}
	}
	var names []string
	set.VisitAll(func(f *flag.Flag) {
		if len(f.Name) > 2 {
			names = append(names, f.Name)
		}
	})
	if near := commands.Nearest(name, names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// misspelt returns the subcommand that an executable which is not there was meant to
// be, or "".
func misspelt(executable string) string {
	if executable == "" || strings.ContainsRune(executable, filepath.Separator) || exists(executable) {
		return ""
	}
	var names []string
	for line := range strings.Lines(synopsis) {
		_, form, _ := strings.Cut(line, "coredbg ")
		if name, _, _ := strings.Cut(form, " "); !strings.HasPrefix(name, "[") {
			names = append(names, name)
		}
	}
	return commands.Nearest(executable, names)
}

// noteMissing says which of the files and folders that the command line names are not
// there: without them coredbg does what it can.
func (f *flags) noteMissing(stderr io.Writer) {
	note := func(what, path, is string) {
		fmt.Fprintf(stderr, "coredbg: %s%s: %s\n", what, out.Clean(path, false), is)
	}
	if f.executable != "" && !exists(f.executable) {
		note("executable ", f.executable, "no such file")
	}
	folder := func(flag, path string) {
		if st, err := os.Stat(path); path != "" && err != nil {
			note(flag+" ", path, "no such folder")
		} else if path != "" && !st.IsDir() {
			note(flag+" ", path, "not a folder")
		}
	}
	folder("-sysroot", f.sysroot)
	for _, path := range f.search {
		folder("-search", path)
	}
	for _, path := range f.debugDirs {
		folder("-debug-dir", path)
	}
}
