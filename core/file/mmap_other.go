//go:build !unix

package file

import (
	"os"

	"coredbg/core"
)

// mapFile returns a Source over f, which it takes over.
func mapFile(f *os.File, size int64) (core.Source, error) { return newBlocks(f, size), nil }
