package file

import (
	"os"

	"golang.org/x/sys/unix"
)

// Attribute returns an extended attribute of an open file; "" if the file lacks it, or if it is longer
// than 4 KiB.
func Attribute(f *os.File, name string) string {
	var value [4096]byte
	n, err := unix.Fgetxattr(int(f.Fd()), name, value[:])
	if err != nil || n < 0 {
		return ""
	}
	return string(value[:n])
}
