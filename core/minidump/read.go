package minidump

import (
	"fmt"
	"unicode/utf16"

	"coredbg/core"
)

// slice returns up to n bytes of the file at off; fewer if it ends before.
func (l *loader) slice(off, n uint64) []byte {
	size := uint64(l.src.Size())
	if off >= size {
		return nil
	}
	b, _ := core.SourceSlice(l.src, int64(off), int(min(n, size-off)))
	return b
}

// at returns the bytes at a location, fewer if the file ends before, which is said.
func (l *loader) at(loc location, what string) []byte {
	b := l.slice(uint64(loc.rva), uint64(loc.size))
	if len(b) < int(loc.size) {
		l.need(uint64(loc.rva)+uint64(loc.size), what)
	}
	return b
}

// need records that the file ends before end, where a record must be. It counts such records by kind,
// what.
func (l *loader) need(end uint64, what string) {
	if end > l.needed {
		l.needed = end
	}
	l.cut[what]++
}

// addr returns an address. In dumps of 32-bit processes it is cut to 32 bits: writers extend
// it to 64, with its sign or with the bytes after it.
func (l *loader) addr(n uint64) core.Addr {
	if l.p.PtrSize == 4 {
		n = uint64(uint32(n))
	}
	return core.Addr(n)
}

// warn says that something at a file offset makes no sense.
func (l *loader) warn(what string, off uint64, format string, args ...any) {
	const most = 64
	if l.warned++; l.warned <= most {
		l.p.Warn(what, fmt.Sprintf(format, args...)+fmt.Sprintf(" at file offset %#x", off))
	}
}

// utf16At returns the string at an offset: its length in bytes, then UTF-16.
func (l *loader) utf16At(rva uint64, what string) string {
	b := l.counted(rva, what)
	if len(b)%2 != 0 {
		l.warn(what, rva, "a string of %d bytes, which is odd,", len(b))
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = le.Uint16(b[2*i:])
	}
	for i, u := range units {
		if u == 0 {
			units = units[:i]
			break
		}
	}
	return string(utf16.Decode(units))
}

// utf8At returns the string at an offset: its length in bytes, then UTF-8.
func (l *loader) utf8At(rva uint64, what string) string { return string(l.counted(rva, what)) }

// counted returns the bytes after their count.
func (l *loader) counted(rva uint64, what string) []byte {
	head := l.slice(rva, 4)
	if len(head) < 4 {
		l.need(rva+4, what)
		return nil
	}
	n := uint64(le.Uint32(head))
	if n > maxString {
		l.warn(what, rva, "a string that claims %d bytes", n)
		return nil
	}
	if !l.afford(n, what) {
		return nil
	}
	b := l.slice(rva+4, n)
	if uint64(len(b)) < n {
		l.need(rva+4+n, what)
	}
	return b
}

// maxStrings bounds the strings of a dump in bytes: many may be at one place.
const maxStrings = 64 << 20

// afford takes n bytes from the budget for strings. It returns false if they exceed it.
func (l *loader) afford(n uint64, what string) bool {
	if l.strings += n; l.strings <= maxStrings {
		return true
	}
	if !l.spent {
		l.spent = true
		l.p.Warn(what, fmt.Sprintf("its strings have more than %d bytes: not all are read", maxStrings))
	}
	return false
}

// list splits a stream that begins with a count into its entries; some writers pad the
// count to 8 bytes.
func (l *loader) list(s stream, size int) [][]byte {
	d := l.data(s)
	if len(d) < 4 {
		l.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few for a count,", len(d))
		return nil
	}
	count := uint64(le.Uint32(d))
	body := d[4:]
	if uint64(s.loc.size) == 8+count*uint64(size) && len(body) >= 4 {
		body = body[4:]
	}
	return l.entries(s, body, count, size)
}

// entries splits count entries of a size, and says if there are fewer.
func (l *loader) entries(s stream, body []byte, count uint64, size int) (out [][]byte) {
	if have := uint64(len(body) / size); have < count {
		if uint64(len(l.data(s))) == uint64(s.loc.size) {
			l.warn(s.name(), uint64(s.loc.rva), "it claims %d entries and has room for %d,", count, have)
		}
		count = have
	}
	out = make([][]byte, count)
	for i := range out {
		out[i] = body[i*size : (i+1)*size : (i+1)*size]
	}
	return out
}
