package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
)

// kinds are the parts of docs/commands.md, by a command's module.
var kinds = []struct{ module, title string }{
	{"mdb", "The language"},
	{"native", "Processes, threads and memory"},
	{"heap", "The heap of any runtime as a graph"},
	{"malloc", "The heap of C"},
	{"v8", "JavaScript on V8, and Node"},
	{"art", "Java on the Android Runtime"},
	{"go", "Goroutines"},
}

// TestCommandsPage compares docs/commands.md with the commands' own declarations;
// -update writes it.
func TestCommandsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands and walkers\n\n<!-- written by go test ./cmd/coredbg -run TestCommandsPage -update -->\n\n" +
		"`::help NAME` has a screen about each with an example, `::help -a NAME` all paragraphs.\n")
	all := everyCommand()
	slices.SortStableFunc(all, func(a, b *commands.Command) int { return cmp.Compare(a.Title(), b.Title()) })
	for _, k := range kinds {
		fmt.Fprintf(&b, "\n## %s\n", k.title)
		for _, c := range all {
			if c.Module == k.module {
				writeCommand(&b, c)
			}
		}
	}
	b.WriteString("\n## Walkers\n\n`[address]::walk NAME` enumerates addresses.\n\n| | |\n|---|---|\n")
	for _, w := range coredbg.Registry().Walkers() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", w.Name, w.Summary)
	}
	comparePage(t, "../../docs/commands.md", b.String())
	for _, c := range all {
		if !slices.ContainsFunc(kinds, func(k struct{ module, title string }) bool { return k.module == c.Module }) {
			t.Errorf("%s: the module %s has no part in the page", c.Title(), c.Module)
		}
	}
}

// writeCommand writes the section of docs/commands.md about one command.
func writeCommand(b *strings.Builder, c *commands.Command) {
	fmt.Fprintf(b, "\n### `%s`\n\n%s.\n\n    %s\n", c.Title(), strings.ToUpper(c.Summary[:1])+c.Summary[1:], c.Usage())
	if len(c.Options) > 0 {
		b.WriteString("\n| | |\n|---|---|\n")
	}
	for _, o := range c.Options {
		letter := "-" + string(o.Letter)
		if o.Arg != "" {
			letter += " " + o.Arg
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", letter, strings.ReplaceAll(strings.ReplaceAll(o.Help, "\n", " "), "|", "\\|"))
	}
}

// comparePage compares a page with the wanted text, or writes it.
func comparePage(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the declarations say; go test ./cmd/coredbg -run %s -update writes it", path, t.Name())
	}
}
