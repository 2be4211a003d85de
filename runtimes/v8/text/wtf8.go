package text

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/runtimes/v8/layout"
)

// Text of values keeps surrogates without a partner, which JavaScript allows, in the generalised UTF-8 that is
// called WTF-8 (https://simonsapin.github.io/wtf-8/): three bytes, the first 0xed and the second above 0x9f.

// wtf8 encodes UTF-16 code units.
func wtf8(units []uint16) string {
	var b strings.Builder
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if !utf16.IsSurrogate(r) {
			b.WriteRune(r)
			continue
		}
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
				b.WriteRune(pair)
				i++
				continue
			}
		}
		b.Write([]byte{0xed, byte(0x80 | r>>6&0x3f), byte(0x80 | r&0x3f)})
	}
	return b.String()
}

// DecodeRune returns the first character of s and its bytes; it may be a
// surrogate.
func DecodeRune(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] < 0xc0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return utf8.DecodeRuneInString(s)
}

// Characters returns the string t as String does, in WTF-8.
func (r *Strings) Characters(t layout.Tagged, max int) (string, error) {
	s, err := r.String(t, max)
	if !strings.ContainsRune(s, utf8.RuneError) {
		return s, err
	}
	info, infoErr := r.StringInfo(t)
	if infoErr != nil {
		return s, err
	}
	b := &flattener{v: r, left: max}
	if b.flatten(t, 0, info.Length); b.wide == nil {
		return s, err
	}
	return wtf8(b.wide), err
}
