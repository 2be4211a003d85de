package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"coredbg/internal/liveset"
)

const (
	maker     = "testdata/cores/make"
	quickFile = "testdata/cores/quick"
)

// sets are the names of the live cores.
type sets struct {
	all, quick []string
}

// readSets reads the names from the module's folder, which must be the working one.
func readSets(ctx context.Context) (*sets, error) {
	out, err := exec.CommandContext(ctx, "bash", maker, "list").Output()
	if err != nil {
		return nil, fmt.Errorf("%s list, in the module's folder: %w", maker, err)
	}
	text, err := os.ReadFile(quickFile)
	if err != nil {
		return nil, err
	}
	s := &sets{quick: liveset.Names(string(text))}
	for _, name := range liveset.Names(string(out)) {
		if !slices.Contains(s.all, name) {
			s.all = append(s.all, name)
		}
	}
	return s, nil
}

// others returns the names that are not in the quick set.
func (s *sets) others() (names []string) {
	for _, name := range s.all {
		if !slices.Contains(s.quick, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s *sets) slices() int { return liveset.Slices(s.others()) }

// printSet prints the names of a set, one a line.
func printSet(ctx context.Context, w io.Writer, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	s, err := readSets(ctx)
	if err != nil {
		return err
	}
	names, err := s.named(args)
	for _, name := range names {
		fmt.Fprintln(w, name)
	}
	return err
}

// named returns the names of a set that arguments describe.
func (s *sets) named(args []string) ([]string, error) {
	switch {
	case args[0] == "quick" && len(args) == 1:
		return s.quick, nil
	case args[0] == "slice" && len(args) == 2:
		n := s.slices()
		k, err := strconv.Atoi(args[1])
		if err != nil || k < 0 || k >= n {
			return nil, fmt.Errorf("there are slices 0 to %d, not %s", n-1, args[1])
		}
		return liveset.Slice(s.others(), k, n), nil
	case args[0] == "quick" || args[0] == "slice":
		return nil, errUsage
	}
	from, choose := s.quick, func(names []string) []string { return names }
	switch args[0] {
	case "all":
		from, args = s.all, args[1:]
	case "few":
		choose, args = few, args[1:]
	}
	packages, err := packagesOf(args)
	if err != nil {
		return nil, err
	}
	names := choose(coresFor(packages, from))
	if len(names) == 0 {
		return nil, errors.New("no core is for these packages")
	}
	return names, nil
}
