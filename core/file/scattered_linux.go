package file

import "syscall"

// Scattered passes the hint on: without it Linux reads 128 KiB around each
// first touch of a page, holes of a sparse core included. A failure costs time alone.
func (m *mapping) Scattered(on bool) {
	advice := syscall.MADV_NORMAL
	if on {
		advice = syscall.MADV_RANDOM
	}
	_ = syscall.Madvise(m.Bytes, advice)
}
