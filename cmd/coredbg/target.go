package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"coredbg"
	"coredbg/core/file"
)

// A destination is where a file goes that is written as a whole: a file.Output, or a pipe.
type destination interface {
	io.WriteCloser
	Keep(paths ...string) error
	Commit() error
}

// A target is the file that a subcommand was asked to write.
type target struct {
	path  string // "-" is stdout
	force bool
}

// create refuses a destination of what is written before any work is done.
func (o *target) create(ctx context.Context, what string, f *flags, stdout *os.File) (destination, error) {
	var to destination = stream{stdout}
	var err error
	input := f.core
	if input == coredbg.Stdin {
		input = "/dev/stdin" // the file, where it is one
	}
	switch {
	case o.path != "-":
		to, err = file.Create(ctx, o.path, o.force, input, f.executable)
	case isTerminal(stdout):
		err = fmt.Errorf("%s is not for a terminal: redirect the output, or use -o FILE", what)
	default:
		err = to.Keep(input, f.executable)
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w (-force replaces it)", err)
	}
	return to, err
}

// stream is a destination that its reader keeps.
type stream struct{ *os.File }

func (s stream) Keep(paths ...string) error { return file.Distinct("/dev/stdout", paths...) }

func (stream) Commit() error { return nil }
