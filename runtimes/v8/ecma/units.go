package ecma

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"coredbg/runtimes/v8/object"
)

// Units are the UTF-16 code units of a string.
func Units(s string) []uint16 {
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

// FromUnits is a string of UTF-16 code units. Single surrogates are written in three
// bytes (WTF-8).
func FromUnits(u []uint16) string {
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

// TextNumber is StringToNumber.
func TextNumber(s string) float64 {
	s = strings.TrimFunc(s, IsSpace)
	if s == "" {
		return 0
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if len(s) > 2 && s[0] == '0' && strings.ContainsRune("xXoObB", rune(s[1])) {
		if n, err := strconv.ParseUint(s, 0, 64); err == nil {
			return float64(n)
		}
		return math.NaN()
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// IsSpace reports whether a character is white space or ends a line.
func IsSpace(c rune) bool {
	return c == 0xfeff || c == 0x2028 || c == 0x2029 || c >= 9 && c <= 13 || unicode.Is(unicode.Zs, c)
}

// BigLiteral is a BigInt as it is written, in any base.
func BigLiteral(text string) (digits string, ok bool) {
	n, ok := new(big.Int).SetString(strings.TrimSpace(text), 0)
	if !ok && strings.TrimSpace(text) == "" {
		n, ok = new(big.Int), true
	}
	if !ok || n.BitLen() > MaxBits {
		return "", false
	}
	return n.String(), true
}

// MaxBits bounds the size of a BigInt that is made.
const MaxBits = 1 << 16

// textMember is the length or a character of a string.
func textMember(m *Machine, s string, k Key) (Value, bool) {
	m.Spend(len(s) / 256)
	if k.IsSymbol() {
		return nil, false
	}
	if k.Name == "length" {
		return float64(len(Units(s))), true
	}
	if i, ok := index(k.Name); ok {
		if u := Units(s); i < len(u) {
			return FromUnits(u[i : i+1]), true
		}
		return nil, true
	}
	return nil, false
}

// Int32Of is ToInt32.
func Int32Of(f float64) int32 {
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(f), 1<<32))))
}
