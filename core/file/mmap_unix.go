//go:build unix

package file

import (
	"fmt"
	"os"
	"syscall"

	"coredbg/core"
)

// mapping is a Source over a file mapped into memory.
type mapping struct{ core.Bytes }

func (m *mapping) Close() error { return syscall.Munmap(m.Bytes) }

// mapFile maps f, which is closed in any case.
func mapFile(f *os.File, size int64) (core.Source, error) {
	if size == 0 {
		return core.Bytes(nil), f.Close()
	}
	if int64(int(size)) != size {
		return newBlocks(f, size), nil
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("%s: mmap: %w", f.Name(), err)
	}
	return &mapping{b}, nil
}
