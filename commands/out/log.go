package out

import "io"

// A Log is a copy of a session's output in a file, without colours.
type Log struct {
	w   io.WriteCloser
	err error
}

// NewLog returns a log that writes to w.
func NewLog(w io.WriteCloser) *Log { return &Log{w: w} }

func (l *Log) write(s string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, s)
	}
}

// Typed writes a line that a user has typed at a prompt.
func (l *Log) Typed(prompt, line string) { l.write(Clean(prompt+line, false) + "\n") }

// Tee returns a writer to w and the log.
func (l *Log) Tee(w io.Writer) io.Writer { return tee{w, l} }

type tee struct {
	io.Writer
	log *Log
}

func (t tee) Write(p []byte) (int, error) {
	t.log.write(Clean(string(p), true))
	return t.Writer.Write(p)
}

// Close closes the file and returns the first error of the log.
func (l *Log) Close() error {
	if err := l.w.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}
