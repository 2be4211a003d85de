package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands/out"
)

// hint adds to an error of opening a core what a user who named one that is not there
// may have meant.
func (f *flags) hint(err error) error {
	if !errors.Is(err, fs.ErrNotExist) || f.core == "" || f.executable != "" || f.known > 0 {
		return err
	}
	if !strings.ContainsRune(f.core, filepath.Separator) {
		err = fmt.Errorf("%w, and no store of this system has a core of it", err)
	}
	if strings.Trim(f.core, "0123456789") == "" {
		err = fmt.Errorf("%w; coredbg does not attach to processes: gcore %s makes a core of one", err, f.core)
	}
	return err
}

// noteSwap says that the operands were taken in the other order.
func (f *flags) noteSwap(stderr io.Writer) {
	if f.swapped {
		fmt.Fprintf(stderr, "coredbg: %s is the core and %s the executable: the core comes last\n",
			out.Clean(f.core, false), out.Clean(f.executable, false))
	}
}

// noteMissing says which of the files and folders that the command line names are not
// there: without them coredbg does what it can.
func (f *flags) noteMissing(stderr io.Writer) {
	note := func(what, path, is string) {
		fmt.Fprintf(stderr, "coredbg: %s%s: %s\n", what, out.Clean(path, false), is)
	}
	if f.executable != "" && !cmdline.Exists(f.executable) {
		note("executable ", f.executable, "no such file")
	}
	folder := func(flag, path string) {
		if st, err := os.Stat(path); path != "" && err != nil {
			note(flag+" ", path, "no such folder")
		} else if path != "" && !st.IsDir() {
			note(flag+" ", path, "not a folder")
		}
	}
	folder("-sysroot", f.sysroot)
	for _, path := range f.search {
		folder("-search", path)
	}
	for _, path := range f.debugDirs {
		folder("-debug-dir", path)
	}
}
