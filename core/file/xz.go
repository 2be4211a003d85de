package file

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// maxDict is the most history that an xz block may ask for, in bytes; xz -9 asks
// for 64 MiB.
const maxDict = 128 << 20

// xzReader unpacks the streams of an .xz file, one block after the other. The
// library's own reader of the container allocates whatever history a block asks for,
// up to 4 GiB. Source: "The .xz File Format", version 1.2.1.
type xzReader struct {
	in    *countingReader
	check byte // 2.1.1.2, the kind of check of this stream
	block io.Reader
	start int64 // of the block's packed bytes
	sum   hash.Hash
	err   error
}

var (
	xzMagic    = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
	errXZ      = errors.New("damaged .xz stream")
	errXZCheck = fmt.Errorf("%w: a checksum differs", errXZ)
)

// countingReader counts the bytes that are read one by one or in runs.
type countingReader struct {
	r *bufio.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

func newXZReader(r io.Reader) (*xzReader, error) {
	x := &xzReader{in: &countingReader{r: bufio.NewReaderSize(r, 64<<10)}}
	return x, x.header()
}

// Read implements io.Reader.
func (x *xzReader) Read(p []byte) (int, error) {
	for x.err == nil {
		if x.block == nil {
			if x.err = x.next(); x.err != nil {
				break
			}
		}
		n, err := x.block.Read(p)
		if x.sum != nil {
			x.sum.Write(p[:n])
		}
		if err == io.EOF {
			err = x.endBlock()
		}
		x.err = err
		if n > 0 {
			return n, nil
		}
	}
	return 0, x.err
}

// take reads n bytes.
func (x *xzReader) take(n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(x.in, b); err != nil {
		return nil, short(err)
	}
	return b, nil
}

func short(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// header reads a stream's header (2.1.1).
func (x *xzReader) header() error {
	b, err := x.take(12)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(b[:6], xzMagic), b[6] != 0, b[7] > 15:
		return errXZ
	case crc32.ChecksumIEEE(b[6:8]) != binary.LittleEndian.Uint32(b[8:]):
		return errXZCheck
	}
	x.check = b[7]
	return nil
}

// next begins the next block, of this stream or of one that follows it. It returns
// io.EOF at the end of the file.
func (x *xzReader) next() error {
	for {
		size, err := x.in.ReadByte()
		if err != nil {
			return short(err)
		}
		if size != 0 {
			return x.beginBlock(size)
		}
		if err := x.endStream(); err != nil {
			return err
		}
	}
}

// beginBlock reads the rest of a block's header (3.1) after its first byte, size.
func (x *xzReader) beginBlock(size byte) error {
	rest, err := x.take(int(size)*4 + 3)
	if err != nil {
		return err
	}
	b := append([]byte{size}, rest...)
	n := len(b) - 4
	if crc32.ChecksumIEEE(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return errXZCheck
	}
	flags, f := b[1], bytes.NewReader(b[2:n])
	if flags&3 != 0 {
		return fmt.Errorf("%w: it has filters besides LZMA2, which are not known", errXZ)
	}
	for bit := byte(0x40); bit != 0; bit <<= 1 { // the sizes, which are not needed
		if flags&bit != 0 {
			if _, err := binary.ReadUvarint(f); err != nil {
				return errXZ
			}
		}
	}
	var filter [3]byte // LZMA2, one byte of properties (5.3.1)
	if _, err := io.ReadFull(f, filter[:]); err != nil || filter[0] != 0x21 || filter[1] != 1 {
		return fmt.Errorf("%w: it has another filter than LZMA2", errXZ)
	}
	history, err := lzma.DecodeDictCap(filter[2])
	switch {
	case err != nil:
		return errXZ
	case history > maxDict:
		return fmt.Errorf("%w: unpacking asks for %s of history", ErrTooLong, Size(history))
	}
	x.start = x.in.n
	switch x.check {
	case 0:
		x.sum = nil
	case 1:
		x.sum = crc32.NewIEEE()
	case 4:
		x.sum = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		x.sum = sha256.New()
	default:
		x.sum = nil // 2.1.1.2: what is not known is not checked
	}
	x.block, err = lzma.Reader2Config{DictCap: int(max(history, lzma.MinDictCap))}.NewReader2(x.in)
	return err
}

// endBlock reads a block's padding and check (3.3, 3.4).
func (x *xzReader) endBlock() error {
	x.block = nil
	if _, err := x.take(int(-(x.in.n - x.start) & 3)); err != nil {
		return err
	}
	size := [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}[x.check]
	want, err := x.take(size)
	if err != nil || x.sum == nil {
		return err
	}
	got := x.sum.Sum(nil)
	if x.check != 10 { // numbers are little-endian, and Sum is not
		for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
			got[i], got[j] = got[j], got[i]
		}
	}
	if !bytes.Equal(got, want) {
		return errXZCheck
	}
	return nil
}

// endStream reads the index after its first byte, and the footer (4, 2.1.2), then the padding and the
// header of the next stream. It returns io.EOF if there is no next stream.
func (x *xzReader) endStream() error {
	start := x.in.n - 1
	records, err := binary.ReadUvarint(x.in)
	if err != nil {
		return short(err)
	}
	for ; records > 0; records-- {
		for range 2 {
			if _, err := binary.ReadUvarint(x.in); err != nil {
				return short(err)
			}
		}
	}
	// The padding, the index' check, and the footer: its check, size, flags and magic.
	b, err := x.take(int(-(x.in.n-start)&3) + 4 + 12)
	if err != nil {
		return err
	}
	if footer := b[len(b)-12:]; string(footer[10:]) != "YZ" ||
		crc32.ChecksumIEEE(footer[4:10]) != binary.LittleEndian.Uint32(footer) {
		return errXZCheck
	}
	for {
		b, err := x.in.r.Peek(4)
		switch {
		case len(b) == 0 && err == io.EOF:
			return io.EOF
		case len(b) < 4:
			return short(err)
		case !bytes.Equal(b, []byte{0, 0, 0, 0}):
			return x.header()
		}
		x.in.r.Discard(4)
	}
}
