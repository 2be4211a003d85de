package commands

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/exec"
	"time"
)

// A System is what a session uses of the machine that it runs on. Tests and
// programs that embed a session may give it another one than the OS.
type System interface {
	// Getenv returns a variable of the environment; "" if it is not set.
	Getenv(name string) string
	// Now returns the time.
	Now() time.Time
	// Shell starts a line of the user's shell. If piped is set the line reads
	// what is written to stdin, until that is closed; else what the session
	// itself would. Wait returns once the line has ended.
	Shell(ctx context.Context, line string, piped bool, stdout, stderr io.Writer) (stdin io.WriteCloser, wait func() error, err error)
}

// OS is the System of the process.
type OS struct{}

// Getenv implements System.
func (OS) Getenv(name string) string { return os.Getenv(name) }

// Now implements System.
func (OS) Now() time.Time { return time.Now() }

// Shell implements System: it runs $SHELL -c line.
func (o OS) Shell(ctx context.Context, line string, piped bool, stdout, stderr io.Writer) (stdin io.WriteCloser, wait func() error, err error) {
	cmd := exec.CommandContext(ctx, cmp.Or(o.Getenv("SHELL"), "/bin/sh"), "-c", line)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if piped {
		cmd.Stdin = nil
		if stdin, err = cmd.StdinPipe(); err != nil {
			return nil, nil, err
		}
	}
	return stdin, cmd.Wait, cmd.Start()
}
