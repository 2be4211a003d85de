package file

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

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

// easeAbove is how many bytes of files may be in memory beyond what was after the last time that a mapping
// gave back its own.
const easeAbove = 32 << 20

// Ease implements core.EasySource: pages of the file that were touched count as the process's memory until they
// are given back, and cost a fault each to have again.
func (m *mapping) Ease() {
	if len(m.Bytes) <= easeAbove {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := residentFiles(); now > m.eased+easeAbove {
		m.Forget()
		m.eased = residentFiles()
	}
}

// residentFiles returns how many bytes of mapped files the process has in memory; 0 if that is not known.
func residentFiles() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 2 {
		if pages, err := strconv.ParseInt(fields[2], 10, 64); err == nil {
			return pages * int64(os.Getpagesize())
		}
	}
	return 0
}
