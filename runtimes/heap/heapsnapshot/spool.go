package heapsnapshot

import (
	"context"
	"encoding/binary"
	"io"

	"coredbg/core"
	"coredbg/core/file"
)

// A spool keeps numbers in a temporary file until it is known how many rows they are:
// each in as few bytes as it needs, for a snapshot has several times as many digits.
type spool struct {
	f   *file.Scratch
	buf []byte // what is not in the file yet
	err error
}

const (
	spoolSize = 1 << 18 // of a part that is written or read at once, in bytes
	// maxRow bounds the bytes of a row in a spool and, as text, in a snapshot.
	maxRow = 1 << 10
)

func newSpool() (*spool, error) {
	f, err := file.NewScratch()
	if err != nil {
		return nil, err
	}
	return &spool{f: f, buf: make([]byte, 0, spoolSize+maxRow)}, nil
}

// end ends a row.
func (s *spool) end() {
	if len(s.buf) >= spoolSize {
		s.flush()
	}
}

func (s *spool) flush() {
	if _, err := s.f.Write(s.buf); err != nil && s.err == nil {
		s.err = err
	}
	s.buf = s.buf[:0]
}

// text writes a text for the rows to w: row takes the numbers of one from in, which has no
// fewer, and appends its text to out.
func (s *spool) text(ctx context.Context, w io.Writer, what string, row func(in *unspool, out []byte) []byte) error {
	if s.flush(); s.err != nil {
		return s.err
	}
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := &unspool{f: s.f, buf: s.buf[:0]}
	out := make([]byte, 0, spoolSize+maxRow)
	for done := int64(0); in.more(); {
		out = row(in, out)
		if len(out) < spoolSize {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		done += int64(len(out))
		core.ReportProgress(ctx, what, done, 0)
		out = out[:0]
	}
	if in.err != io.EOF {
		return in.err
	}
	_, err := w.Write(out)
	return err
}

// An unspool reads the numbers of a spool.
type unspool struct {
	f   io.Reader
	buf []byte
	i   int   // the next byte of buf
	err error // of the file; io.EOF at its end
}

// more reports whether there is another row, which is in buf then.
func (u *unspool) more() bool {
	if len(u.buf)-u.i >= maxRow || u.err != nil {
		return u.i < len(u.buf)
	}
	n := copy(u.buf[:cap(u.buf)], u.buf[u.i:])
	u.i = 0
	var k int
	k, u.err = io.ReadAtLeast(u.f, u.buf[n:cap(u.buf)], maxRow)
	if u.err == io.ErrUnexpectedEOF {
		u.err = io.EOF
	}
	u.buf = u.buf[:n+k]
	return len(u.buf) > 0 && (u.err == nil || u.err == io.EOF)
}

// next returns the next number.
func (u *unspool) next() uint64 {
	if u.i < len(u.buf) && u.buf[u.i] < 0x80 {
		u.i++
		return uint64(u.buf[u.i-1])
	}
	v, n := binary.Uvarint(u.buf[u.i:])
	if n <= 0 {
		u.i, u.err = len(u.buf), io.ErrUnexpectedEOF
		return 0
	}
	u.i += n
	return v
}

// distance returns a number that AppendVarint wrote.
func (u *unspool) distance() int64 {
	v := u.next()
	return int64(v>>1) ^ -int64(v&1)
}
