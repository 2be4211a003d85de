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
// synopsis.
func Parse(set *flag.FlagSet, args []string, page *Page, stdout, stderr io.Writer) (operands []string, err error) {
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	if asksAll(set, args) {
		fmt.Fprint(stdout, page.whole(set))
		return nil, flag.ErrHelp
	}
	operands, err = parseAll(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, page.screenful(set))
	case err != nil:
		Mistake(set, suggestFlag(set, err), page.Synopsis, stderr)
	}
	return operands, err
}

// Mistake says what is wrong with the arguments of a command.
func Mistake(set *flag.FlagSet, err error, synopsis string, stderr io.Writer) {
	commands.WriteError(stderr, err)
	fmt.Fprintf(stderr, "%s\"%s --help\" explains the flags.\n", synopsis, set.Name())
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
