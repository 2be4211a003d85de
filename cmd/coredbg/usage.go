package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"coredbg/commands"
)

// aliasOf marks the explanation of a flag that is another spelling of one.
const aliasOf = "\x00"

// also adds another spelling of a flag to a set.
func also(set *flag.FlagSet, name, other string) {
	set.Var(set.Lookup(name).Value, other, aliasOf+name)
}

// parseArgs parses flags wherever they are and returns the other arguments.
// Help that was asked for goes to stdout; a mistake is said on stderr with the
// synopsis, which has one line for each form.
func parseArgs(set *flag.FlagSet, args []string, synopsis, about string, stdout, stderr io.Writer) (operands []string, err error) {
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	operands, err = parseAll(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\n%s\nFlags, each with one dash or two:\n%s", synopsis, about, flagTable(set))
	case err != nil:
		mistake(set, suggestFlag(set, err), synopsis, stderr)
	}
	return operands, err
}

// mistake says what is wrong with the arguments of a command.
func mistake(set *flag.FlagSet, err error, synopsis string, stderr io.Writer) {
	commands.WriteError(stderr, err)
	fmt.Fprintf(stderr, "%s\"%s --help\" explains the flags.\n", synopsis, set.Name())
}

// flagTable explains the flags of a set, all spellings of one in a line.
func flagTable(set *flag.FlagSet) string {
	spellings := map[string][]string{}
	var flags []*flag.Flag
	set.VisitAll(func(f *flag.Flag) {
		name, alias := strings.CutPrefix(f.Usage, aliasOf)
		if !alias {
			name = f.Name
			flags = append(flags, f)
		}
		dashes := "--"
		if len(f.Name) == 1 {
			dashes = "-"
		}
		spellings[name] = append(spellings[name], dashes+f.Name)
	})
	var b strings.Builder
	for _, f := range flags {
		arg, text := flag.UnquoteUsage(f)
		all := spellings[f.Name]
		slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
		names := strings.Join(all, ", ")
		if arg != "" {
			names += " " + strings.ToUpper(arg)
		}
		fmt.Fprintf(&b, "  %-24s %s\n", names, text)
	}
	return b.String()
}
