// Package file opens the bytes of cores and libraries.
//
// A plain file is mapped into memory where the system can do that, and read in
// cached blocks elsewhere, so that opening costs the same for a kilobyte and a
// terabyte. A compressed file (zstd, xz, gzip, LZ4; told by its first bytes,
// never by its name) is unpacked once into a temporary file that has no name
// any more, with blocks of zeros left out as holes, and then mapped.
//
// LIMITATIONS: a mapped file that somebody shortens while it is open raises a
// bus error in the reader. Unpacked data is limited to MaxUnpacked bytes.
package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"coredbg/core"
)

// MaxUnpacked is the most bytes, holes included, that a compressed file may
// unpack to: a hostile one of a few megabytes can claim much more.
const MaxUnpacked = 256 << 30

// ErrNotRegular is returned for what cannot be mapped: folders, pipes, devices.
var ErrNotRegular = errors.New("not a regular file")

// A Progress is told how far long work has come, in bytes. Total is 0 if it is
// unknown.
type Progress = func(what string, done, total int64)

// A Truncation is a Source of which the end is missing: its compressed stream
// broke off. What came before the break is in the Source.
type Truncation interface {
	core.Source
	// Truncated says why the end is missing; it is nil if none is.
	Truncated() error
}

// Open opens the file at path for reading. A compressed one is unpacked first,
// telling progress, which may be nil, how far it is; if its stream is damaged
// or cut, what could be had is returned as a Truncation. A pipe or device is
// copied until its end.
func Open(path string, progress Progress) (core.Source, error) {
	f, err := os.Open(path)
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
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	var head [8]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		f.Close()
		return nil, err
	}
	c := detect(head[:n])
	if c == nil && st.Mode().IsRegular() {
		return mapFile(f, st.Size())
	}
	defer f.Close()
	in := &counter{r: io.MultiReader(bytes.NewReader(head[:n]), f), total: st.Size(), what: "reading " + path, tell: progress}
	if !st.Mode().IsRegular() {
		in.total = 0
	}
	if c == nil {
		return spool(in, in)
	}
	in.what = "unpacking " + path
	r, done, err := c.open(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, c.name, err)
	}
	defer done()
	src, err := spool(r, in)
	if err == nil && src.Size() == 0 {
		// Some unpackers call a stream that ends in its header an empty one.
		src.Close()
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, c.name, err)
	}
	return src, nil
}

// Map opens the regular file at path without unpacking it. It returns
// ErrNotRegular for anything else and never waits for a pipe's other end, so
// it may be given a path that was read from a core.
func Map(path string) (core.Source, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if st, err = f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, &os.PathError{Op: "open", Path: path, Err: cmpErr(err, ErrNotRegular)}
	}
	return mapFile(f, st.Size())
}

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
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

// finish tells that the work is done.
func (c *counter) finish() {
	if c.announceEnd {
		c.tell(c.what, c.n, c.n)
	}
}
