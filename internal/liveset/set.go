// Package liveset knows the live cores by name: the kinds of cores that testdata/cores/make
// makes, the kinds that each test uses, and the parts that the whole set is checked in.
//
// A folder DIR with live cores has a folder DIR/NAME for each core. DIR/failed has the cores
// that could not be made. A part of the set is a list of names, in a file that is given with the
// folder or in DIR/part. An empty file DIR/part says that the folder holds a part, and leaves
// open which one.
//
// Files: set.go reads such a folder, names.go reads lists of names and cuts slices,
// kinds.go has the kinds, and tests.go, testsv8.go and testse2e.go have the table of tests.
package liveset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Set is a folder with live cores.
type Set struct {
	root   string
	part   bool
	listed []string // the names of the part, if they are known
}

// Open opens a folder with live cores. A list, unless it is "", is a file with the names of the
// part to look at. Without a list, the file "part" in the folder says which part it holds.
func Open(root, list string) (*Set, error) {
	s := &Set{root: root}
	if list == "" {
		text, err := os.ReadFile(filepath.Join(root, "part"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		s.part, s.listed = err == nil, Names(string(text))
		return s, nil
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	s.part, s.listed = true, Names(string(text))
	if len(s.listed) == 0 {
		return nil, fmt.Errorf("%s names no core", list)
	}
	return s, nil
}

// Whole reports whether this is the whole live set. Only then do a test's figures over all
// cores of a kind hold.
func (s *Set) Whole() bool { return !s.part }

// Find returns the paths of a kind, a pattern of filepath.Match below the folder. If the set
// lists its names, cores of other names are left out. Find returns an error if the set lacks a
// kind that it should have: a whole set each kind, a listed part each kind that has a listed
// name. A kind whose cores could not be made may be missing.
func (s *Set) Find(kind string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(s.root, kind))
	if err != nil {
		return nil, err
	}
	if len(s.listed) > 0 {
		found = slices.DeleteFunc(found, func(path string) bool { return !s.lists(path) })
	}
	if len(found) > 0 || !s.wants(kind) {
		return found, nil
	}
	folder, _, _ := strings.Cut(kind, "/")
	if failed, _ := filepath.Glob(filepath.Join(s.root, "failed", folder)); len(failed) > 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("the live set %s has nothing of the kind %s", s.root, kind)
}

// lists reports whether a path is below a folder that is listed.
func (s *Set) lists(path string) bool {
	rel, err := filepath.Rel(s.root, path)
	rel = filepath.ToSlash(rel)
	return err == nil && slices.ContainsFunc(s.listed,
		func(name string) bool { return strings.HasPrefix(rel+"/", name+"/") })
}

// wants reports whether the set should have cores of a kind.
func (s *Set) wants(kind string) bool {
	if !s.part {
		return true
	}
	return slices.ContainsFunc(s.listed, func(name string) bool { return Is(name, kind) })
}
