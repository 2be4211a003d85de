// Command live says which live cores a change needs, and names parts of the live set.
//
//	go run ./internal/live [-all] PACKAGE...   tests and cores for a change in these packages
//	go run ./internal/live set PACKAGE...      the names of their cores in the quick set
//	go run ./internal/live set few PACKAGE...  one core of each kind among these
//	go run ./internal/live set all PACKAGE...  the names of all their cores
//	go run ./internal/live set quick           the names of the quick set
//	go run ./internal/live set slice K         the names of slice K of the other cores
//	go run ./internal/live slices              how many slices there are: K is below that
//	go run ./internal/live tests               the package and the name of each test with live cores
//	go run ./internal/live cover [-j N] DIR    computes the quick set from the live cores in DIR
//
// Names are printed one a line, as testdata/cores/make live DIR @FILE takes them, and the tests
// as COREDBG_LIVE_SET=FILE. It runs in the module's folder.
//
// Files: needs.go relates packages, tests and cores, and set.go names sets; cover.go measures
// the cores, by the commands in commands.go; blocks.go holds the blocks that a core reaches,
// cache.go keeps them, choose.go chooses cores by them, and quick.go writes the quick set.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"coredbg/internal/liveset"
)

// errUsage is an error of the command line.
var errUsage = errors.New(`usage: go run ./internal/live [-all] PACKAGE...
       go run ./internal/live set [few|all] PACKAGE... | quick | slice K
       go run ./internal/live slices
       go run ./internal/live tests
       go run ./internal/live cover [-j N] DIR`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Stdout, os.Args[1:])
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

// run does what the arguments say.
func run(ctx context.Context, w io.Writer, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	switch args[0] {
	case "set":
		return printSet(ctx, w, args[1:])
	case "slices":
		s, err := readSets(ctx)
		if err == nil {
			fmt.Fprintln(w, s.slices())
		}
		return err
	case "tests":
		for _, row := range liveset.Tests {
			if strings.HasPrefix(row.Name, "Test") {
				fmt.Fprintf(w, "./%s %s\n", row.Package, row.Name)
			}
		}
		return nil
	case "cover":
		return coverArgs(ctx, w, args[1:])
	}
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	all := flags.Bool("all", false, "")
	if err := flags.Parse(args); err != nil || flags.NArg() == 0 {
		return errUsage
	}
	s, err := readSets(ctx)
	if err != nil {
		return err
	}
	packages, err := packagesOf(flags.Args())
	if err != nil {
		return err
	}
	return printNeeds(w, s, packages, *all)
}

// coverArgs parses the arguments of "cover".
func coverArgs(ctx context.Context, w io.Writer, args []string) error {
	flags := flag.NewFlagSet("cover", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	jobs := flags.Int("j", 2, "")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 || *jobs < 1 || strings.HasPrefix(flags.Arg(0), "-") {
		return errUsage
	}
	return cover(ctx, w, flags.Arg(0), *jobs)
}
