//go:build !linux

package file

import (
	"errors"
	"os"
)

// unnamed makes a file in dir. No system but Linux has files without names.
func unnamed(dir, base string) (*os.File, string, error) { return named(dir, base) }

// link is for files without names.
func link(*os.File, string) error { return errors.ErrUnsupported }
