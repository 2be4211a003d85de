package elf

import (
	"archive/zip"
	"io"
	"path"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// A library may be stored in an archive: Android maps an app's libraries straight from its APK, where
// they are uncompressed and begin at a page's start (bionic, linker/linker.cpp,
// open_library_in_zipfile).

// An Entry is the place of a library in an archive.
type Entry struct {
	Off  uint64 // of its ELF header in the archive, in bytes
	Size uint64 // in bytes; 0 if unknown
	Name string // without folders; "" if unknown
}

// Stored lists the libraries that are stored in the archive src.
func Stored(src core.Source) (out []Entry, err error) {
	z, err := zip.NewReader(core.ReaderAt(src), src.Size())
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if f.Method != zip.Store || len(out) >= maxEntries {
			continue
		}
		if off, err := f.DataOffset(); err == nil && off > 0 && format.IsELF(format.Slice(src, uint64(off), 4)) {
			out = append(out, Entry{Off: uint64(off), Size: f.UncompressedSize64, Name: path.Base(f.Name)})
		}
	}
	return out, nil
}

// maxEntries bounds the libraries of one archive.
const maxEntries = 1 << 14

// In returns the part of an archive that the library is.
func (e Entry) In(src core.Source) core.Source {
	size := max(src.Size()-int64(e.Off), 0)
	if e.Size != 0 {
		size = min(size, int64(e.Size))
	}
	return section{Source: src, off: int64(e.Off), size: size}
}

// A section is a part of a Source.
type section struct {
	core.Source
	off, size int64 // bytes
}

// Size returns the number of bytes.
func (s section) Size() int64 { return s.size }

// Window returns the bytes from off on.
func (s section) Window(off int64) ([]byte, error) {
	if off < 0 || off >= s.size {
		return nil, io.EOF
	}
	w, err := s.Source.Window(s.off + off)
	return w[:min(int64(len(w)), s.size-off)], err
}

// Archive returns the file that contains src, the source of an image in an archive, and the offset of
// src in it, in bytes.
func Archive(src core.Source) (whole core.Source, off int64, ok bool) {
	s, ok := src.(section)
	return s.Source, s.off, ok
}

// Listing returns what in an archive says which libraries are stored in it and where,
// as offsets of beginnings and ends in bytes.
func Listing(src core.Source) [][2]int64 {
	l := &listed{Source: src}
	if _, err := Stored(l); err != nil {
		return nil
	}
	return l.read
}

// A listed is a Source that records which ranges are read.
type listed struct {
	core.Source
	read [][2]int64
}

// Window returns no more bytes than a header or two have.
func (l *listed) Window(off int64) ([]byte, error) {
	const most = 512
	w, err := l.Source.Window(off)
	w = w[:min(len(w), most)]
	if len(w) > 0 {
		l.read = append(l.read, [2]int64{off, off + int64(len(w))})
	}
	return w, err
}
