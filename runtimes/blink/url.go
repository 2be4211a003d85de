package blink

import (
	"strings"

	"coredbg/core"
)

// The parts of a url::Parsed, each a begin and a length, which is -1 for a part that is absent.
const (
	scheme = iota
	username
	password
	host
	port
	path
	query
	fragment
	parts
)

const (
	maxURL = 4 << 20 // kMaxURLChars is 2 MiB
	// After the parts come flags, the address of the parts of an inner URL and the text.
	partsSize, mostToText = 8 * parts, 8*parts + 32
	// A WTF::StringImpl is a reference count, the length, and a hash with flags.
	textHeader = 12
)

// A part is a stretch of the text of a URL.
type part struct{ begin, length int }

func (p part) end() int { return p.begin + max(p.length, 0) }

// url reads a KURL whose url::Parsed is at a. Its parts must fit the text: so that other memory is
// not taken for one.
func (r *Reader) url(a core.Addr) (string, bool) {
	var b [mostToText]byte
	if !r.Bytes(b[:partsSize], a) {
		return "", false
	}
	var p [parts]part
	length := 0
	for i := range p {
		p[i] = part{int(int32(r.Order.Uint32(b[8*i:]))), int(int32(r.Order.Uint32(b[8*i+4:])))}
		if p[i].begin < 0 || p[i].begin > maxURL || p[i].length < -1 || p[i].length > maxURL {
			return "", false
		}
		length = max(length, p[i].end())
	}
	if p[scheme].begin != 0 || p[scheme].length < 2 || length > maxURL || !r.Bytes(b[:], a) {
		return "", false
	}
	for at := partsSize; at < mostToText; at += 8 {
		if text, ok := r.text(core.Addr(r.Order.Uint64(b[at:])), length); ok && fits(text, p) {
			return text, true
		}
	}
	return "", false
}

// text reads the WTF::StringImpl at a, which must be ASCII and have the given length.
func (r *Reader) text(a core.Addr, length int) (string, bool) {
	if n, ok := r.U32(a + 4); a == 0 || a&3 != 0 || !ok || int64(n) != int64(length) {
		return "", false
	}
	b := make([]byte, 2*length)
	if !r.Bytes(b[:length], a+textHeader) {
		return "", false
	}
	if text := string(b[:length]); isASCII(text) {
		return text, true
	}
	if !r.Bytes(b, a+textHeader) {
		return "", false
	}
	var out strings.Builder
	for i := 0; i < len(b); i += 2 { // UTF-16
		unit := r.Order.Uint16(b[i:])
		if unit >= 0x80 {
			return "", false
		}
		out.WriteByte(byte(unit))
	}
	text := out.String()
	return text, isASCII(text)
}

// isASCII reports whether s can be the text of a URL, which has other characters escaped.
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f }) < 0
}

// fits reports whether text has the characters between the parts that must be there.
func fits(text string, p [parts]part) bool {
	before := func(i int, c byte) bool {
		return p[i].length < 0 || p[i].begin > 0 && text[p[i].begin-1] == c
	}
	if text[p[scheme].length] != ':' || !before(query, '?') || !before(fragment, '#') || !before(port, ':') {
		return false
	}
	for i, c := range text[:p[scheme].length] {
		if (c < 'a' || c > 'z') && (i == 0 || c != '+' && c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	last := p[scheme].end()
	for _, x := range p[1:] {
		if x.length < 0 {
			continue
		}
		if x.begin < last {
			return false
		}
		last = x.end()
	}
	return true
}

// within reports whether a URL has an origin, as far as its text tells: URLs of "about:" and "data:" do
// not.
func within(url, origin string) bool {
	if origin == "" {
		return false
	}
	url = strings.TrimPrefix(url, "blob:")
	rest, ok := strings.CutPrefix(url, origin)
	return ok && (rest == "" || rest[0] == '/')
}
