package commands

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"coredbg/commands/foreign"
)

var update = flag.Bool("update", false, "write docs/for-gdb-and-llnode-users.md")

// TestWordsPage compares docs/for-gdb-and-llnode-users.md with the table of phrases;
// -update writes it.
func TestWordsPage(t *testing.T) {
	const page = "../docs/for-gdb-and-llnode-users.md"
	var b strings.Builder
	b.WriteString(`# For users of gdb, lldb, WinDbg, delve, llnode and dotnet-dump

<!-- written by go test ./commands -run TestWordsPage -update -->

What you typed there is done here, with its operands: ` + "`x/20i $pc` runs `::print -- '$pc' | ::examine 20i`, `bt 5` runs `::stack 5`, `up` runs `::frame -u 1`" + `. The
first time in a session a line says which command it was, and whenever an operand has no counterpart here it says which one was left out. A number
of a thread is an id of the system or, if no thread has that, counts the threads of ` + "`::threads`" + ` from 1. Numbers without a prefix are decimal, those of
WinDbg's words hexadecimal.

| you typed | what runs |
|---|---|
`)
	for words, line := range foreign.Doings() {
		fmt.Fprintf(&b, "| %s | %s |\n", spellings(words), inCode(line))
	}
	b.WriteString(`
Other words, and those with operands that cannot be said here, are answered with one line that names what to type. The table, in full:

| you typed | type here |
|---|---|
`)
	for _, r := range replies {
		fmt.Fprintf(&b, "| %s | %s |\n", spellings(r.words), inCode(r.run))
	}
	for words, here := range foreign.Words() {
		fmt.Fprintf(&b, "| %s | %s |\n", spellings(words), strings.ReplaceAll(here, "|", "\\|"))
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s is not what the table says; go test ./commands -run TestWordsPage -update writes it", page)
	}
}

// spellings returns each word of a phrase as code.
func spellings(words string) string {
	list := strings.Split(words, ",")
	for i := range list {
		list[i] = inCode(strings.TrimSpace(list[i]))
	}
	return strings.Join(list, ", ")
}

func inCode(s string) string { return "`" + strings.ReplaceAll(s, "|", "\\|") + "`" }
