package file

import (
	"io"
	"sync"
)

// The cache of blocks: 64 MiB at most.
const (
	blockSize = 64 << 10
	maxBlocks = 1024
)

// A readerAtCloser is what blocks reads: an *os.File.
type readerAtCloser interface {
	io.ReaderAt
	io.Closer
}

// blocks is a Source that reads a file in blocks and keeps those used last.
// A block that leaves the cache stays valid for callers that still hold it.
type blocks struct {
	f    readerAtCloser
	size int64

	mu    sync.Mutex
	cache map[int64][]byte
	order []int64 // of arrival; the eldest is dropped first
}

func newBlocks(f readerAtCloser, size int64) *blocks {
	return &blocks{f: f, size: size, cache: map[int64][]byte{}}
}

func (b *blocks) Size() int64 { return b.size }

func (b *blocks) Window(off int64) ([]byte, error) {
	if off < 0 || off >= b.size {
		return nil, io.EOF
	}
	i := off / blockSize
	b.mu.Lock()
	defer b.mu.Unlock()
	data, ok := b.cache[i]
	if !ok {
		data = make([]byte, min(blockSize, b.size-i*blockSize))
		n, err := b.f.ReadAt(data, i*blockSize)
		if n < len(data) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if int64(n) <= off%blockSize {
				return nil, err
			}
			return data[off%blockSize : n], nil
		}
		if len(b.order) >= maxBlocks {
			delete(b.cache, b.order[0])
			b.order = b.order[1:]
		}
		b.cache[i] = data
		b.order = append(b.order, i)
	}
	return data[off%blockSize:], nil
}

func (b *blocks) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cache, b.order = nil, nil
	return b.f.Close()
}
