package core

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Memory is a read-only view of an address space.
type Memory interface {
	// ReadAt fills p with the bytes at a. If fewer than len(p) bytes can be
	// had it returns the count and a *FaultError saying where and why.
	ReadAt(p []byte, a Addr) (n int, err error)
}

// A Windower is a Memory that can lend its bytes without copying them.
type Windower interface {
	Memory
	// Window returns the longest readily available run of bytes that starts
	// at a: at least one byte, or a *FaultError. The bytes must not be
	// written to and stay valid until the process is closed.
	Window(a Addr) ([]byte, error)
}

// A Cursor reads typed values and remembers the first error, so that a decoder
// can read a whole struct and check once. It keeps the last window it used, so
// reads that lie close together cost a bounds check. A Cursor is not safe for
// concurrent use; it is cheap to make.
type Cursor struct {
	mem   Memory
	order binary.ByteOrder
	ptr   int // bytes of a pointer
	reg   int // bytes of a general register
	err   error

	win   []byte
	start Addr
	buf   [8]byte
}

// NewCursor returns a cursor over m for words of the given byte order and
// pointers of ptr bytes, 4 or 8.
func NewCursor(m Memory, order binary.ByteOrder, ptr int) *Cursor {
	return &Cursor{mem: m, order: order, ptr: ptr, reg: ptr}
}

// Err returns the first error since the cursor was made or Reset, a *FaultError.
func (c *Cursor) Err() error { return c.err }

// Reset forgets the error and returns it.
func (c *Cursor) Reset() error {
	err := c.err
	c.err = nil
	return err
}

// PtrSize returns the size of a pointer in bytes.
func (c *Cursor) PtrSize() int { return c.ptr }

// view returns n <= 8 bytes at a, or nil after an error.
func (c *Cursor) view(a Addr, n int) []byte {
	if c.err != nil {
		return nil
	}
	if off := a - c.start; off < Addr(len(c.win)) && Addr(len(c.win))-off >= Addr(n) {
		return c.win[off : off+Addr(n)]
	}
	if w, ok := c.mem.(Windower); ok {
		b, err := w.Window(a)
		if err != nil {
			c.err = err
			return nil
		}
		if len(b) >= n {
			c.win, c.start = b, a
			return b[:n]
		}
	}
	if _, err := c.mem.ReadAt(c.buf[:n], a); err != nil {
		c.err = err
		return nil
	}
	return c.buf[:n]
}

// U8 reads one byte; it returns zero after the first error, as all readers do.
func (c *Cursor) U8(a Addr) uint8 {
	if b := c.view(a, 1); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads a 2-byte word at a.
func (c *Cursor) U16(a Addr) uint16 {
	if b := c.view(a, 2); b != nil {
		return c.order.Uint16(b)
	}
	return 0
}

// U32 reads a 4-byte word at a.
func (c *Cursor) U32(a Addr) uint32 {
	if b := c.view(a, 4); b != nil {
		return c.order.Uint32(b)
	}
	return 0
}

// U64 reads an 8-byte word at a.
func (c *Cursor) U64(a Addr) uint64 {
	if b := c.view(a, 8); b != nil {
		return c.order.Uint64(b)
	}
	return 0
}

// Word reads a word of the process' pointer size at a.
func (c *Cursor) Word(a Addr) uint64 {
	if c.ptr == 4 {
		return uint64(c.U32(a))
	}
	return c.U64(a)
}

// Register reads a general register that was saved at a; see Arch.RegSize.
func (c *Cursor) Register(a Addr) uint64 {
	if c.reg == 4 {
		return uint64(c.U32(a))
	}
	return c.U64(a)
}

// Pointer reads a pointer at a.
func (c *Cursor) Pointer(a Addr) Addr { return Addr(c.Word(a)) }

// Bytes fills p with the bytes at a.
func (c *Cursor) Bytes(p []byte, a Addr) {
	if c.err == nil {
		_, c.err = c.mem.ReadAt(p, a)
	}
}

// CString reads the NUL-terminated string at a, of at most max bytes without
// the NUL. If the NUL is further away, the first max bytes are returned; if
// memory ends before it, so is what could be read, and the error is kept.
func (c *Cursor) CString(a Addr, max int) string {
	if c.err != nil {
		return ""
	}
	s, err := CString(c.mem, a, max)
	c.err = err
	return s
}

// CString reads the NUL-terminated string at a in m, of at most max bytes; see
// Cursor.CString.
func CString(m Memory, a Addr, max int) (string, error) {
	var out []byte
	var chunk [256]byte
	for len(out) < max {
		n := min(max-len(out), len(chunk))
		// Stop at the chunk boundary first: a short string may be the last
		// thing before a gap.
		if left := int(Addr(len(chunk)) - a%Addr(len(chunk))); left < n {
			n = left
		}
		got, err := m.ReadAt(chunk[:n], a)
		if i := bytes.IndexByte(chunk[:got], 0); i >= 0 {
			return string(append(out, chunk[:i]...)), nil
		}
		out = append(out, chunk[:got]...)
		if err != nil {
			return string(out), err
		}
		a += Addr(got)
	}
	return string(out), nil
}

// ReadBytes returns a copy of the n bytes at a. It allocates in steps, so that
// a length taken from the core cannot ask for more than memory holds; on an
// error it returns what could be read.
func ReadBytes(m Memory, a Addr, n uint64) ([]byte, error) {
	const step = 1 << 20
	var out []byte
	for n > 0 {
		want := min(n, step)
		off := len(out)
		out = append(out, make([]byte, want)...)
		got, err := m.ReadAt(out[off:], a)
		if err != nil {
			return out[:off+got], err
		}
		a += Addr(want)
		n -= want
	}
	return out, nil
}

// Fault returns the *FaultError in err's chain, or nil.
func Fault(err error) *FaultError {
	var f *FaultError
	if errors.As(err, &f) {
		return f
	}
	return nil
}
