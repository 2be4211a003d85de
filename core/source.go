package core

import (
	"io"
	"slices"
)

// A Source is a file's bytes, however they are kept: mapped, in blocks read on
// demand, or compressed. Offsets and sizes are in bytes.
type Source interface {
	// Size returns the number of bytes.
	Size() int64
	// Window returns the longest readily available run of bytes from off on:
	// at least one byte, or io.EOF at or past the end, or the error of the
	// medium. The bytes must not be written to, and stay valid until Close.
	Window(off int64) ([]byte, error)
	// Close releases the bytes; no window may be used afterwards.
	Close() error
}

// A ScatteredSource takes the hint that few bytes far apart are read for a while, so
// that it fetches no more than those. It is a hint: nothing else changes. Its
// values are comparable.
type ScatteredSource interface {
	Source
	Scattered(on bool)
}

// An EasySource can release memory that it has read, and reads it again on demand. Its values are
// comparable.
type EasySource interface {
	Source
	// Ease gives it back if it has become much. It costs little where it has not; windows stay valid.
	Ease()
}

// A SparseSource knows where it has bytes: between runs of them lie holes that read as
// zeros, or gaps that cannot be read.
type SparseSource interface {
	Source
	// Data returns the first run of bytes that ends after off: from off itself, or
	// from where a hole around off ends. Both are the size if there is none.
	Data(off int64) (start, end int64)
}

// SourceData returns what SparseSource.Data does; of another source all is data.
func SourceData(s Source, off int64) (start, end int64) {
	if p, ok := s.(SparseSource); ok {
		return p.Data(off)
	}
	return min(off, s.Size()), s.Size()
}

// firstSlice is how much SourceSlice has room for at first, in bytes.
const firstSlice = 16 << 20

// SourceSlice returns n bytes of s at off, without a copy if one window holds
// them. It returns io.ErrUnexpectedEOF with the bytes there are if s ends
// before.
func SourceSlice(s Source, off int64, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	if n < 0 || off < 0 {
		return nil, io.ErrUnexpectedEOF
	}
	w, err := s.Window(off)
	if err == nil && len(w) >= n {
		return w[:n:n], nil
	}
	var out []byte
	for err == nil && len(out) < n {
		w = w[:min(len(w), n-len(out))]
		if len(out)+len(w) > cap(out) {
			// Not more than there turned out to be: the file may only claim to hold n.
			out = slices.Grow(out, min(n-len(out), max(len(out), len(w), firstSlice)))
		}
		out = append(out, w...)
		if len(out) < n {
			w, err = s.Window(off + int64(len(out)))
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return out, err
}

// ReaderAt returns an io.ReaderAt that reads from s.
func ReaderAt(s Source) io.ReaderAt { return readerAt{s} }

type readerAt struct{ src Source }

// ReadAt implements io.ReaderAt.
func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	b, err := SourceSlice(r.src, off, len(p))
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return copy(p, b), err
}

// Bytes is a Source over a slice.
type Bytes []byte

// Size returns the length of the slice.
func (b Bytes) Size() int64 { return int64(len(b)) }

// Window returns the rest of the slice from off on.
func (b Bytes) Window(off int64) ([]byte, error) {
	if off < 0 || off >= int64(len(b)) {
		return nil, io.EOF
	}
	return b[off:], nil
}

// Close does nothing.
func (b Bytes) Close() error { return nil }
