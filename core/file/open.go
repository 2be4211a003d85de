// Package file opens the bytes of cores and libraries.
//
// A plain file is mapped into memory where the system can do that, and read in
// cached blocks elsewhere, so that opening costs the same for a kilobyte and a
// terabyte. A compressed file (zstd, xz, gzip, LZ4; known by its first bytes,
// never by its name) is unpacked once into a temporary file that has no name
// any more, with blocks of zeros left out as holes, and then mapped.
//
// LIMITATIONS: if a mapped file is shortened while it is open, reads raise a bus error, which
// core.Guard turns into an error.
package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"coredbg/core"
)

// DefaultMaxSize is the default limit for the bytes, holes included, that a compressed file or a pipe
// may unpack to: a hostile one of a few kilobytes fills a disk.
const DefaultMaxSize = 16 << 30

// Options of Open.
type Options struct {
	Progress Progress // may be nil
	// MaxSize is the most bytes that a compressed file or a pipe may unpack to; 0
	// stands for DefaultMaxSize.
	MaxSize int64
	// More is called when done bytes have been unpacked, if it is not nil. If it returns true, four
	// times as many are allowed.
	More func(done int64) bool
	// Opened is the file at path if it is open already; Open takes it over. Nil lets Open open it.
	Opened *os.File
}

// A SizeError says that a file unpacks to more than was allowed. It wraps ErrTooLong.
type SizeError struct {
	Packed, Max int64 // bytes that were read, bytes that were allowed
}

// Error says how many bytes became how many.
func (e *SizeError) Error() string {
	return fmt.Sprintf("its first %s unpack to more than %s", Size(e.Packed), Size(e.Max))
}

// Unwrap returns ErrTooLong.
func (e *SizeError) Unwrap() error { return ErrTooLong }

// Size writes a number of bytes for people, in the largest unit that fits.
func Size(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	v := float64(n)
	for ; v >= 1024 && len(units) > 1; units = units[1:] {
		v /= 1024
	}
	return fmt.Sprintf("%.4g %s", v, units[0])
}

// ErrNotRegular is returned for files that cannot be mapped: folders, pipes, devices.
var ErrNotRegular = errors.New("not a regular file")

// A Progress is called with how far long work has come, in bytes. Total is 0 if it is
// unknown.
type Progress = func(what string, done, total int64)

// A Truncation is a Source whose end is missing: its compressed stream broke off. The bytes before the
// break are in the Source.
type Truncation interface {
	core.Source
	// Truncated says why the end is missing; it is nil if the Source is complete.
	Truncated() error
}

// Open opens the file at path for reading. A compressed one is unpacked first; if its stream is damaged
// or cut, Open returns the bytes before the damage as a Truncation. A pipe or device is copied until
// its end. O may be nil. The error is a *SizeError if that would take more bytes than o allows.
func Open(path string, o *Options) (core.Source, error) {
	if o == nil {
		o = &Options{}
	}
	f, err := o.Opened, error(nil)
	if f == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if st.IsDir() {
		f.Close()
		return nil, pathError(path, errFolder)
	}
	var head [8]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		f.Close()
		return nil, err
	}
	c := detect(head[:n])
	if c == nil && st.Mode().IsRegular() {
		return mapCore(f, st.Size())
	}
	defer f.Close()
	in := &counter{r: io.MultiReader(bytes.NewReader(head[:n]), f), total: st.Size(), what: "reading " + path,
		tell: o.Progress}
	if !st.Mode().IsRegular() {
		in.total = 0
	}
	if c == nil {
		return spool(in, in, o)
	}
	in.what = "unpacking " + path
	r, done, err := c.open(in, false)
	if err != nil {
		return nil, pathError(path, fmt.Errorf("%s: %w", c.name, err))
	}
	defer done()
	src, err := spool(r, in, o)
	if err == nil && src.Size() == 0 {
		// Some unpackers call a stream that ends in its header an empty one.
		src.Close()
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, pathError(path, fmt.Errorf("%s: %w", c.name, err))
	}
	return src, nil
}

// Map opens the regular file at path, which a user named, without unpacking it. It
// returns ErrNotRegular for anything else and never waits for a pipe's other end.
// Paths that were read from a core are for Bounds.
func Map(path string) (core.Source, error) {
	st, err := os.Stat(path)
	if err == nil {
		err = regular(st)
	}
	if err != nil {
		return nil, pathError(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return mapRegular(f, path)
}

// MapFile maps an open file, which it takes over, if it is a regular one.
func MapFile(f *os.File) (core.Source, error) { return mapRegular(f, f.Name()) }

// mapRegular maps f, which it takes over, if it is a regular file.
func mapRegular(f *os.File, path string) (core.Source, error) {
	st, err := f.Stat()
	if err == nil {
		err = regular(st)
	}
	if err != nil {
		f.Close()
		return nil, pathError(path, err)
	}
	return mapFile(f, st.Size())
}

// regular returns an error if the file is not regular.
func regular(st fs.FileInfo) error {
	switch {
	case st.IsDir():
		return errFolder
	case !st.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// pathError makes an *fs.PathError of path of an error.
func pathError(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// A counter counts the bytes that are read through it.
type counter struct {
	r           io.Reader
	n, next     int64
	total       int64
	what        string
	tell        Progress
	announceEnd bool
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.tell != nil && c.n >= c.next {
		c.tell(c.what, c.n, c.total)
		c.next = c.n + 1<<20
		c.announceEnd = true
	}
	return n, err
}

// finish reports that the work is done.
func (c *counter) finish() {
	if c.announceEnd {
		c.tell(c.what, c.n, c.n)
	}
}
