package commands

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"coredbg/core"
)

// A fakeSystem keeps what its shell is given.
type fakeSystem struct {
	line  string
	stdin bytes.Buffer
	ended bool
}

func (f *fakeSystem) Getenv(string) string        { return "" }
func (f *fakeSystem) Now() time.Time              { return time.Unix(0, 0) }
func (f *fakeSystem) Write(p []byte) (int, error) { return f.stdin.Write(p) }
func (f *fakeSystem) Close() error                { f.ended = true; return nil }

func (f *fakeSystem) Shell(_ context.Context, line string, piped bool, stdout,
	_ io.Writer) (io.WriteCloser, func() error, error) {
	f.line = line
	return f, func() error {
		if piped && !f.ended {
			panic("waited for a line whose input is open")
		}
		_, err := io.WriteString(stdout, "out\n")
		return err
	}, nil
}

// TestShell: a line of the shell gets the text of records, and writes where the
// session does.
func TestShell(t *testing.T) {
	var stdout bytes.Buffer
	f := &fakeSystem{}
	s := NewSession(&core.Process{Arch: core.AMD64}, NewRegistry(), &stdout, io.Discard)
	s.System = f
	if err := s.Run(t.Context(), "1=D ! cat -n"); err != nil {
		t.Fatal(err)
	}
	if f.line != " cat -n" || f.stdin.String() == "" || stdout.String() != "out\n" {
		t.Errorf("line %q, input %q, output %q", f.line, f.stdin.String(), stdout.String())
	}
	stdout.Reset()
	if err := s.Run(t.Context(), "! date"); err != nil || f.line != " date" || stdout.String() != "out\n" {
		t.Errorf("line %q, output %q, %v", f.line, stdout.String(), err)
	}
}
