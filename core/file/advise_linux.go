package file

import "syscall"

// Random says whether the file will be read a page here and a page there, so that
// the system does not fetch what lies around them.
func (m *mapping) Random(on bool) {
	advice := syscall.MADV_NORMAL
	if on {
		advice = syscall.MADV_RANDOM
	}
	_ = syscall.Madvise(m.Bytes, advice) // advice may be ignored
}

// Forget gives back the memory of the pages that were read. They are read again when
// they are needed: windows stay valid.
func (m *mapping) Forget() { _ = syscall.Madvise(m.Bytes, syscall.MADV_DONTNEED) }
