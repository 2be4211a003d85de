package main

import (
	"context"
	"encoding/json"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/corpus"
	"coredbg/export"
	"coredbg/triage"
)

// caseFormat is what "coredbg corpus" has its processes write.
const caseFormat = "case"

// formatOf returns the format of a name. The format of cases belongs to this program alone.
func formatOf(name string) (export.Format, bool) {
	if name == caseFormat {
		return export.Format{Make: func(ctx context.Context, s *commands.Session, l *triage.Line) (any, error) {
			return corpus.NewCase(ctx, s, l), nil
		}}, true
	}
	f, ok := export.Formats()[name]
	return f, ok
}

// A sheet is where the results of many cores go: as lines of triage, or in a format.
type sheet struct {
	w      *out.Writer
	stderr *out.Terminal
	name   string // of the format; "" for lines
	format export.Format
	docs   []json.RawMessage
	unread []*triage.Line
}

func newSheet(w *out.Writer, stderr *out.Terminal, name string) *sheet {
	s := &sheet{w: w, stderr: stderr, name: name}
	s.format, _ = formatOf(name)
	return s
}

// add writes the result of a core, or keeps it for a document that joins all.
func (s *sheet) add(got *triage.Result) error {
	switch {
	case s.name == "":
		return s.w.JSON(got.Line)
	case got.Doc == nil:
		s.unread = append(s.unread, got.Line)
		if s.format.Join == nil {
			fmt.Fprintf(s.stderr, "coredbg: %s\n", out.Clean(got.Line.Core+": "+got.Line.Error, false))
		}
		return nil
	case s.format.Join != nil:
		s.docs = append(s.docs, got.Doc)
		return nil
	}
	return s.w.JSON(got.Doc)
}

// end writes the document that joins all.
func (s *sheet) end() error {
	if s.format.Join == nil {
		return nil
	}
	return s.w.JSON(s.format.Join(s.docs, s.unread))
}
