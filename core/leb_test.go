package core_test

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// TestLEB128 compares the numbers with DWARF 5, section 7.6, figures 22 and 23, and with its padding.
func TestLEB128(t *testing.T) {
	for _, c := range []struct {
		b        []byte
		most     int
		unsigned uint64
		signed   int64
		n        int
	}{
		{[]byte{2}, 10, 2, 2, 1},
		{[]byte{0x7e}, 10, 126, -2, 1},
		{[]byte{127 + 0x80, 0}, 10, 127, 127, 2},
		{[]byte{1 + 0x80, 0x7f}, 10, 16257, -127, 2},
		{[]byte{0x80, 1}, 10, 128, 128, 2},
		{[]byte{57 + 0x80, 100, 9}, 10, 12857, -3527, 2},
		{[]byte{0x85, 0x80, 0x80, 0}, 10, 5, 5, 4},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 10, 1<<64 - 1, -1, 10},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 16, 1<<64 - 1, -1, 11},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0}, 4, 0, 0, 0},
		{[]byte{0x80, 0x80}, 10, 0, 0, 0},
		{nil, 10, 0, 0, 0},
	} {
		if v, n := core.ULEB128(c.b, c.most); v != c.unsigned || n != c.n {
			t.Errorf("% x: %d, %d bytes, want %d, %d", c.b, v, n, c.unsigned, c.n)
		}
		if v, n := core.SLEB128(c.b, c.most); v != c.signed || n != c.n {
			t.Errorf("% x: signed %d, %d bytes, want %d, %d", c.b, v, n, c.signed, c.n)
		}
		r := core.NewCursor(bytesAt0(c.b), binary.LittleEndian, 8)
		if v, n := r.ULEB128(0, c.most); v != c.unsigned || n != c.n {
			t.Errorf("% x in memory: %d, %d bytes, want %d, %d", c.b, v, n, c.unsigned, c.n)
		}
		r.Reset()
		if v, n := r.SLEB128(0, c.most); v != c.signed || n != c.n {
			t.Errorf("% x in memory: signed %d, %d bytes, want %d, %d", c.b, v, n, c.signed, c.n)
		}
		if cut := c.n == 0 && len(c.b) < c.most; (r.Err() != nil) != cut {
			t.Errorf("% x in memory: error %v", c.b, r.Err())
		}
	}
}

// A bytesAt0 is memory from 0 on.
type bytesAt0 []byte

func (m bytesAt0) ReadAt(p []byte, a core.Addr) (int, error) {
	if a >= core.Addr(len(m)) {
		return 0, &core.FaultError{Addr: a, Gap: core.Unmapped}
	}
	n := copy(p, m[a:])
	if n < len(p) {
		return n, &core.FaultError{Addr: a + core.Addr(n), Gap: core.Unmapped}
	}
	return n, nil
}
