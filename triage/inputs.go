package triage

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coredbg"
	"coredbg/core/file"
)

// Stdin is the name that stands for a list on standard input.
const Stdin = "-"

// coreName matches the names of files with cores, compressed or not: from the kernel, systemd, gcore
// and Apple's systems, and bundles.
var coreName = regexp.MustCompile(`(?i)(^core(\.[^.]+)*?|\.core(\.[0-9]+)?|\.dmp|\.cdb)(\.(zst|xz|gz|lz4))?$`)

// otherName matches what sources and others of their kind are called: "core.c" is no core.
var otherName = regexp.MustCompile(`(?i)\.(c|cc|cpp|h|hh|hpp|go|rs|js|mjs|cjs|ts|java|py|txt|md|json|html|css|so|a|o|ko|el|pl|rb|sh|yml|yaml|toml|xml)$`)

// Cores returns the paths of the cores that arguments name, each once, sorted by name for each
// argument. An argument is a file; a folder, which stands for all files below it that are cores or have
// a core's name; a pattern such as "cores/**/core.*"; or a list: a text file, or in for "-", with a
// path a line, or ended by a byte of zero if zero is set.
func Cores(args []string, in io.Reader, zero bool) ([]string, error) {
	var all []string
	for _, arg := range args {
		paths, err := cores(arg, in, zero, true)
		if err != nil {
			return nil, err
		}
		all = append(all, paths...)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(p string) bool {
		was := seen[p]
		seen[p] = true
		return was
	}), nil
}

// cores returns what one argument means. Those of a list are no lists.
func cores(arg string, in io.Reader, zero, lists bool) ([]string, error) {
	if arg == Stdin && lists {
		return listed(in, "standard input", zero)
	}
	st, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		return matching(arg)
	case err != nil && lists:
		return nil, err
	case err != nil: // one of many: its line says so
		return []string{arg}, nil
	case st.IsDir():
		return below(arg)
	case lists && isList(arg):
		f, err := os.Open(arg)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return listed(f, arg, zero)
	}
	return []string{arg}, nil
}

// maxPath bounds the length of a path in a list, in bytes.
const maxPath = 1 << 16

// listed reads a list.
func listed(in io.Reader, name string, zero bool) ([]string, error) {
	var all []string
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, maxPath)
	if zero {
		scan.Split(func(data []byte, end bool) (int, []byte, error) {
			if i := bytes.IndexByte(data, 0); i >= 0 {
				return i + 1, data[:i], nil
			}
			if end && len(data) > 0 {
				return len(data), data, nil
			}
			return 0, nil, nil
		})
	}
	for scan.Scan() {
		if scan.Text() == "" {
			continue
		}
		paths, err := cores(scan.Text(), nil, zero, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, paths...)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return all, nil
}

// isList reports whether a file that a user named is a list of paths: text, and not called
// as cores are.
func isList(path string) bool {
	if coreName.MatchString(filepath.Base(path)) {
		return false
	}
	f, err := file.Map(path)
	if err != nil {
		return false
	}
	defer f.Close()
	w, err := f.Window(0)
	if err != nil || len(w) == 0 {
		return false
	}
	w = w[:min(len(w), 4096)]
	return bytes.IndexFunc(w, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' &&
			r != 0
	}) < 0 && w[0] != 0
}

// below returns the cores in a folder and its subfolders.
func below(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir:
			return err
		case err != nil, d.IsDir():
			return nil // what cannot be listed has no cores that could be read
		}
		if isCore(path, d) {
			all = append(all, path)
		}
		return nil
	})
	slices.Sort(all)
	return all, err
}

// isCore reports whether a file of a folder is a core, or is called as cores are.
func isCore(path string, d fs.DirEntry) bool {
	st, err := os.Stat(path) // follows links
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	return coreName.MatchString(d.Name()) && !otherName.MatchString(d.Name()) || coredbg.IsCore(path)
}

// matching returns the files that match a pattern, and the files of matching folders. In a pattern "**"
// stands for any folders.
func matching(pattern string) ([]string, error) {
	parts := strings.Split(filepath.ToSlash(pattern), "/")
	fixed := slices.IndexFunc(parts, func(p string) bool { return strings.ContainsAny(p, "*?[") })
	root := filepath.FromSlash(strings.Join(parts[:fixed], "/"))
	if root == "" && fixed > 0 {
		root = string(filepath.Separator)
	} else if root == "" {
		root = "."
	}
	for _, p := range parts[fixed:] {
		if _, err := filepath.Match(p, ""); err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
	}
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		segments := strings.Split(filepath.ToSlash(rel), "/")
		switch {
		case d.IsDir() && !mayMatch(parts[fixed:], segments):
			return filepath.SkipDir
		case !matches(parts[fixed:], segments):
		case d.IsDir():
			in, _ := below(path)
			all = append(all, in...)
		case !slices.Contains(parts[fixed:], "**") || isCore(path, d):
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				all = append(all, path)
			}
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: %w", pattern, fs.ErrNotExist)
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// matches reports whether a path matches a pattern, both in segments.
func matches(pattern, path []string) bool {
	for i, p := range pattern {
		if p == "**" {
			for n := range len(path) - i + 1 {
				if n <= len(path)-i && matches(pattern[i+1:], path[i+n:]) {
					return true
				}
			}
			return false
		}
		if i >= len(path) {
			return false
		}
		if ok, _ := filepath.Match(p, path[i]); !ok {
			return false
		}
	}
	return len(path) == len(pattern)
}

// mayMatch reports whether files below a folder may match a pattern.
func mayMatch(pattern, path []string) bool {
	for i, s := range path {
		if i >= len(pattern) {
			return false
		}
		if pattern[i] == "**" {
			return true
		}
		if ok, _ := filepath.Match(pattern[i], s); !ok {
			return false
		}
	}
	return true
}
