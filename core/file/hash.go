package file

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// maxRuns bounds how many runs of data and holes a file may have to be hashed.
const maxRuns = 1 << 20

var errRuns = errors.New("it has too many holes")

// SHA256 returns the SHA-256 of the regular file f. It does not read its holes, and it fails if
// these have more than maxHoles bytes in all: the zeros in them have to be hashed.
func SHA256(ctx context.Context, f *os.File, maxHoles int64) ([]byte, error) {
	st, err := f.Stat()
	if err == nil {
		err = regular(st)
	}
	if err != nil {
		return nil, pathError(f.Name(), err)
	}
	size := st.Size()
	runs, holes, err := dataOf(f, size)
	if err != nil {
		return nil, pathError(f.Name(), err)
	}
	if holes > maxHoles {
		return nil, fmt.Errorf("%d of its %d bytes are holes, more than the %d that are hashed", holes, size, maxHoles)
	}
	h := sha256.New()
	at := int64(0)
	for _, r := range runs {
		if err := hashZeros(ctx, h, r.start-at); err != nil {
			return nil, err
		}
		n, err := io.Copy(h, &stoppable{ctx, io.NewSectionReader(f, r.start, r.end-r.start)})
		if err == nil && n < r.end-r.start {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		at = r.end
	}
	if err := hashZeros(ctx, h, size-at); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// A run is a range of a file that has data.
type run struct{ start, end int64 }

// dataOf returns where a file of a size has data, and how many bytes of it are holes. Where the
// system does not know, all is data.
func dataOf(f *os.File, size int64) (runs []run, holes int64, err error) {
	for at := int64(0); at < size; {
		start, end := dataFrom(f, at, size)
		if holes += start - at; start >= size {
			break
		}
		if runs = append(runs, run{start, end}); len(runs) > maxRuns {
			return nil, 0, errRuns
		}
		at = end
	}
	return runs, holes, nil
}

// hashZeros writes n zeros to h.
func hashZeros(ctx context.Context, h hash.Hash, n int64) error {
	zeros := make([]byte, 64<<10)
	for n > 0 && ctx.Err() == nil {
		part := min(n, int64(len(zeros)))
		h.Write(zeros[:part])
		n -= part
	}
	return ctx.Err()
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
