package commands

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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
	Shell(ctx context.Context, line string, piped bool, stdout, stderr io.Writer) (stdin io.WriteCloser,
		wait func() error, err error)
}

// ErrConfined is the error of an action that a session refuses because it is Confined.
var ErrConfined = errors.New("refused")

// OS is the System of the process.
type OS struct{}

// Getenv implements System.
func (OS) Getenv(name string) string { return os.Getenv(name) }

// Now implements System.
func (OS) Now() time.Time { return time.Now() }

// Shell implements System: it runs $SHELL -c line.
func (o OS) Shell(ctx context.Context, line string, piped bool, stdout,
	stderr io.Writer) (stdin io.WriteCloser, wait func() error, err error) {
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

// Filter runs a program that reads input, and returns what it wrote. The error has
// what the program said.
func (OS) Filter(ctx context.Context, input []byte, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.WaitDelay = bytes.NewReader(input), time.Second
	written, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("%s: %w: %s", program, err, bytes.TrimSpace(exit.Stderr))
	}
	return written, err
}

// Self runs this program once more, with other arguments, and returns how it ended. A nil
// stdin stays open for as long as this process lives, and has nothing. The
// error says that it could not be run, or not be waited for.
func (OS) Self(ctx context.Context, args []string, stdin *os.File, stdout, stderr io.Writer) (*os.ProcessState, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdout, stderr, time.Second
	if stdin != nil {
		cmd.Stdin = stdin
	} else if in, err := cmd.StdinPipe(); err != nil {
		return nil, err
	} else {
		defer in.Close()
	}
	err = cmd.Run()
	if cmd.ProcessState != nil {
		err = nil // it says more
	}
	return cmd.ProcessState, err
}
