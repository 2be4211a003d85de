package file

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// unnamed makes a file in dir that has no name, and is lost unless it gets one;
// where the file system has no such files, one that has a name.
func unnamed(dir, base string) (*os.File, string, error) {
	f, err := os.OpenFile(dir, unix.O_TMPFILE|os.O_RDWR, 0o600)
	if err != nil {
		return named(dir, base)
	}
	if _, err := os.Stat(self(f)); err != nil { // link needs it
		f.Close()
		return named(dir, base)
	}
	return f, "", nil
}

func self(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// link gives an unnamed file a name that nothing has (open(2), O_TMPFILE).
func link(f *os.File, path string) error {
	if err := unix.Linkat(unix.AT_FDCWD, self(f), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: "unnamed file", New: path, Err: err}
	}
	return nil
}
