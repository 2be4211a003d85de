package out

import (
	"io"
	"os"
)

// A Terminal is standard output or standard error, which may be a terminal.
// Whatever is written to it is escaped, see Clean: what holds a Terminal cannot
// do otherwise. The writers of this package, which know clean text and their own
// colours, see what is below it; so does what asks for the File, to look at
// its size and modes or to hand it to another program.
type Terminal struct {
	w   io.Writer
	err error // of the first write that failed
}

// Err returns why something could not be written, to t itself or below it; nil if all was.
func (t *Terminal) Err() error { return t.err }

// A below is what is written to below a Terminal, which remembers errors.
type below struct{ t *Terminal }

// Write implements io.Writer.
func (b below) Write(p []byte) (int, error) {
	n, err := b.t.w.Write(p)
	if b.t.err == nil {
		b.t.err = err
	}
	return n, err
}

// NewTerminal returns the Terminal over w, which is w if it is one.
func NewTerminal(w io.Writer) *Terminal {
	if t, ok := w.(*Terminal); ok {
		return t
	}
	return &Terminal{w: w}
}

// Write implements io.Writer. The text is escaped.
func (t *Terminal) Write(p []byte) (int, error) {
	if _, err := io.WriteString(below{t}, Clean(string(p), true)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// File returns the file that is written to, or nil if it is none.
func (t *Terminal) File() *os.File {
	f, _ := t.w.(*os.File)
	return f
}

// under returns where clean text and colours are written to.
func under(w io.Writer) io.Writer {
	if t, ok := w.(*Terminal); ok {
		return below{t}
	}
	return w
}
