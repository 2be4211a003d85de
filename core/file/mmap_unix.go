//go:build unix

package file

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"

	"coredbg/core"
)

// nonblock is the flag to open a file without waiting for a pipe's other end.
const nonblock = syscall.O_NONBLOCK

// ours reports whether a file belongs to a user.
func ours(st os.FileInfo, uid int) bool {
	s, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == uid
}

// mapping is a Source over a file mapped into memory.
type mapping struct {
	core.Bytes
	f *os.File // nil if it was closed when it was mapped

	mu    sync.Mutex // guards eased
	eased int64      // what was in memory of files after Ease gave something back
}

func (m *mapping) Close() error {
	err := syscall.Munmap(m.Bytes)
	if m.f != nil {
		err = errors.Join(err, m.f.Close())
	}
	return err
}

// Cut implements core.CutSource.
func (m *mapping) Cut() error {
	if m.f == nil {
		return nil
	}
	st, err := m.f.Stat()
	if err != nil || st.Size() >= m.Size() {
		return err
	}
	return fmt.Errorf("it had %d bytes when it was opened and has %d now", m.Size(), st.Size())
}

// Data implements core.SparseSource, by asking the file system.
func (m *mapping) Data(off int64) (start, end int64) {
	size := m.Size()
	if off >= size {
		return size, size
	}
	if m.f == nil {
		return off, size
	}
	return dataFrom(m.f, off, size)
}

// dataFrom returns the first run of data at or after off, in a file that had a size when it was opened.
// A part lost since then counts as data, which cannot be read, not as a hole.
func dataFrom(f *os.File, off, size int64) (start, end int64) {
	if seekData < 0 {
		return off, size
	}
	start, err := f.Seek(off, seekData)
	switch {
	case errors.Is(err, syscall.ENXIO): // a hole up to the end
		if st, err := f.Stat(); err != nil || st.Size() < size {
			return off, size
		}
		return size, size
	case err != nil:
		return off, size
	}
	if end, err = f.Seek(start, seekHole); err != nil || end <= start {
		end = size
	}
	return min(start, size), min(end, size)
}

// mapFile maps f, which is closed in any case.
func mapFile(f *os.File, size int64) (core.Source, error) { return mapTo(f, size, false) }

// mapCore maps f, which it takes over. It stays open, to be asked about its holes.
func mapCore(f *os.File, size int64) (core.Source, error) { return mapTo(f, size, true) }

func mapTo(f *os.File, size int64, keep bool) (core.Source, error) {
	if size == 0 {
		return core.Bytes(nil), f.Close()
	}
	if int64(int(size)) != size {
		return newBlocks(f, size), nil
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil || !keep {
		defer f.Close()
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: mmap: %w", f.Name(), err)
	case keep:
		return &mapping{Bytes: b, f: f}, nil
	}
	return &mapping{Bytes: b}, nil
}
