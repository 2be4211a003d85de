package dex

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrMUTF8 is wrapped by the error of a string whose bytes are not MUTF-8.
var ErrMUTF8 = errors.New("malformed MUTF-8")

// DecodeMUTF8 decodes modified UTF-8: U+0000 has two bytes, and characters above U+FFFF are pairs of surrogates
// of three bytes each. A surrogate without its partner is kept as its three bytes, as in WTF-8. units is the
// number of UTF-16 code units. Malformed bytes become U+FFFD each, and the error has the first one's place.
func DecodeMUTF8(b []byte) (text string, units int, err error) {
	if plain(b) {
		return string(b), len(b), nil
	}
	var out strings.Builder
	out.Grow(len(b))
	for at := 0; at < len(b); {
		u, n := unit(b[at:])
		if n == 0 {
			if err == nil {
				err = fmt.Errorf("%w at byte %d", ErrMUTF8, at)
			}
			out.WriteRune(utf8.RuneError)
			at++
			units++
			continue
		}
		units++
		if low, m := unit(b[at+n:]); m == 3 && utf16.IsSurrogate(rune(u)) {
			if r := utf16.DecodeRune(rune(u), rune(low)); r != utf8.RuneError {
				out.WriteRune(r)
				at += n + m
				units++
				continue
			}
		}
		if utf16.IsSurrogate(rune(u)) {
			out.Write(b[at : at+n])
		} else {
			out.WriteRune(rune(u))
		}
		at += n
	}
	return out.String(), units, err
}

func plain(b []byte) bool {
	for _, c := range b {
		if c == 0 || c >= 0x80 {
			return false
		}
	}
	return true
}

// unit decodes the first UTF-16 code unit of b and the bytes it takes; none
// if they are malformed. Longer forms than needed are accepted, as ART does.
func unit(b []byte) (u uint16, n int) {
	tail := func(i int) bool { return len(b) > i && b[i]&0xc0 == 0x80 }
	switch {
	case len(b) == 0:
		return 0, 0
	case b[0] < 0x80:
		return uint16(b[0]), 1
	case b[0]&0xe0 == 0xc0 && tail(1):
		return uint16(b[0]&0x1f)<<6 | uint16(b[1]&0x3f), 2
	case b[0]&0xf0 == 0xe0 && tail(1) && tail(2):
		return uint16(b[0]&0x0f)<<12 | uint16(b[1]&0x3f)<<6 | uint16(b[2]&0x3f), 3
	}
	return 0, 0
}
