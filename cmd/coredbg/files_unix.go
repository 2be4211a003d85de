//go:build unix

package main

import (
	"errors"
	"syscall"
	"time"
)

// spareFiles is how many files must still be allowed to be opened: a core, its program, and
// what Go's runtime needs to wait, without which it ends in a trace.
const spareFiles = 4

// enoughFiles returns an error if the process may open too few files. Otherwise it has
// the runtime open the files that it needs.
func enoughFiles() error {
	var fds []int
	var err error
	for range spareFiles {
		fd, e := syscall.Dup(0)
		if errors.Is(e, syscall.EMFILE) || errors.Is(e, syscall.ENFILE) {
			err = errors.New("too few files may be opened (ulimit -n)")
		}
		if e != nil {
			break
		}
		fds = append(fds, fd)
	}
	for _, fd := range fds {
		syscall.Close(fd)
	}
	if err == nil {
		time.AfterFunc(time.Hour, func() {}).Stop()
	}
	return err
}
