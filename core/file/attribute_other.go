//go:build !linux

package file

import "os"

// Attribute returns "": extended attributes are read on Linux only.
func Attribute(*os.File, string) string { return "" }
