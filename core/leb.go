package core

// maxLEB is the most bytes of a LEB128 number, padding included.
const maxLEB = 16

// ULEB128 returns the unsigned LEB128 number that b begins with, and how many bytes
// it has: 0 if b ends within it, or if it has more than most, which is at most 16.
// Bits above the 64th are lost.
func ULEB128(b []byte, most int) (v uint64, n int) {
	for i, x := range b[:min(len(b), most, maxLEB)] {
		v |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// SLEB128 returns the signed LEB128 number that b begins with; see ULEB128.
func SLEB128(b []byte, most int) (v int64, n int) {
	u, n := ULEB128(b, most)
	if n > 0 && b[n-1]&0x40 != 0 {
		u |= ^uint64(0) << (7 * n)
	}
	return int64(u), n
}

// ULEB128 reads an unsigned LEB128 number of at most this many bytes at a, and returns
// how many it has: 0 after an error, and if it has more, which is not an error of the
// cursor.
func (c *Cursor) ULEB128(a Addr, most int) (v uint64, n int) {
	var buf [maxLEB]byte
	return ULEB128(c.leb(a, buf[:min(most, maxLEB)]), most)
}

// SLEB128 reads a signed LEB128 number; see ULEB128.
func (c *Cursor) SLEB128(a Addr, most int) (v int64, n int) {
	var buf [maxLEB]byte
	return SLEB128(c.leb(a, buf[:min(most, maxLEB)]), most)
}

// leb fills buf with the bytes of a number at a, as far as they go.
func (c *Cursor) leb(a Addr, buf []byte) []byte {
	for i := range buf {
		buf[i] = c.U8(a + Addr(i))
		if c.err != nil {
			return nil
		}
		if buf[i] < 0x80 {
			return buf[:i+1]
		}
	}
	return nil
}
