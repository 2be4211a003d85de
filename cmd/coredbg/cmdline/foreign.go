package cmdline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands/foreign"
)

// foreignFlags are flags of gdb, lldb, WinDbg and mdb, separated by commas, with their counterparts here.
// Sources: the manuals of these programs.
var foreignFlags = []struct{ names, here string }{
	{"eval-command, o, one-line, c-command", "-e COMMAND runs a command"},
	{"x, command, s, source, cf, ix, init-command", "-f FILE runs the commands of a file"},
	{"iex, init-eval-command, S-command, O, one-line-before-file", "-e COMMAND runs a command"},
	{"batch, b, quiet, q, silent, batch-silent, nh, nw, nowindows, logo",
		"with -e or -f it ends by itself, and says nothing else"},
	{"z, corefile", "the core is the last argument: coredbg [executable] CORE"},
	{"exec, se, symbols, args", "the executable comes before the core: coredbg EXECUTABLE CORE"},
	{"p, pid, attach, attach-pid, w, waitfor", "coredbg does not attach to processes: gcore PID makes a core of one"},
	{"n, nx, no-lldbinit, norc", "-S does not run ~/.coredbgrc"},
	{"y, sympath, d, directory, D, data-directory, symbol-path, solib-search-path",
		"-search, -sysroot and -debug-dir DIR say where files are"},
	{"i, interactive, interpreter, tui", "it prompts by itself: coredbg [executable] CORE"},
	{"V", "--version prints the version"},
	{"v, verbose", "::status -v says more"},
}

// Foreign returns the counterpart of another debugger's flag; "" if it is unknown.
func Foreign(name string) string {
	for _, f := range foreignFlags {
		if slices.Contains(strings.Split(f.names, ", "), name) {
			return f.here
		}
	}
	return ""
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
		if here := Foreign(name); here != "" {
			return fmt.Errorf("%w: %s", err, here)
		}
	}
	var names []string
	set.VisitAll(func(f *flag.Flag) {
		if len(f.Name) > 2 {
			names = append(names, f.Name)
		}
	})
	if near := foreign.Nearest(name, names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// Misspelt returns the subcommand that an executable which is not there was meant to
// be, or "".
func Misspelt(executable, synopsis string) string {
	if executable == "" || strings.ContainsRune(executable, filepath.Separator) || Exists(executable) {
		return ""
	}
	var names []string
	for line := range strings.Lines(synopsis) {
		_, form, _ := strings.Cut(line, "coredbg ")
		if name, _, _ := strings.Cut(form, " "); !strings.HasPrefix(name, "[") {
			names = append(names, name)
		}
	}
	return foreign.Nearest(executable, names)
}

// Exists reports whether there is a file or folder of a name.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
