// Package out is where records become bytes: text with or without colour, JSON, pages. Others have a Terminal
// to write to. Output is clean: a control character in text that came from a core, or from a name of a file, is
// shown escaped, so that neither can talk to the terminal.
package out

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Writer is where records write their text. It has the session's style. All
// that is written is escaped, see Clean; only Paint makes colours. The first
// error of the underlying writer is kept, and ends all writing.
type Writer struct {
	raw   io.Writer
	buf   *bufio.Writer // nil if each write goes through at once
	log   *Log
	style *Style
	err   error

	before  func()     // called before anything is written; may be nil
	columns func() int // nil if lines may be as long as they are
	whole   int        // how often Whole was asked for
	names   bool       // names may be cut
	line    []piece    // the line so far, if there are columns
}

// NewWriter returns a writer of plain text to w. It does not buffer.
func NewWriter(w io.Writer) *Writer { return &Writer{raw: under(w), style: plain} }

// NewBuffered returns a writer of plain text to w that has to be flushed.
func NewBuffered(w io.Writer) *Writer {
	w = under(w)
	return &Writer{raw: w, buf: bufio.NewWriterSize(w, 32<<10), style: plain}
}

// SetStyle gives the writer colours.
func (w *Writer) SetStyle(s *Style) { w.style = s }

// SetLog copies what is written to a log, without colours; nil ends that.
func (w *Writer) SetLog(l *Log) { w.log = l }

// Raw returns the underlying writer, below a pager, for a shell command to
// write to. Flush first.
func (w *Writer) Raw() io.Writer {
	raw := w.raw
	if p, ok := raw.(*Pager); ok {
		raw = p.w
	}
	if b, ok := raw.(below); ok {
		return b.t.w
	}
	return raw
}

// SetRaw puts another writer, such as a Pager, under w.
func (w *Writer) SetRaw(raw io.Writer) {
	w.Flush()
	raw = under(raw)
	w.raw = raw
	w.err = nil
	if w.buf != nil {
		w.buf.Reset(raw)
	}
}

// Forget drops what is buffered and the error, after a pager's user has seen
// enough.
func (w *Writer) Forget() {
	w.err, w.line = nil, nil
	if w.buf != nil {
		w.buf.Reset(w.raw)
	}
	if p, ok := w.raw.(*Pager); ok {
		p.Reset()
	}
}

// Err returns the first error of writing.
func (w *Writer) Err() error { return w.err }

// Flush writes what is buffered.
func (w *Writer) Flush() error {
	w.endLine("")
	if w.before != nil {
		w.before()
	}
	if w.buf != nil && w.err == nil {
		w.err = w.buf.Flush()
	}
	return w.err
}

// Write implements io.Writer. The text is escaped.
func (w *Writer) Write(p []byte) (int, error) {
	w.WriteString(string(p))
	return len(p), w.err
}

// WriteString writes text, escaped.
func (w *Writer) WriteString(s string) (int, error) {
	w.put(Plain, Clean(s, true), false)
	return len(s), w.err
}

// Printf formats to the writer. The text is escaped.
func (w *Writer) Printf(format string, args ...any) {
	w.WriteString(fmt.Sprintf(format, args...))
}

// put writes clean text; a unit is a name or a path, and stays in one piece.
func (w *Writer) put(ink Ink, s string, unit bool) {
	if w.err != nil || s == "" {
		return
	}
	if w.log != nil {
		w.log.write(s)
	}
	if w.Columns() == 0 {
		w.endLine("")
		w.emit(ink, s)
		return
	}
	for {
		text, rest, more := strings.Cut(s, "\n")
		if text != "" {
			w.line = append(w.line, piece{ink, text, unit})
		}
		if !more {
			return
		}
		w.endLine("\n")
		s = rest
	}
}

// putWhole writes clean text as it is, however long its lines are.
func (w *Writer) putWhole(s string) {
	defer w.Whole()()
	w.put(Plain, s, false)
}

// SetBefore makes the writer call f before it writes, so that what else is on the
// terminal can be taken away.
func (w *Writer) SetBefore(f func()) { w.before = f }

// emit writes text in its colour.
func (w *Writer) emit(ink Ink, s string) {
	if w.err != nil || s == "" {
		return
	}
	if w.before != nil && w.buf == nil {
		w.before()
	}
	if ink < inks && w.style.inks[ink] != nil {
		s = w.style.inks[ink].Sprint(s)
	}
	if w.buf != nil {
		_, w.err = w.buf.WriteString(s)
	} else {
		_, w.err = io.WriteString(w.raw, s)
	}
}
