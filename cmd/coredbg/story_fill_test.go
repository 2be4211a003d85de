package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// stories are the subtests of TestScript. A story with an opening fails; with -update its
// openings are filled in.
type stories struct {
	*testing.T
	dir    string
	update bool
}

// Run runs a story.
func (s stories) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) {
		path := filepath.Join(s.dir, name+".txtar")
		if s.update {
			filling, err := startFilling(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := filling.finish(); err != nil {
					t.Error(err)
				}
				reportOpenings(t, path)
			}()
		} else {
			reportOpenings(t, path)
		}
		f(stories{t, s.dir, s.update})
	})
}

// Verbose reports whether the tests are run with -v.
func (s stories) Verbose() bool { return testing.Verbose() }

// reportOpenings fails the test of a story that has openings.
func reportOpenings(t *testing.T, path string) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	for _, o := range storyOf(a).open() {
		t.Errorf("%s: %v", filepath.Base(path), o)
	}
}

// A filling fills in the openings of a story while it runs. testscript writes an output
// into the file that it is compared with, so each opening becomes such a comparison first.
type filling struct {
	path string
	// added are the files that are compared with; the value is whether the story had
	// the line that compares.
	added map[string]bool
}

// unreached is in a file that no output has been compared with.
const unreached = "no output was compared with this\n"

// startFilling writes a comparison into each opening of a story.
func startFilling(path string) (*filling, error) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	f := &filling{path: path, added: map[string]bool{}}
	s := storyOf(a)
	text := strings.Split(string(a.Comment), "\n")
	shift := 0 // lines that were added to text before the next opening
	for _, o := range s.open() {
		switch {
		case o.line == nil:
		case o.line.matchesAll():
			at := o.line.number - 1 + shift
			text = slices.Delete(text, at, at+1)
			shift--
		case o.streams == nil:
			f.add(s, o.line.words[2], true)
		default:
			for i, stream := range o.streams {
				name := s.unusedName(o.line, stream)
				f.add(s, name, false)
				text = slices.Insert(text, o.line.number+shift+i, o.line.prefix()+"cmp "+stream+" "+name)
			}
			shift += len(o.streams)
		}
	}
	if len(f.added) == 0 {
		return f, nil
	}
	a.Comment = []byte(strings.Join(text, "\n"))
	return f, writeStory(path, a)
}

// add adds a file to a story, for a line that the story had or that is new.
func (f *filling) add(s *story, name string, had bool) {
	f.added[name] = had
	if there := s.file(name); there != nil {
		there.Data = []byte(unreached)
		return
	}
	s.Files = append(s.Files, txtar.File{Name: name, Data: []byte(unreached)})
}

// finish turns comparisons with an empty output into "! stdout ." and takes back the
// comparisons that the story did not reach.
func (f *filling) finish() error {
	if len(f.added) == 0 {
		return nil
	}
	a, err := txtar.ParseFile(f.path)
	if err != nil {
		return err
	}
	s := storyOf(a)
	text := strings.Split(string(a.Comment), "\n")
	for _, l := range slices.Backward(s.lines) {
		had, ok := f.added[l.words[len(l.words)-1]]
		if !ok || l.words[0] != "cmp" {
			continue
		}
		data, at := string(s.file(l.words[2]).Data), l.number-1
		switch {
		case data == unreached && !had, data == "" && !had && l.words[1] == "stderr":
			text = slices.Delete(text, at, at+1)
		case data == "":
			text[at] = l.prefix() + "! " + l.words[1] + " ."
		}
	}
	s.Files = slices.DeleteFunc(s.Files, func(file txtar.File) bool {
		had, ok := f.added[file.Name]
		return ok && (len(file.Data) == 0 || string(file.Data) == unreached && !had)
	})
	for name := range f.added {
		if file := s.file(name); file != nil && string(file.Data) == unreached {
			file.Data = nil
		}
	}
	a.Comment = []byte(strings.Join(text, "\n"))
	return writeStory(f.path, a)
}

// prefix returns the conditions of a line, as they stand before its words.
func (l *storyLine) prefix() string {
	if len(l.conditions) == 0 {
		return ""
	}
	return strings.Join(l.conditions, " ") + " "
}

// commandName finds the name of the first command that a run is given.
var commandName = regexp.MustCompile(`::(\w+)|coredbg (\w+)`)

// unusedName returns a name for the file that has an output of a run.
func (s *story) unusedName(run *storyLine, stream string) string {
	base := "run"
	if m := commandName.FindStringSubmatch(run.text); m != nil {
		base = m[1] + m[2]
	}
	suffix := map[string]string{"stdout": ".txt", "stderr": ".err"}[stream]
	for n := 1; ; n++ {
		name := base + suffix
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", base, n, suffix)
		}
		if s.file(name) == nil && !slices.ContainsFunc(s.lines, func(l storyLine) bool { return l.names(name) }) {
			return name
		}
	}
}

// writeStory replaces the file of a story.
func writeStory(path string, a *txtar.Archive) error {
	if err := os.WriteFile(path+".new", txtar.Format(a), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
