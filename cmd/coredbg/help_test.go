package main

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/out"
)

// everyCommand returns the commands of all packages that have some.
func everyCommand() []*commands.Command { return coredbg.Registry().Commands() }

// scripts returns the text of testdata/script.
func scripts(t *testing.T) string {
	files, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}

// TestEveryCommandIsDocumentedAndTried checks that each command has what it owes its
// users: a summary, an explanation, an example, and a story in testdata/script
// that runs it.
func TestEveryCommandIsDocumentedAndTried(t *testing.T) {
	told := scripts(t)
	for _, c := range everyCommand() {
		if c.Summary == "" || c.Detail == "" || c.Example == "" || strings.HasSuffix(c.Summary, ".") {
			t.Errorf("%s: summary %q, %d bytes of detail, example %q", c.Title(), c.Summary, len(c.Detail), c.Example)
		}
		for _, name := range c.SeeAlso {
			if name == "$<" { // a form of the language
				continue
			}
			if !slices.ContainsFunc(everyCommand(), func(other *commands.Command) bool {
				return slices.Contains([]string{other.Name, other.Alias},
					strings.TrimPrefix(strings.TrimPrefix(name, "::help "), "::"))
			}) {
				t.Errorf("%s: it names %q, which is not a command", c.Title(), name)
			}
		}
		for _, o := range c.Options {
			if o.Help == "" {
				t.Errorf("%s: nothing explains -%c", c.Title(), o.Letter)
			}
		}
		if !slices.ContainsFunc([]string{c.Name, c.Alias}, func(name string) bool { return runs(told, name) }) {
			t.Errorf("%s: no script runs it", c.Title())
		}
	}
	for _, w := range coredbg.Registry().Walkers() {
		if w.Summary == "" || !regexp.MustCompile(`::walk `+w.Name+`\b`).MatchString(told) {
			t.Errorf("walker %s: summary %q, or no script walks it", w.Name, w.Summary)
		}
	}
}

// runs reports whether a script has the command of this name in one of its own
// commands: as "::name", or as "$c".
func runs(told, name string) bool {
	switch {
	case name == "":
		return false
	case strings.HasPrefix(name, "$"):
		return strings.Contains(told, name)
	}
	return regexp.MustCompile(`::` + name + `\b`).MatchString(told)
}

// javaCores are the cores that have what the examples of commands of Java show.
var javaCores = map[string]string{
	"codeinfo": "art-11-jit.cdb", "deadlock": "art-14-locks.cdb", "finalizers": "art-14-graph.cdb",
	"javaexception": "art-11-throwing.cdb",
	"quickframe":    "art-14-locks.cdb",
}

// valueCores are the cores that have what the examples of commands of values show.
var valueCores = map[string]string{
	"print": "values-c.cdb", "ptype": "values-c.cdb", "vtable": "values-c.cdb", "whattype": "values-c.cdb",
	"list": "values-c.cdb", "locals": "values.cdb",
	"args":  "values.cdb",
	"frame": "values.cdb", "offsetof": "values-c.cdb", "types": "values-c.cdb", "source": "values.cdb",
}

// absent are commands whose subject no core of the corpus has, or not at each address that the example names,
// with their message and the exit code.
var absent = map[string]struct {
	says string
	code int
}{
	"annotations":   {"the core has no annotations", exitOK},
	"vtable":        {"no class of the object has virtual functions", exitOK},
	"heapcheck":     {"no header and no list of the heap of C was overwritten", exitOK},
	"getprop":       {"no property area of Android is in the core", exitPartial},
	"oat":           {"the process has no oat file", exitPartial},
	"source":        {"the file is not there", exitPartial},
	"jstackdump":    {"no Java virtual machine that describes itself is in the process", exitPartial},
	"jvm":           {"no Java virtual machine that describes itself is in the process", exitPartial},
	"memtag":        {"the core has no allocation tags", exitOK},
	"mutexes":       {"no thread waits for a lock", exitOK},
	"leaks":         {"nothing stands out", exitOK},
	"heapdiff":      {"no such file", exitFatal},
	"shadowframe":   {"no ShadowFrame", exitFatal},
	"jserror":       {"refers to no error of JavaScript", exitOK},
	"nodefatal":     {"refers to no message of a fatal error", exitOK},
	"jsfunctions":   {"no function has that name, file or code", exitOK},
	"handles":       {"no loop has an active handle (::handles -a lists all)", exitOK},
	"requests":      {"no request is under way", exitOK},
	"timers":        {"no timer is set", exitOK},
	"ticks":         {"no callback is queued", exitOK},
	"v8warnings":    {"nothing speaks against how V8 was decoded", exitOK},
	"findjsobjects": {"no object has that kind or shape", exitOK},
	"ucontext":      {"no ucontext at", exitFatal},
	"ugrep":         {"nothing found", exitOK},
	"findstr":       {"nothing found", exitOK},
	"$v":            {"every variable is zero", exitOK},
}

// TestExamples types what the help of each command gives as its example: those
// of JavaScript on a core of Node, others on one of a C program, whose thread
// takes the place of thread 1234.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a dozen cores")
	}
	corpus, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir) // some read and write files
	if err := os.WriteFile("addresses.txt", []byte("main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := newCores(dir)
	for _, c := range everyCommand() {
		core := cmp.Or(valueCores[c.Name], "segv.cdb")
		if c.Module == "v8" || c.Module == "heap" {
			core = "node-24.cdb"
		}
		if c.Module == "art" {
			core = cmp.Or(javaCores[c.Name], "art-arm64.cdb")
		}
		if c.Module == "go" {
			core = "goroutines.cdb"
		}
		if c.Module == "malloc" {
			core = "leaky.cdb"
		}
		if c.Name == "hprof" {
			core = "art-14-graph.cdb"
		}
		t.Run(c.Name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			example := strings.ReplaceAll(c.Example, "0t1234", "0t30840")
			code := open.run(&stdout, &stderr, "-S", "-e", example, filepath.Join(corpus, core))
			says, none := absent[c.Name]
			switch {
			case !none && (code != exitOK || stderr.Len() > 0),
				none && (code != says.code || !strings.Contains(stderr.String(), says.says)),
				none && code != exitFatal && stdout.Len() > 0:
				t.Errorf("%s: exit code %d\n%s%s", example, code, &stdout, &stderr)
			}
		})
	}
}

// A screen of help is 23 lines of 80 columns: the prompt below it is the 24th.
const screenLines, screenColumns = 23, 80

// checkScreen reports a page of help that does not fit a terminal of the usual size. lines is 0 for any number of them.
func checkScreen(t *testing.T, what, page string, lines int) {
	t.Helper()
	all := strings.Split(strings.TrimRight(page, "\n"), "\n")
	if lines > 0 && len(all) > lines {
		t.Errorf("%s: %d lines", what, len(all))
	}
	for _, line := range all {
		if n := len([]rune(line)); n > screenColumns {
			t.Errorf("%s: %d columns: %s", what, n, line)
		}
	}
}

// TestHelpFitsScreen: the page of each subcommand's --help fits a terminal. It has a synopsis and, if it leaves out
// flags, the way to see them; --all has every flag.
func TestHelpFitsScreen(t *testing.T) {
	for _, command := range append(slices.Sorted(maps.Keys(subcommands)), "") {
		name := strings.TrimSpace("coredbg " + command)
		pages := map[bool]string{}
		for _, all := range []bool{false, true} {
			args := strings.Fields(command + " --help")
			if all {
				args = append(args, "--all")
			}
			var stdout bytes.Buffer
			if code := run(args, coredbg.Open, os.Stdin, out.NewTerminal(&stdout),
				out.NewTerminal(io.Discard)); code != exitOK {
				t.Errorf("%s: exit code %d", name, code)
			}
			pages[all] = stdout.String()
		}
		checkScreen(t, name, pages[false], screenLines)
		checkScreen(t, name+" --all", pages[true], 0)
		if !strings.HasPrefix(pages[false], "usage: "+name) {
			t.Errorf("%s: it does not begin with its usage:\n%s", name, pages[false])
		}
		if want := `"` + name + ` --help --all" has all`; pages[false] != pages[true] &&
			!strings.Contains(pages[false], want) {
			t.Errorf("%s: it does not say %s:\n%s", name, want, pages[false])
		}
	}
}

// TestPagesFitScreen: each command's page of ::help fits a terminal, with synopsis and example. -a has all options.
func TestPagesFitScreen(t *testing.T) {
	for _, c := range everyCommand() {
		short, whole := helpPage(t, "::help '"+c.Name+"'"), helpPage(t, "::help -a '"+c.Name+"'")
		if c.Name == "formats" { // a topic has this name
			continue
		}
		checkScreen(t, c.Title(), short, screenLines)
		checkScreen(t, c.Title()+", -a", strings.ReplaceAll(whole, c.Example, ""), 0)
		for _, o := range c.Options {
			if !strings.Contains(whole, "\n  -"+string(o.Letter)) {
				t.Errorf("%s: -a does not explain -%c", c.Title(), o.Letter)
			}
		}
		example, _, _ := strings.Cut(c.Example, "\n")
		if shown := strings.TrimSuffix(line(short, "EXAMPLE"), " …"); shown == "" ||
			!strings.HasPrefix(example, shown) {
			t.Errorf("%s: its example is %q, not %q", c.Title(), shown, example)
		}
		if want := "::help -a " + c.Name; short != whole && !strings.Contains(short, want) {
			t.Errorf("%s: it does not say %s:\n%s", c.Title(), want, short)
		}
	}
}

// helpPage returns what a command prints that needs no core.
func helpPage(t *testing.T, command string) string {
	t.Helper()
	var stdout bytes.Buffer
	if code := run([]string{"-e", command}, coredbg.Open, os.Stdin, out.NewTerminal(&stdout),
		out.NewTerminal(io.Discard)); code != exitOK {
		t.Errorf("%s: exit code %d", command, code)
	}
	return stdout.String()
}

// line returns the line below a heading, without its indentation.
func line(page, heading string) string {
	_, after, _ := strings.Cut(page, heading+"\n  ")
	first, _, _ := strings.Cut(after, "\n")
	return first
}
