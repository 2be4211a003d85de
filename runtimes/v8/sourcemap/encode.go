package sourcemap

// A Token is a mapping of a map that is not text: all numbers from 0.
type Token struct {
	Line, Column                 int // of the generated code
	Source                       int // below 0 if it leads to no original
	OriginalLine, OriginalColumn int
}

// Encode returns the mappings of tokens, which are in the order of their lines, as a map has them.
func Encode(tokens []Token) string {
	var b []byte
	var last Token
	for i := range tokens {
		t := &tokens[i]
		for ; last.Line < t.Line; last.Line++ {
			b, last.Column = append(b, ';'), 0
		}
		if n := len(b); n > 0 && b[n-1] != ';' {
			b = append(b, ',')
		}
		b = appendVLQ(b, t.Column-last.Column)
		last.Column = t.Column
		if t.Source < 0 {
			continue
		}
		b = appendVLQ(b, t.Source-last.Source)
		b = appendVLQ(b, t.OriginalLine-last.OriginalLine)
		b = appendVLQ(b, t.OriginalColumn-last.OriginalColumn)
		last = *t
	}
	return string(b)
}

// appendVLQ appends a number as vlq reads it.
func appendVLQ(b []byte, n int) []byte {
	u := uint64(n) << 1
	if n < 0 {
		u = uint64(-n)<<1 | 1
	}
	for {
		d := u & 31
		if u >>= 5; u > 0 {
			d |= 32
		}
		b = append(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[d])
		if u == 0 {
			return b
		}
	}
}
