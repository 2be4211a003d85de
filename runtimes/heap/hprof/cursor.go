package hprof

import (
	"encoding/binary"
	"io"

	"coredbg/core"
	"coredbg/runtimes/heap/hprof/format"
)

// A cursor reads numbers of the file, which are big-endian. After its first error, which it
// keeps, it reads zeros.
type cursor struct {
	src    core.Source
	idSize int
	w      []byte // the window that is being read
	i      int    // the next byte of it
	off    int64  // of w in the source
	end    int64  // no byte from here on is read
	err    error
}

// newCursor reads a source from off to end.
func newCursor(src core.Source, idSize int, off, end int64) cursor {
	return cursor{src: src, idSize: idSize, off: off, end: end}
}

// at returns the offset of the next byte.
func (c *cursor) at() int64 { return c.off + int64(c.i) }

// left returns how many bytes there are until the end.
func (c *cursor) left() int64 { return c.end - c.at() }

// seek goes to an offset; errors are forgotten.
func (c *cursor) seek(off int64) {
	c.err = nil
	if d := off - c.off; d >= 0 && d <= int64(len(c.w)) {
		c.i = int(d)
		return
	}
	c.w, c.i, c.off = nil, 0, off
}

// skip skips n bytes, which may be missing.
func (c *cursor) skip(n int64) {
	if n < 0 || n > c.left() {
		c.fail(io.ErrUnexpectedEOF)
		return
	}
	if c.err == nil {
		c.seek(c.at() + n)
	}
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

var zeros [8]byte

// take returns the next n bytes, 8 at most.
func (c *cursor) take(n int) []byte {
	if c.err == nil && int64(n) > c.left() {
		c.err = io.ErrUnexpectedEOF
	}
	if c.err != nil {
		return zeros[:n]
	}
	if len(c.w)-c.i < n {
		at := c.at()
		b, err := core.SourceSlice(c.src, at, n)
		if err != nil {
			c.err = err
			return zeros[:n]
		}
		if w, err := c.src.Window(at + int64(n)); err == nil {
			c.w, c.i, c.off = w, 0, at+int64(n)
		} else {
			c.w, c.i, c.off = nil, 0, at+int64(n)
		}
		return b
	}
	b := c.w[c.i : c.i+n]
	c.i += n
	return b
}

func (c *cursor) u1() byte   { return c.take(1)[0] }
func (c *cursor) u2() uint16 { return binary.BigEndian.Uint16(c.take(2)) }
func (c *cursor) u4() uint32 { return binary.BigEndian.Uint32(c.take(4)) }

// id reads an identifier.
func (c *cursor) id() uint64 {
	if c.idSize == 4 {
		return uint64(c.u4())
	}
	return binary.BigEndian.Uint64(c.take(8))
}

// value reads a value of a type as its bits.
func (c *cursor) value(t format.BasicType) uint64 {
	v := uint64(0)
	for _, b := range c.take(t.Size(c.idSize)) {
		v = v<<8 | uint64(b)
	}
	return v
}

// typeNames are Java's names of types.
var typeNames = [...]string{format.TypeBoolean: "boolean", format.TypeChar: "char", format.TypeFloat: "float",
	format.TypeDouble: "double",
	format.TypeByte:   "byte", format.TypeShort: "short", format.TypeInt: "int", format.TypeLong: "long"}

// bytes returns the next n bytes.
func (c *cursor) bytes(n int) []byte {
	if c.err == nil && (n < 0 || int64(n) > c.left()) {
		c.err = io.ErrUnexpectedEOF
	}
	if c.err != nil {
		return nil
	}
	b, err := core.SourceSlice(c.src, c.at(), n)
	if err != nil {
		c.err = err
		return nil
	}
	c.skip(int64(n))
	return b
}
