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

// A seed is a core, and perhaps files or folders that are given with it.
type seed struct {
	core   string
	flag   string   // of coredbg, without "-"; or ""
	with   string   // the flag's file or folder, which is damaged instead of the core
	intact []string // flags with files and folders that are not damaged, as "sysroot=root"
}

// String returns the seed as it is typed.
func (s seed) String() string {
	text := s.core
	for _, f := range s.intact {
		text += ",+" + f
	}
	if s.flag != "" {
		text += "," + s.flag + "=" + s.with
	}
	return text
}

// readSeeds returns the seeds that args name. It fails if one does not exist.
func readSeeds(args []string) ([]seed, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("no seed given")
	}
	var all []seed
	for _, a := range args {
		s, err := readSeed(a)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// readSeed returns the seed that text names: a core, and after commas FLAG=FILE, which is damaged, and
// +FLAG=FILE, which is not.
func readSeed(text string) (seed, error) {
	parts := strings.Split(text, ",")
	var s seed
	var err error
	if s.core, err = existing(parts[0]); err != nil {
		return seed{}, err
	}
	for _, part := range parts[1:] {
		flag, name, ok := strings.Cut(part, "=")
		if !ok {
			return seed{}, fmt.Errorf("%s: no FLAG=FILE after the comma", text)
		}
		if name, err = existing(name); err != nil {
			return seed{}, err
		}
		if intact, ok := strings.CutPrefix(flag, "+"); ok {
			s.intact = append(s.intact, intact+"="+name)
			continue
		}
		if s.flag != "" {
			return seed{}, fmt.Errorf("%s: only one file of a seed is damaged; + in front of its flag leaves a file as it is", text)
		}
		s.flag, s.with = flag, name
	}
	return s, nil
}

// existing returns the absolute name of a file that exists.
func existing(name string) (string, error) {
	if _, err := os.Stat(name); err != nil {
		return "", err
	}
	return filepath.Abs(name)
}

// copyTo copies what is damaged to folder. It returns coredbg's operands for the copy, and
// the file to damage.
func (s seed) copyTo(folder string, r *rand.Rand) (args []string, target string, err error) {
	for _, f := range s.intact {
		args = append(args, "-"+f)
	}
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
		return append(args, target), target, copyFile(s.core, target)
	}
	given := filepath.Join(folder, filepath.Base(s.with))
	args = append(args, "-"+s.flag+"="+given, s.core)
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
