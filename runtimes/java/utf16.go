package java

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF16 returns UTF-16 units as UTF-8. A surrogate without its other half, which UTF-8 cannot say, is
// the three bytes that its number would be (WTF-8).
func UTF16(units []uint16) string {
	b := make([]byte, 0, len(units))
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			if i+1 < len(units) {
				if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
					b = utf8.AppendRune(b, pair)
					i++
					continue
				}
			}
			b = append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// Characters returns the characters of a java.lang.String, of one or two bytes each, as UTF-8.
func Characters(b []byte, size int, order binary.ByteOrder) string {
	if size == 1 {
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		return string(runes)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return UTF16(units)
}

// LoneSurrogate returns the surrogate that text of UTF16 begins with; false if it begins with
// something else.
func LoneSurrogate(s string) (uint16, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | uint16(s[1]&0x3f)<<6 | uint16(s[2]&0x3f), true
}
