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
type Terminal struct{ w io.Writer }

// NewTerminal returns the Terminal over w, which is w if it is one.
func NewTerminal(w io.Writer) *Terminal {
	if t, ok := w.(*Terminal); ok {
		return t
	}
	return &Terminal{w}
}

// Write implements io.Writer. The text is escaped.
func (t *Terminal) Write(p []byte) (int, error) {
	if _, err := io.WriteString(t.w, Clean(string(p), true)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// File returns the file that is written to, or nil if it is none.
func (t *Terminal) File() *os.File {
	f, _ := t.w.(*os.File)
	return f
}

// below returns where clean text and colours are written to.
func below(w io.Writer) io.Writer {
	if t, ok := w.(*Terminal); ok {
		return t.w
	}
	return w
}
