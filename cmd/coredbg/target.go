package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
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
	ext   string // of its name if the user gives it none
}

// flags adds the flags of a target, whose name ends as ext if the user gives it none.
func (o *target) flags(set *flag.FlagSet, ext string) {
	o.ext = ext
	set.StringVar(&o.path, "o", "", "write to `file`, or to standard output for -; without it the core's name with "+
		ext+", here")
	set.BoolVar(&o.force, "force", false, "replace a file that is there")
	cmdline.Also(set, "o", "output")
}

// name names a target after its core if the user has not named it.
func (o *target) name(core string) {
	if core == coredbg.Stdin {
		core = "core"
	}
	o.path = cmp.Or(o.path, filepath.Base(core)+o.ext)
}

// create refuses an unwritable destination of the output before any work is done.
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
	case terminal.Is(stdout):
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
