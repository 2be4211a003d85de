//go:build linux

package main

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A seed is a core, and perhaps a file or folder that is given with it.
type seed struct {
	core string
	flag string // of coredbg, without "-"; or ""
	with string // what it is given
}

// String returns the seed as it is typed.
func (s seed) String() string {
	if s.flag == "" {
		return s.core
	}
	return s.core + "," + s.flag + "=" + s.with
}

// readSeeds returns the seeds that args name. It fails if one does not exist.
func readSeeds(args []string) ([]seed, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("no seed given")
	}
	var all []seed
	for _, a := range args {
		s := seed{core: a}
		if i := strings.LastIndex(a, ","); i >= 0 {
			flag, with, ok := strings.Cut(a[i+1:], "=")
			if !ok {
				return nil, fmt.Errorf("%s: no FLAG=FILE after the comma", a)
			}
			s = seed{core: a[:i], flag: flag, with: with}
		}
		for _, name := range []*string{&s.core, &s.with} {
			if *name == "" {
				continue
			}
			if _, err := os.Stat(*name); err != nil {
				return nil, err
			}
			var err error
			if *name, err = filepath.Abs(*name); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// copyTo copies what is damaged to folder. It returns coredbg's operands for the copy, and
// the file to damage.
func (s seed) copyTo(folder string, r *rand.Rand) (args []string, target string, err error) {
	if s.flag == "" {
		target = filepath.Join(folder, filepath.Base(s.core))
		// Bundles share chunks in a folder next to them.
		if shared := filepath.Join(filepath.Dir(s.core), "files"); isDir(shared) {
			abs, err := filepath.Abs(shared)
			if err != nil {
				return nil, "", err
			}
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return nil, "", err
			}
			if err := os.Symlink(abs, filepath.Join(folder, "files")); err != nil {
				return nil, "", err
			}
		}
		return []string{target}, target, copyFile(s.core, target)
	}
	given := filepath.Join(folder, filepath.Base(s.with))
	args = []string{"-" + s.flag, given, s.core}
	if !isDir(s.with) {
		return args, given, copyFile(s.with, given)
	}
	var files []string
	err = filepath.WalkDir(s.with, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(s.with, name)
		if err != nil {
			return err
		}
		files = append(files, filepath.Join(given, rel))
		return copyFile(name, filepath.Join(given, rel))
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no file", s.with)
	}
	if err != nil {
		return nil, "", err
	}
	slices.Sort(files)
	return args, files[r.IntN(len(files))], nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// copyFile copies a file, holes as holes, and makes the folders that it is to be in.
func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := exec.Command("cp", "--sparse=always", "--no-preserve=mode", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	return nil
}

// build builds coredbg as file.
func build(ctx context.Context, file string) error {
	out, err := exec.CommandContext(ctx, "go", "build", "-o", file, "./cmd/coredbg").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}
