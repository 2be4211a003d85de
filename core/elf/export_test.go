package elf

import "testing"

// ArchiveCore makes a core of two libraries that were mapped out of the archive at
// path, and the archive.
func ArchiveCore(t *testing.T, dumped bool) (core, archive []byte, path string) {
	s := newArchiveScene(t)
	return s.core(dumped), s.whole, s.path
}
