package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands/lang"
	"coredbg/commands/out"
)

const (
	diffSynopsis = `usage: coredbg diff [flags] old new
`
	diffAbout = `Shows which objects grew from an older to a newer core, bundle, heap snapshot or
heap dump of the same program, and which of them ::leaks suspects: as ::heapdiff
does at the prompt.
`
)

// diffPage is the help of "coredbg diff".
var diffPage = cmdline.Page{Synopsis: diffSynopsis, About: diffAbout,
	Example: "  coredbg diff monday.core friday.core\n", Often: []string{"n", "r", "search"}}

// runDiff is "coredbg diff".
func runDiff(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, line, err := parseDiff(args, stdout, stderr)
	if err != nil {
		return misuse(err)
	}
	f.work, f.noRC = []work{{command: line}}, true
	return runCore(f, open, stdin, stdout, stderr)
}

// parseDiff returns the flags for the newer core, and the command that compares it.
func parseDiff(args []string, stdout, stderr io.Writer) (f *flags, line string, err error) {
	f = &flags{color: "auto"}
	set := flag.NewFlagSet("coredbg diff", flag.ContinueOnError)
	set.BoolVar(&f.json, "json", false, "print one JSON object a line")
	retained := set.Bool("r", false, "compare what each class retains, too")
	most := set.Uint("n", 30, "show this `count` of classes; 0 for all")
	openFlags(set, f)
	operands, err := cmdline.Parse(set, args, &diffPage, stdout, stderr)
	if err != nil {
		return nil, "", err
	}
	if len(operands) != 2 {
		err = fmt.Errorf("two cores are compared, the older one first; there are %d", len(operands))
		cmdline.Mistake(set, err, diffSynopsis, stderr)
		return nil, "", err
	}
	f.core = operands[1]
	line = "::heapdiff -n " + strconv.FormatUint(uint64(*most), 10)
	if *retained {
		line += " -r"
	}
	return f, line + " " + lang.Part{Text: operands[0], Quote: '"'}.String(), nil
}
