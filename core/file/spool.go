package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"coredbg/core"
)

// truncated is a Source whose end is missing.
type truncated struct {
	core.Source
	err error
}

func (t truncated) Truncated() error { return t.err }

// temporary is a Source over a file that has to be removed in the end, where
// the system cannot remove an open one.
type temporary struct {
	core.Source
	path string
}

func (t temporary) Close() error {
	return errors.Join(t.Source.Close(), os.Remove(t.path))
}

// spool copies r into a temporary file, with holes for zeros, and maps that.
// If r fails after it has given something, the Source is a Truncation.
func spool(r io.Reader, in *counter) (core.Source, error) {
	f, err := os.CreateTemp("", "coredbg-*.core")
	if err != nil {
		return nil, err
	}
	removed := os.Remove(f.Name()) == nil
	n, broken, err := copySparse(f, guard{r}, MaxUnpacked)
	if err == nil && n == 0 && broken != nil {
		err = broken
	}
	if err == nil {
		err = f.Truncate(n)
	}
	if err != nil {
		f.Close()
		if !removed {
			os.Remove(f.Name())
		}
		return nil, err
	}
	in.finish()
	src, err := mapFile(f, n)
	if err != nil {
		return nil, err
	}
	if !removed {
		src = temporary{src, f.Name()}
	}
	if broken != nil {
		src = truncated{src, fmt.Errorf("the stream breaks off after %d unpacked bytes: %w", n, broken)}
	}
	return src, nil
}

// block is the unit in which zeros become holes, in bytes: a page of most
// systems, and a multiple of what file systems allocate.
const block = 4096

var zeroBlock [block]byte

// copySparse writes r to f, leaving out blocks of zeros, until r ends or fails
// (broken) or more than limit bytes came; err is f's. The file may end in a
// hole that is yet to be made.
func copySparse(f *os.File, r io.Reader, limit int64) (n int64, broken, err error) {
	buf := make([]byte, 256*block)
	for {
		got, rerr := fill(r, buf)
		if err := writeSparse(f, buf[:got], n); err != nil {
			return n, nil, err
		}
		n += int64(got)
		switch {
		case rerr == io.EOF:
			return n, nil, nil
		case rerr != nil:
			return n, rerr, nil
		case n >= limit:
			return n, ErrTooLong, nil
		}
	}
}

// fill reads until p is full or r fails. It differs from io.ReadFull in that a
// clean end stays io.EOF, and io.ErrUnexpectedEOF always is r's own.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var got int
		got, err = r.Read(p[n:])
		n += got
	}
	return n, err
}

func writeSparse(f *os.File, p []byte, at int64) error {
	for len(p) > 0 {
		skip := 0
		for skip < len(p) && bytes.Equal(p[skip:min(skip+block, len(p))], zeroBlock[:min(block, len(p)-skip)]) {
			skip = min(skip+block, len(p))
		}
		p, at = p[skip:], at+int64(skip)
		data := 0
		for data < len(p) && !bytes.Equal(p[data:min(data+block, len(p))], zeroBlock[:min(block, len(p)-data)]) {
			data = min(data+block, len(p))
		}
		if data > 0 {
			if _, err := f.WriteAt(p[:data], at); err != nil {
				return err
			}
		}
		p, at = p[data:], at+int64(data)
	}
	return nil
}
