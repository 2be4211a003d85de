// Package ask puts command lines to open cores for programs: a model by way of MCP, an
// editor by way of DAP. It gives each core one line at a time, keeps its answer as records
// with their text, and bounds both.
//
//	ask.go      a core and its turns, a query and its records
//	cut.go      records that are too large
//	folders.go  which files may be opened
//
// LIMITATIONS: a command that builds one record of the whole heap needs the memory for it,
// as at the prompt; only the record's copy here is bounded.
package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Core is an open core. Its session serves one caller at a time: see Do.
type Core struct {
	ID      string // as its opener calls it
	Path    string
	Session *commands.Session

	turn chan struct{}     // holds a value while the core is free
	said []commands.Remark // of the line that runs
}

// New takes over an open session: its commands may neither write nor run anything from now on.
func New(id, path string, s *commands.Session) *Core {
	c := &Core{ID: id, Path: path, Session: s, turn: make(chan struct{}, 1)}
	s.Confined = true
	s.Listen(func(r commands.Remark) bool {
		if len(c.said) < maxSaid {
			c.said = append(c.said, r)
		}
		return true
	})
	c.turn <- struct{}{}
	return c
}

// ErrClosed is the error of a query to a core that was closed.
var ErrClosed = errors.New("the core was closed")

// Do waits for the core's turn and calls do. It returns the error of ctx or do, or ErrClosed; a panic of do
// is an error.
func (c *Core) Do(ctx context.Context, do func(q *Query) error) (err error) {
	select {
	case _, ok := <-c.turn:
		if !ok {
			return ErrClosed
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { c.turn <- struct{}{} }()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error, please report: %v", r)
		}
	}()
	if cut := core.Guard(func() { err = do(&Query{ctx: ctx, core: c}) }); cut != nil {
		return fmt.Errorf("%s was cut short while it was open: %w", c.Path, cut)
	}
	return err
}

// Close waits for the turn of the core and closes it.
func (c *Core) Close() error {
	if _, ok := <-c.turn; !ok {
		return ErrClosed
	}
	close(c.turn)
	return c.Session.Close()
}

// A Query collects the records of command lines.
type Query struct {
	ctx  context.Context
	core *Core

	Entries []Entry
	Notes   []string // remarks that are no records: nothing was found, something was cut
	// Failed is the first statement that failed; nil if none did.
	Failed *commands.Failure
	// Tried is the first line of Try that failed; nil if none did.
	Tried *commands.Failure

	size    int
	answers int // records that are no warnings
	full    bool
	kind    string // of the last record with text
}

// An Entry is a record, or a piece of a large one.
type Entry struct {
	JSON json.RawMessage // an object
	Text string          // its lines for people; the heading of a table is with its first line
}

// maxKept bounds the bytes of an answer that are kept.
const maxKept = 2 << 20

// The bounds of the notes of an answer, and of the remarks that they are taken from.
const (
	maxNotes = 20
	maxSaid  = 1000
)

// Context returns the context of the query, which ends when its asker gives up.
func (q *Query) Context() context.Context { return q.ctx }

// Session returns the session that is asked.
func (q *Query) Session() *commands.Session { return q.core.Session }

// Kept calls do, and restores the session's current thread and frame after it.
func (q *Query) Kept(do func() error) error {
	s := q.Session()
	thread := s.Thread
	frame, chosen := s.FrameOf(thread)
	defer func() {
		s.Thread = thread
		if chosen {
			s.ChooseFrame(thread, frame)
		} else {
			s.ChooseFrame(nil, 0)
		}
	}()
	return do()
}

// Run runs a line and adds its records. A failure is kept in Failed.
func (q *Query) Run(format string, args ...any) {
	if f := q.run(fmt.Sprintf(format, args...), q.add); f != nil && q.Failed == nil {
		q.Failed = f
	}
}

// Try runs a line that the answer can do without: a failure is a note.
func (q *Query) Try(format string, args ...any) (ok bool) {
	before := q.answers
	f := q.run(fmt.Sprintf(format, args...), q.add)
	if f != nil {
		q.Note(f.Message)
		q.Tried = cmp.Or(q.Tried, f)
	}
	return f == nil && q.answers > before
}

// Records runs a line and hands its records to do, without keeping them. It returns the first failure.
func (q *Query) Records(line string, do func(r commands.Record) error) *commands.Failure {
	return q.run(line, do)
}

func (q *Query) run(line string, emit func(commands.Record) error) (failed *commands.Failure) {
	if q.full {
		return nil
	}
	s := q.core.Session
	q.core.said = nil
	err := s.Ask(q.ctx, line, func(r commands.Record) error {
		if f, ok := r.(*commands.Failure); ok && f.Type == "error" {
			if failed == nil {
				failed = f
			}
			return nil
		}
		return emit(r)
	})
	var several *lang.FailedError
	switch {
	case q.ctx.Err() != nil:
		failed = &commands.Failure{Type: "error", Kind: "failed", Message: "it was given up: " +
			context.Cause(q.ctx).Error()}
	case errors.Is(err, lang.ErrQuit):
		q.Note("::quit does nothing here")
	case err != nil && failed == nil && !errors.As(err, &several) && !errors.Is(err, lang.ErrStop):
		failed = commands.FailureOf("error", err)
	}
	for _, r := range q.core.said {
		for _, l := range r.Lines() {
			q.Note(strings.TrimSpace(l))
		}
	}
	q.core.said = nil
	return failed
}

// First runs lines until one has an answer, and keeps only that answer. Without an answer it keeps the words
// of the first line.
func (q *Query) First(lines []string) {
	entries, notes := len(q.Entries), len(q.Notes)
	var first *Query
	for _, l := range lines {
		q.Entries, q.Notes, q.Failed = q.Entries[:entries:entries], q.Notes[:notes:notes], nil
		before := q.answers
		q.Run("%s", l)
		if q.Failed == nil && q.answers > before {
			return
		}
		if first == nil {
			kept := *q
			first = &kept
		}
	}
	if first != nil {
		q.Entries, q.Notes, q.Failed = first.Entries, first.Notes, first.Failed
	}
}

// Note adds a note, once.
func (q *Query) Note(text string) {
	if text != "" && len(q.Notes) < maxNotes && !slices.Contains(q.Notes, text) {
		q.Notes = append(q.Notes, cutText(out.Clean(text, false), maxString))
	}
}

// TextOf returns the lines of a record for people, without a heading.
func (q *Query) TextOf(r commands.Record) string {
	var b strings.Builder
	w := out.NewWriter(&b)
	if commands.WriteText(w, r) != nil {
		return ""
	}
	w.Flush()
	return b.String()
}

// Keep adds a record that Records handed over. It returns lang.ErrStop once there are enough.
func (q *Query) Keep(r commands.Record) error { return q.add(r) }

// add keeps a record. It returns lang.ErrStop once there are enough.
func (q *Query) add(r commands.Record) error {
	if _, warning := r.(*commands.Failure); !warning {
		q.answers++
	}
	b, err := out.Marshal(r)
	if err != nil {
		return fmt.Errorf("a record of %T has no JSON: %w", r, err)
	}
	pieces, cut := split(b)
	if cut {
		q.Note("long texts and lists are cut, where they say how much is left out; the same question with a command line and its -n, -d, -s or -l shows more or other parts")
	}
	return q.keep(pieces, q.text(r))
}

// Add keeps a value that is no record of a command, with the lines that people see.
func (q *Query) Add(v any, text string) error {
	b, err := out.Marshal(v)
	if err != nil {
		return err
	}
	pieces, _ := split(b)
	return q.keep(pieces, text)
}

// NewEntry returns the entry of a record that is made without a core, cut to fit.
func NewEntry(r any, text string) (Entry, error) {
	b, err := out.Marshal(r)
	if err != nil {
		return Entry{}, err
	}
	c := &cutter{text: maxString, items: math.MaxInt}
	copied, err := c.copy(b)
	if err != nil {
		return Entry{}, err
	}
	small, _ := shrink(copied)
	return Entry{JSON: small, Text: shorten(slices.Collect(strings.Lines(text)))}, nil
}

// keep adds the pieces of a record, with the lines of its text shared among them.
func (q *Query) keep(pieces []json.RawMessage, text string) error {
	lines := slices.Collect(strings.Lines(text))
	share := (len(lines) + len(pieces) - 1) / len(pieces)
	for _, p := range pieces {
		n := min(share, len(lines))
		e := Entry{JSON: p, Text: shorten(lines[:n])}
		lines = lines[n:]
		if q.size += len(e.JSON) + len(e.Text); q.size > maxKept {
			q.full = true
			q.Note(fmt.Sprintf("the answer goes on: only its first %d records are kept; ask for less", len(q.Entries)))
			return lang.ErrStop
		}
		q.Entries = append(q.Entries, e)
	}
	return nil
}

// text returns the lines of a record for people.
func (q *Query) text(r commands.Record) string {
	kind := fmt.Sprintf("%T", r)
	if kind == q.kind {
		return q.TextOf(r)
	}
	q.kind = kind
	var b strings.Builder
	w := out.NewWriter(&b)
	commands.WriteHeader(w, r)
	w.Flush()
	return b.String() + q.TextOf(r)
}

// Page returns the entries from index from on that fit into most bytes, written as JSON and as quoted text, and the
// index of the next; 0 at the end.
func Page(all []Entry, from, most int) (page []Entry, next int) {
	size := 0
	for i := from; i < len(all); i++ {
		size += len(all[i].JSON) + quotedLen(all[i].Text) + 1
		if size > most && i > from {
			return all[from:i], i
		}
	}
	return all[from:], 0
}

// quotedLen returns at least the bytes that a text takes as a string of JSON, with a mark on each line.
func quotedLen(s string) int {
	n := len(s) + 2 + 2*strings.Count(s, "\n")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n':
			n++
		case c == '<' || c == '>' || c == '&':
			n += 5
		}
	}
	return n
}
