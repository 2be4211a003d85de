package file

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A codec unpacks streams of one kind.
type codec struct {
	name  string
	magic []byte
	// open returns what unpacks a stream. A mapped one is read by the caller's
	// goroutine alone, see core.Guard.
	open func(r io.Reader, mapped bool) (unpacked io.Reader, done func(), err error)
}

// maxWindow is the most history that a zstd stream may ask the unpacker to
// keep, in bytes: the limit of the zstd tool without --memory (RFC 8878, 3.1.1.1.2).
const maxWindow = 128 << 20

func detect(head []byte) *codec {
	for _, c := range codecs() {
		if bytes.HasPrefix(head, c.magic) {
			return &c
		}
	}
	return nil
}

// apportName is the name of the reports that may hold a core.
const apportName = "report of apport"

// codecs lists the formats with their first bytes: RFC 8878 for zstd, "The .xz
// File Format" 2.1.1.1, RFC 1952, and "LZ4 Frame Format Description".
func codecs() [5]codec {
	nothing := func() {}
	return [...]codec{
		{"zstd", []byte{0x28, 0xb5, 0x2f, 0xfd}, func(r io.Reader, mapped bool) (io.Reader, func(), error) {
			workers := min(4, runtime.GOMAXPROCS(0))
			if mapped {
				workers = 1
			}
			d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(workers))
			if err != nil {
				return nil, nil, err
			}
			return d, d.Close, nil
		}},
		{"xz", xzMagic, func(r io.Reader, _ bool) (io.Reader, func(), error) {
			d, err := newXZReader(r)
			return d, nothing, err
		}},
		{"gzip", []byte{0x1f, 0x8b}, func(r io.Reader, _ bool) (io.Reader, func(), error) {
			d, err := gzip.NewReader(r)
			return d, nothing, err
		}},
		{"lz4", []byte{0x04, 0x22, 0x4d, 0x18}, func(r io.Reader, _ bool) (io.Reader, func(), error) {
			return lz4.NewReader(r), nothing, nil
		}},
		{apportName, []byte("ProblemT"), newApport}, // "ProblemType: Crash"
	}
}

// ErrTooLong is returned if data unpacks to more than the limit.
var ErrTooLong = errors.New("unpacks to more than the limit")

// Plausible returns the most bytes that n packed bytes are believed to stand for: a
// small file that is made to unpack to gigabytes is refused by it. Symbols and DWARF
// pack to a third or a fifth, the densest sections to a fiftieth.
func Plausible(n int) int64 { return 1<<20 + 256*int64(n) }

// Decompress unpacks b, which may be zstd, xz, gzip or LZ4, to at most limit
// bytes of memory. If the stream is damaged or too long it returns what could
// be had with the error.
func Decompress(b []byte, limit int64) ([]byte, error) {
	c := detect(b)
	if c == nil {
		return nil, errors.New("unpacking: not zstd, xz, gzip or lz4")
	}
	r, done, err := c.open(bytes.NewReader(b), true)
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", c.name, err)
	}
	defer done()
	var out bytes.Buffer
	// Buffer grows by doubling with the bytes that really arrive, never by the size in a header.
	n, err := io.Copy(&out, io.LimitReader(guard{r}, limit+1))
	if err == nil && n > limit {
		out.Truncate(int(limit))
		err = ErrTooLong
	}
	if err != nil {
		return out.Bytes(), fmt.Errorf("unpacking %s: %w", c.name, err)
	}
	return out.Bytes(), nil
}

// A guard turns a panic of an unpacker on damaged data into an error.
type guard struct{ r io.Reader }

func (g guard) Read(p []byte) (n int, err error) {
	defer func() {
		if x := recover(); x != nil {
			n, err = 0, fmt.Errorf("damaged stream: %v", x)
		}
	}()
	return g.r.Read(p)
}
