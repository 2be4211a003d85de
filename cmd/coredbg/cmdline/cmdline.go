// Package cmdline reads command lines: flags anywhere among the operands, in several spellings, with help, and
// with mistakes explained. The only flags it knows are other debuggers' flags; it answers them with the
// counterpart here.
package cmdline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
)

// aliasOf marks the explanation of a flag that is another spelling of one.
const aliasOf = "\x00"

// Also adds another spelling of a flag to a set.
func Also(set *flag.FlagSet, name, other string) {
	set.Var(set.Lookup(name).Value, other, aliasOf+name)
}

// Parse parses flags wherever they are and returns the other arguments.
// Help that was asked for goes to stdout; a mistake is said on stderr with the
// synopsis, which has one line for each form.
func Parse(set *flag.FlagSet, args []string, synopsis, about string, stdout, stderr io.Writer) (operands []string, err error) {
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	operands, err = parseAll(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\n%s\nFlags, each with one dash or two:\n%s", synopsis, filled(about), flagTable(set))
	case err != nil:
		Mistake(set, suggestFlag(set, err), synopsis, stderr)
	}
	return operands, err
}

// Mistake says what is wrong with the arguments of a command.
func Mistake(set *flag.FlagSet, err error, synopsis string, stderr io.Writer) {
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
		lines := wrap(text, width-flagColumn)
		if len(names) > flagColumn-3 {
			lines = append([]string{""}, lines...)
		}
		for i, line := range lines {
			if i > 0 {
				names = ""
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s %s", flagColumn-3, names, line), " ") + "\n")
		}
	}
	return b.String()
}

// The widths of help, in columns: a line's, and the column where a flag's explanation begins.
const (
	width      = 80
	flagColumn = 27
)

// filled breaks the lines of a text anew. Lines that begin with a blank and empty ones stay as they are.
func filled(text string) string {
	var b, paragraph strings.Builder
	end := func() {
		if paragraph.Len() > 0 {
			b.WriteString(strings.Join(wrap(paragraph.String(), width), "\n") + "\n")
		}
		paragraph.Reset()
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == ' ' {
			end()
			b.WriteString(line + "\n")
			continue
		}
		paragraph.WriteString(line + " ")
	}
	end()
	return b.String()
}

// wrap breaks a text at blanks into lines of at most n columns; a longer word has a line of its own.
func wrap(text string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > n:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// parseAll parses flags wherever they are and returns the other arguments.
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

// Size reads a number of bytes, with a unit of 1024 (K), its square (M) and so on.
func Size(s string) (int64, error) {
	digits, shift := s, 0
	if i := strings.IndexAny(s, "KMGTkmgt"); i > 0 && i == len(s)-1 {
		digits, shift = s[:i], 10*(1+strings.IndexByte("KMGT", s[i]&^0x20))
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("not a size such as 500M or 64G")
	}
	return n << shift, nil
}
