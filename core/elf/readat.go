package elf

import "io"

// ReadAt fills p with the image's bytes at a link-time address. It reads the process' memory only if
// the image itself was found there. Bytes without a place in the file, such as .bss, are absent: it
// returns the count before them and io.ErrUnexpectedEOF.
func (f *File) ReadAt(p []byte, link uint64) (int, error) {
	n := 0
	for n < len(p) {
		b := f.exec.loaded(link+uint64(n), uint64(len(p)-n))
		if len(b) == 0 {
			return n, io.ErrUnexpectedEOF
		}
		n += copy(p[n:], b)
	}
	return n, nil
}
