package eval

import (
	"strings"
	"unicode/utf16"

	"coredbg/runtimes/v8/object"
)

// units are the UTF-16 code units of a string.
func units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, size := object.DecodeRune(s[i:])
		i += size
		if r > 0xffff {
			a, b := utf16.EncodeRune(r)
			out = append(out, uint16(a), uint16(b))
		} else {
			out = append(out, uint16(r))
		}
	}
	return out
}

// fromUnits is a string of UTF-16 code units. Single surrogates are written in three
// bytes (WTF-8).
func fromUnits(u []uint16) string {
	var b strings.Builder
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if i+1 < len(u) {
			if p := utf16.DecodeRune(r, rune(u[i+1])); p != 0xfffd {
				b.WriteRune(p)
				i++
				continue
			}
		}
		if utf16.IsSurrogate(r) {
			b.Write([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6)&0x3f, 0x80 | byte(r)&0x3f})
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
