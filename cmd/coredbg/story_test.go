package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// A story is a script of testdata/script.
type story struct {
	*txtar.Archive
	lines []storyLine
}

// A storyLine is a line of a story that is neither empty nor a comment.
type storyLine struct {
	number     int      // from 1
	text       string   // as it stands
	conditions []string // in brackets before the words
	neg        bool     // "!" stands before the words
	words      []string
}

// storyOf parses the text of a story.
func storyOf(a *txtar.Archive) *story {
	s := &story{Archive: a}
	for i, text := range strings.Split(string(a.Comment), "\n") {
		// A file in the story's folder is named with or without the folder.
		l := storyLine{number: i + 1, text: text, words: storyWords(strings.ReplaceAll(text, "$WORK/", ""))}
		for len(l.words) > 0 && (strings.HasPrefix(l.words[0], "[") || l.words[0] == "!") {
			if l.words[0] == "!" {
				l.neg = true
			} else {
				l.conditions = append(l.conditions, l.words[0])
			}
			l.words = l.words[1:]
		}
		if len(l.words) > 0 {
			s.lines = append(s.lines, l)
		}
	}
	return s
}

// storyWords splits a line as testscript does: quotes are single ones, and two of
// them within quotes are one.
func storyWords(text string) (words []string) {
	var word strings.Builder
	begun, quoted := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' && quoted && strings.HasPrefix(text[i+1:], "'"):
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, begun = !quoted, true
		case !quoted && strings.IndexByte(" \t\r", c) >= 0:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		case !quoted && !begun && c == '#':
			return words
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// starts reports whether a line runs a program, whose output takes the place of the
// output before it.
func (l *storyLine) starts() bool { return l.words[0] == "exec" || l.words[0] == "coredbg" }

// runs reports whether a line runs coredbg, itself or by a shell.
func (l *storyLine) runs() bool {
	return l.starts() && strings.Contains(strings.Join(l.words, " "), "coredbg")
}

// shell reports whether a line is one of a shell, which may expect any exit code.
func (l *storyLine) shell() bool { return l.words[0] == "exec" && l.words[1] == "sh" }

// failure matches the test of a shell for an exit code without results.
var failure = regexp.MustCompile(`test \$\? = [12]\b`)

// fails reports whether a line expects a failure.
func (l *storyLine) fails() bool {
	return l.neg || l.shell() && failure.MatchString(l.words[len(l.words)-1])
}

// compares reports whether a line is one of a shell that compares what coredbg prints.
func (l *storyLine) compares() bool {
	return l.shell() && strings.Contains(l.words[len(l.words)-1], "test $(coredbg")
}

// within reports whether the conditions of a line hold wherever the conditions of a run do.
func (l *storyLine) within(run *storyLine) bool {
	for _, c := range l.conditions {
		if !slices.Contains(run.conditions, c) {
			return false
		}
	}
	return true
}

// anyMessage is the head of every message. A pattern that matches it asserts nothing.
const anyMessage = "coredbg: "

// matchesAll reports whether a line "stdout PATTERN" or "stderr PATTERN" holds for
// every message.
func (l *storyLine) matchesAll() bool {
	if l.neg || l.words[0] != "stdout" && l.words[0] != "stderr" {
		return false
	}
	re, err := regexp.Compile("(?m)" + l.words[len(l.words)-1])
	return err == nil && re.MatchString(anyMessage)
}

// asserts reports whether a line "stdout PATTERN" or "stderr PATTERN" says what a run
// prints. A negated one does if it says that nothing is printed.
func (l *storyLine) asserts() bool {
	if l.neg {
		return l.words[len(l.words)-1] == "."
	}
	return !l.matchesAll()
}

// writes finds the files and folders that a run writes.
var writes = regexp.MustCompile(`(?:-o|--output)[ =](?:"([^"]+)"|([^ "]+[./][^ "]+))|(?:-dir |-resume |::dex -d |::log -e |> ?|\$> ?)"?([^ ;"&]+)`)

// written returns the files and folders that a run writes.
func (l *storyLine) written() (names []string) {
	for _, m := range writes.FindAllStringSubmatch(strings.Join(l.words[1:], " "), -1) {
		names = append(names, m[1]+m[2]+m[3])
	}
	return names
}

// names reports whether a file, or one in a folder of that name, is among the words of a
// line, or among the words of a quoted command.
func (l *storyLine) names(file string) bool {
	return regexp.MustCompile(`(?:^|[\s"=<])` + regexp.QuoteMeta(file) +
		`(?:$|[\s"/;)])`).MatchString(strings.Join(l.words[1:], " "))
}

// An opening is a place where a story asserts nothing.
type opening struct {
	line    *storyLine
	streams []string // the outputs to write down: "stdout", "stderr"
	why     string
}

func (o opening) String() string {
	if o.line == nil {
		return o.why
	}
	return fmt.Sprintf("line %d: %s\n%s", o.line.number, o.line.text, o.why)
}

// open returns the places where a story asserts nothing.
func (s *story) open() (all []opening) {
	runs := 0
	for i := range s.lines {
		l := &s.lines[i]
		switch {
		case l.matchesAll():
			all = append(all, opening{l, nil, "every output matches this"})
		case s.comparesEmpty(i):
			all = append(all, opening{l, nil,
				"the file is empty or missing; \"! stdout .\" says that nothing is printed"})
		case l.runs():
			runs++
			if o := s.unseen(i); o != nil {
				all = append(all, *o)
			}
		}
	}
	if runs == 0 {
		all = append(all, opening{why: "the story does not run coredbg"})
	}
	return all
}

// comparesEmpty reports whether line i compares an output with an empty file, or with a
// file that the story does not have.
func (s *story) comparesEmpty(i int) bool {
	l := &s.lines[i]
	if l.words[0] != "cmp" || len(l.words) != 3 || l.words[1] != "stdout" && l.words[1] != "stderr" ||
		strings.Contains(l.words[2], "$") {
		return false
	}
	if f := s.file(l.words[2]); f != nil {
		return len(f.Data) == 0
	}
	return !slices.ContainsFunc(s.lines[:i], func(before storyLine) bool {
		return before.words[0] != "cmp" && before.names(l.words[2])
	})
}

// file returns the file of a name; nil if the story does not have it.
func (s *story) file(name string) *txtar.File {
	for i := range s.Files {
		if s.Files[i].Name == name {
			return &s.Files[i]
		}
	}
	return nil
}

// unseen returns line i, which runs coredbg, as an opening; nil if its output is looked at.
func (s *story) unseen(i int) *opening {
	run := &s.lines[i]
	seen, file := s.looks(i)
	file = file || slices.ContainsFunc(run.written(), func(name string) bool { return s.lookedAt(name, i) })
	switch {
	case seen["stdout"], seen["stderr"] && (run.fails() || run.shell()), file && !run.fails(), run.compares():
		return nil
	case seen["stderr"]:
		return &opening{run, []string{"stdout"}, "nothing looks at its standard output"}
	}
	return &opening{run, []string{"stdout", "stderr"}, "nothing looks at what it prints"}
}

// looks returns the outputs of line i that the lines up to the next program look at, and
// whether they look at a file that line i names.
func (s *story) looks(i int) (seen map[string]bool, file bool) {
	run := &s.lines[i]
	seen = map[string]bool{}
	for j := i + 1; j < len(s.lines) && !s.lines[j].starts(); j++ {
		l := &s.lines[j]
		if !l.within(run) {
			continue
		}
		switch w := l.words; w[0] {
		case "stdout", "stderr":
			seen[w[0]] = seen[w[0]] || l.asserts()
		case "cmp", "cmpenv":
			seen[w[1]] = seen[w[1]] || !l.neg
			file = file || !l.neg && (run.names(w[1]) || run.names(w[2]))
		case "cp":
			seen[w[1]] = seen[w[1]] || s.lookedAt(w[2], j)
		case "exists", "grep":
			file = file || !l.neg && slices.ContainsFunc(w[1:], run.names)
		}
	}
	return seen, file
}

// lookedAt reports whether a line after line i reads a file.
func (s *story) lookedAt(file string, i int) bool {
	return slices.ContainsFunc(s.lines[i+1:], func(l storyLine) bool {
		switch l.words[0] {
		case "exec", "coredbg":
			return l.names(file) && !slices.Contains(l.written(), file)
		case "cmp", "grep", "exists", "stdin":
			return !l.neg && l.names(file)
		}
		return false
	})
}
