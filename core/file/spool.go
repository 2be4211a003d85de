package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"coredbg/core"
)

// truncated is a Source whose end is missing.
type truncated struct {
	core.Source
	err error
}

func (t truncated) Truncated() error { return t.err }

// Data implements core.SparseSource.
func (t truncated) Data(off int64) (start, end int64) { return core.SourceData(t.Source, off) }

// temporary is a Source over a file that has to be removed in the end, where
// the system cannot remove an open one.
type temporary struct {
	core.Source
	file *Scratch
}

// Data implements core.SparseSource.
func (t temporary) Data(off int64) (start, end int64) { return core.SourceData(t.Source, off) }

func (t temporary) Close() error {
	return errors.Join(t.Source.Close(), t.file.remove())
}

// spool copies r into a Scratch file, with holes for zeros, and maps that.
// If r fails after it has given something, the Source is a Truncation.
func spool(r io.Reader, in *counter, o *Options) (core.Source, error) {
	f, err := NewScratch()
	if err != nil {
		return nil, err
	}
	allow := &budget{max: o.MaxSize, more: o.More, in: in}
	if allow.max <= 0 {
		allow.max = DefaultMaxSize
	}
	n, broken, err := copySparse(f.File, guard{r}, allow)
	if err == nil && n == 0 && broken != nil {
		err = broken
	}
	if err == nil {
		err = f.Truncate(n)
	}
	if err != nil {
		f.Close()
		in.finish()
		return nil, full(err)
	}
	in.finish()
	src, err := mapCore(f.File, n)
	if err != nil {
		return nil, errors.Join(err, f.remove())
	}
	if f.name != "" {
		src = temporary{src, f}
	}
	if broken != nil {
		src = truncated{src, fmt.Errorf("the stream breaks off after %d unpacked bytes: %w", n, broken)}
	}
	return src, nil
}

// block is the granularity at which zeros become holes, in bytes: a page of most systems, and a
// multiple of the file systems' allocation unit.
const block = 4096

var zeroBlock [block]byte

// A budget bounds the bytes that are unpacked.
type budget struct {
	max  int64
	more func(done int64) bool
	in   *counter
}

// allows reports whether n bytes may be unpacked.
func (b *budget) allows(n int64) bool {
	for n > b.max {
		if b.more == nil || b.max > 1<<60 || !b.more(b.max) {
			return false
		}
		b.max *= 4
	}
	return true
}

// full says which folder it is if a disk is full.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("unpacking it into %s, where TMPDIR can name another folder: %w", os.TempDir(),
			syscall.ENOSPC)
	}
	return err
}

// copySparse writes r to f, leaving out blocks of zeros, until r ends or fails
// (broken) or more came than is allowed; err is f's or a *SizeError. The file may
// end in a hole that is yet to be made.
func copySparse(f *os.File, r io.Reader, allow *budget) (n int64, broken, err error) {
	buf := make([]byte, 256*block)
	for {
		got, rerr := fill(r, buf)
		if !allow.allows(n + int64(got)) {
			return n, nil, &SizeError{Packed: allow.in.n, Max: allow.max}
		}
		if err := writeSparse(f, buf[:got], n); err != nil {
			return n, nil, err
		}
		n += int64(got)
		switch {
		case rerr == io.EOF:
			return n, nil, nil
		case rerr != nil:
			return n, rerr, nil
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
