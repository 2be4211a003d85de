package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// A question is a command whose answer is a section of the page.
type question struct {
	id, title, command string
	runtime            string // the runtime that must be there; "" for none
	open               bool   // it is not folded
	// private answers may have what the process worked on: arguments, values.
	private bool
	// named answers are tables whose last column says what a row is about: it comes first on a narrow page.
	named bool
	// always is a section that is there, too, if only why there is no answer is known; the page
	// lacks nothing then.
	always bool
}

// questions are asked in this order. A section without an answer is left out.
var questions = []question{
	{id: "error", title: "The error as an object", command: "::jserror", runtime: "v8", private: true},
	{id: "exception", title: "The exception as an object", command: "::javaexception", runtime: "java", private: true},
	{id: "circles", title: "Goroutines that wait for each other", command: "::deadlock", runtime: "go", open: true},
	{id: "goroutines", title: "Goroutines by their stacks", command: "::goroutines -g", runtime: "go", open: true},
	{id: "suspects", title: "All suspects", command: "::leaks", runtime: "heap"},
	{id: "classes", title: "The heap by class", command: "::heapstat -r -n 40", runtime: "heap", named: true},
	{id: "dominators", title: "Largest holders", command: "::dominators -d 3", runtime: "heap", named: true},
	{id: "promises", title: "Promises", command: "::promises", runtime: "v8"},
	{id: "timers", title: "Timers", command: "::timers", runtime: "node"},
	{id: "handles", title: "Handles of the event loop", command: "::handles", runtime: "node"},
	{id: "deadlock", title: "Locks", command: "::deadlock", runtime: "java", open: true},
	{id: "memory", title: "Who has the memory", command: "::memory"},
	{id: "processor", title: "Processor time", command: "::threads -t", always: true},
	{id: "registers", title: "Registers", command: "::regs"},
	{id: "images", title: "Images", command: "::objects", named: true},
	{id: "mappings", title: "The address space", command: "::mappings"},
}

// maxRows bounds a section's table, and maxText its text, in bytes.
const (
	maxRows = 400
	maxText = 64 << 10
)

// A Section is the answer to a command.
type Section struct {
	ID, Title, Command string
	Open               bool
	Named              bool // the last column says what a row is about
	Head               []out.Cell
	Rows               [][]out.Cell
	Text               string   // of records that are not lines of a table
	Notes              []string // the command's remarks: missing parts, uncertain results
	More               int      // rows that are not shown
	Strip              *Strip   // drawn above the table; nil for none
	Bars               *Bars    // the same; nil for none
	Flame              *Flame   // drawn below it; nil for none
}

// ask returns the answer to a question; nil if there is none.
func ask(ctx context.Context, s *commands.Session, q *question) (*Section, error) {
	sec := &Section{ID: q.id, Title: q.title, Command: q.command, Open: q.open, Named: q.named}
	partial := s.Partial
	defer func() {
		if q.always {
			s.Partial = partial
		}
	}()
	var text strings.Builder
	kind, full := "", false
	said, err := s.Collect(ctx, q.command, func(r lang.Record) error {
		cells := out.Cells(commands.Plain(r))
		switch {
		case cells == nil:
			// One that is too long leaves no hole: what comes after it is left out, too.
			if x := s.Render(r); !full && text.Len()+len(x) <= maxText {
				text.WriteString(x)
			} else {
				full = true
				sec.More++
			}
		case kind != "" && kind != heads(cells), len(sec.Rows) == maxRows:
			sec.More++
		default:
			kind = heads(cells)
			sec.Head = cells
			sec.Rows = append(sec.Rows, cells)
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	sec.Text = strings.TrimRight(text.String(), "\n")
	sec.Notes = notes(said)
	if err != nil && !errors.Is(err, lang.ErrStop) {
		sec.Notes = append(sec.Notes, out.ErrorLines(err)...)
	}
	if sec.Rows == nil && sec.Text == "" && !core.CannotKnow(err) && !(q.always && len(sec.Notes) > 0) {
		return nil, nil
	}
	return sec, nil
}

// A TextLine is a line of a section's text, with its end.
type TextLine struct {
	Text   string
	Beside string // a second column, which a narrow page has below the first
	Call   bool   // "    at f (file:1:2)": a page breaks it anywhere, and not only behind "at"
}

// Lines are the lines of the text.
func (s *Section) Lines() (list []TextLine) {
	for line := range strings.Lines(s.Text) {
		x := TextLine{Text: line, Call: strings.HasPrefix(strings.TrimLeft(line, " \t"), "at ")}
		if i := s.column(line); i > 0 {
			x.Text, x.Beside = line[:i], line[i:]
		}
		list = append(list, x)
	}
	return list
}

// column returns where the second column of a line begins: another register, or the place of a frame. It is 0 for
// lines without one.
func (s *Section) column(line string) int {
	switch {
	case s.ID == "registers":
		if i := strings.Index(line, "  %"); i > 0 {
			return i + 2
		}
	case s.ID == "goroutines" && strings.HasPrefix(strings.TrimLeft(line, " "), "#"):
		if i := strings.LastIndex(line, "  "); i > strings.IndexByte(line, '#') {
			return i + 2
		}
	}
	return 0
}

// heads are the names of a table's columns.
func heads(cells []out.Cell) string {
	var names []string
	for _, c := range cells {
		names = append(names, c.Column)
	}
	return strings.Join(names, "\x00")
}

// notes are the lines of a command's remarks, each once.
func notes(said []commands.Remark) (list []string) {
	for i := range said {
		for _, line := range said[i].Lines() {
			line = strings.TrimSpace(line)
			if line != "" && !slices.Contains(list, line) && len(list) < maxNotes {
				list = append(list, line)
			}
		}
	}
	return list
}

// maxNotes bounds the notes of a section.
const maxNotes = 20

// has reports whether the process has what a question is about.
func has(s *commands.Session, runtime string) bool {
	switch runtime {
	case "":
		return true
	case "heap":
		_, ok := commands.RuntimeOf[runtimes.Grapher](s)
		return ok
	case "node":
		return slices.Contains(s.Languages(), runtimes.LanguageJavaScript)
	case "java":
		return slices.Contains(s.Languages(), runtimes.LanguageJava)
	}
	return slices.ContainsFunc(s.Found(), func(r runtimes.Runtime) bool { return r.Name() == runtime })
}

// maxRecords bounds how many records are looked at.
const maxRecords = 1 << 16

// records asks commands for records and returns what T takes of each, as JSON has it. A command that fails
// adds nothing.
func records[T any](ctx context.Context, s *commands.Session, asked ...string) (list []T, err error) {
	partial := s.Partial
	defer func() { s.Partial = partial }()
	for _, command := range asked {
		s.Collect(ctx, command, func(r lang.Record) error {
			var text bytes.Buffer
			w := out.NewWriter(&text)
			var x T
			if w.JSON(commands.Plain(r)) == nil && w.Flush() == nil && json.Unmarshal(text.Bytes(), &x) == nil &&
				len(list) < maxRecords {
				list = append(list, x)
			}
			return nil
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return list, nil
}

// known reports whether a section says more than why it has no answer.
func (s *Section) known() bool {
	return s.Rows != nil || s.Text != "" || s.Strip != nil || s.Bars != nil || s.Flame != nil
}
