package minidump

import (
	"fmt"
	"unicode/utf16"

	"coredbg/core"
)

// slice returns up to n bytes of the file at off; fewer if it ends before.
func (r *reader) slice(off, n uint64) []byte {
	size := uint64(r.src.Size())
	if off >= size {
		return nil
	}
	b, _ := core.SourceSlice(r.src, int64(off), int(min(n, size-off)))
	return b
}

// at returns the bytes at a location, fewer if the file ends before, which is said.
func (r *reader) at(loc location, what string) []byte {
	b := r.slice(uint64(loc.rva), uint64(loc.size))
	if len(b) < int(loc.size) {
		r.need(uint64(loc.rva)+uint64(loc.size), what)
	}
	return b
}

// need records that the file ends before end, where a record must be. It counts such records by kind,
// what.
func (r *reader) need(end uint64, what string) {
	if end > r.needed {
		r.needed = end
	}
	r.cut[what]++
}

// addr returns an address. In dumps of 32-bit processes it is cut to 32 bits: writers extend
// it to 64, with its sign or with the bytes after it.
func (r *reader) addr(n uint64) core.Addr {
	if r.p.PtrSize == 4 {
		n = uint64(uint32(n))
	}
	return core.Addr(n)
}

// warn says that something at a file offset makes no sense.
func (r *reader) warn(what string, off uint64, format string, args ...any) {
	const most = 64
	if r.warned++; r.warned <= most {
		r.p.Warn(what, fmt.Sprintf(format, args...)+fmt.Sprintf(" at file offset %#x", off))
	}
}

// utf16At returns the string at an offset: its length in bytes, then UTF-16.
func (r *reader) utf16At(rva uint64, what string) string {
	b := r.counted(rva, what)
	if len(b)%2 != 0 {
		r.warn(what, rva, "a string of %d bytes, which is odd,", len(b))
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
func (r *reader) utf8At(rva uint64, what string) string { return string(r.counted(rva, what)) }

// counted returns the bytes after their count.
func (r *reader) counted(rva uint64, what string) []byte {
	head := r.slice(rva, 4)
	if len(head) < 4 {
		r.need(rva+4, what)
		return nil
	}
	n := uint64(le.Uint32(head))
	if n > maxString {
		r.warn(what, rva, "a string that claims %d bytes", n)
		return nil
	}
	if !r.afford(n, what) {
		return nil
	}
	b := r.slice(rva+4, n)
	if uint64(len(b)) < n {
		r.need(rva+4+n, what)
	}
	return b
}

// maxStrings bounds the strings of a dump in bytes: many may be at one place.
const maxStrings = 64 << 20

// afford takes n bytes from the budget for strings. It returns false if they exceed it.
func (r *reader) afford(n uint64, what string) bool {
	if r.strings += n; r.strings <= maxStrings {
		return true
	}
	if !r.spent {
		r.spent = true
		r.p.Warn(what, fmt.Sprintf("its strings have more than %d bytes: not all are read", maxStrings))
	}
	return false
}

// A Range is a part of a dump's file, in bytes.
type Range struct{ Off, Size int64 }

// within returns the range of a location, as far as the file has it.
func (r *reader) within(loc location) Range {
	off := min(int64(loc.rva), r.src.Size())
	return Range{off, min(int64(loc.size), r.src.Size()-off)}
}

// list splits a stream that begins with a count into its entries; some writers pad the
// count to 8 bytes.
func (r *reader) list(s stream, size int) [][]byte {
	d := r.data(s)
	if len(d) < 4 {
		r.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few for a count,", len(d))
		return nil
	}
	count := uint64(le.Uint32(d))
	body := d[4:]
	if uint64(s.loc.size) == 8+count*uint64(size) && len(body) >= 4 {
		body = body[4:]
	}
	return r.entries(s, body, count, size)
}

// entries splits count entries of a size, and says if there are fewer.
func (r *reader) entries(s stream, body []byte, count uint64, size int) (out [][]byte) {
	if have := uint64(len(body) / size); have < count {
		if uint64(len(r.data(s))) == uint64(s.loc.size) {
			r.warn(s.name(), uint64(s.loc.rva), "it claims %d entries and has room for %d,", count, have)
		}
		count = have
	}
	out = make([][]byte, count)
	for i := range out {
		out[i] = body[i*size : (i+1)*size : (i+1)*size]
	}
	return out
}
