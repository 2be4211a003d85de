// Package out is where records become bytes: text with or without colour,
// JSON, pages. Nothing else writes to a terminal. What it writes is clean: a
// control character in text that came from a core is shown escaped, so that no
// core can talk to the terminal.
package out

import (
	"bufio"
	"fmt"
	"io"
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
}

// NewWriter returns a writer of plain text to w. It does not buffer.
func NewWriter(w io.Writer) *Writer { return &Writer{raw: w, style: plain} }

// NewBuffered returns a writer of plain text to w that has to be flushed.
func NewBuffered(w io.Writer) *Writer {
	return &Writer{raw: w, buf: bufio.NewWriterSize(w, 32<<10), style: plain}
}

// SetStyle gives the writer colours.
func (w *Writer) SetStyle(s *Style) { w.style = s }

// SetLog copies what is written to a log, without colours; nil ends that.
func (w *Writer) SetLog(l *Log) { w.log = l }

// Raw returns the underlying writer, below a pager, for a shell command to
// write to. Flush first.
func (w *Writer) Raw() io.Writer {
	if p, ok := w.raw.(*Pager); ok {
		return p.w
	}
	return w.raw
}

// SetRaw puts another writer, such as a Pager, under w.
func (w *Writer) SetRaw(raw io.Writer) {
	w.Flush()
	w.raw = raw
	w.err = nil
	if w.buf != nil {
		w.buf.Reset(raw)
	}
}

// Forget drops what is buffered and the error, after a pager's user has seen
// enough.
func (w *Writer) Forget() {
	w.err = nil
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
	w.put(Clean(s, true))
	return len(s), w.err
}

// Printf formats to the writer. The text is escaped.
func (w *Writer) Printf(format string, args ...any) {
	w.WriteString(fmt.Sprintf(format, args...))
}

// put writes clean text.
func (w *Writer) put(s string) {
	if w.err != nil {
		return
	}
	if w.buf != nil {
		_, w.err = w.buf.WriteString(s)
	} else {
		_, w.err = io.WriteString(w.raw, s)
	}
	if w.log != nil {
		w.log.write(s)
	}
}
