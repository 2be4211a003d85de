//go:build !unix

package file

import (
	"os"

	"coredbg/core"
)

// nonblock is the flag to open a file without waiting for a pipe's other end, which
// is nowhere to be waited for.
const nonblock = 0

// ours is not known.
func ours(os.FileInfo, int) bool { return true }

// dataFrom returns that all is data.
func dataFrom(_ *os.File, off, size int64) (start, end int64) { return off, size }

// mapCore returns a Source over f, which it takes over.
func mapCore(f *os.File, size int64) (core.Source, error) { return newBlocks(f, size), nil }

// mapFile returns a Source over f, which it takes over.
func mapFile(f *os.File, size int64) (core.Source, error) { return newBlocks(f, size), nil }
