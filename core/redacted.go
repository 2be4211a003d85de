package core

import "bytes"

// RedactedMark stands in texts for bytes that were redacted.
const RedactedMark = "<redacted>"

// maxRedacted is the longest run of redacted bytes that a text goes on after, in bytes.
const maxRedacted = 4096

// RedactedAt returns how many bytes from a on are redacted, at most most of them. It returns 0 if
// the run is longer than a text goes on after.
func RedactedAt(m Memory, a Addr, most int) int {
	var b [1]byte
	for n := 0; n < min(most, maxRedacted); n++ {
		_, err := m.ReadAt(b[:], a+Addr(n))
		if f := Fault(err); f == nil || f.Gap != Redacted {
			return n
		}
	}
	if most > maxRedacted {
		return 0
	}
	return most
}

// TextBytes reads n bytes of a text at a, as ReadBytes does. Each run of redacted bytes becomes
// RedactedMark.
func TextBytes(m Memory, a Addr, n uint64) ([]byte, error) {
	var out []byte
	for {
		b, err := ReadBytes(m, a, n)
		out = append(out, b...)
		if err == nil {
			return out, nil
		}
		a, n = a+Addr(len(b)), n-uint64(len(b))
		skip := RedactedAt(m, a, int(min(n, maxRedacted+1)))
		if skip == 0 {
			return out, err
		}
		out = append(out, RedactedMark...)
		if a, n = a+Addr(skip), n-uint64(skip); n == 0 {
			return out, nil
		}
	}
}

// Text reads the NUL-terminated text at a, as CString does. Each run of redacted bytes becomes
// RedactedMark.
func Text(m Memory, a Addr, max int) (string, error) {
	var out bytes.Buffer
	for max > 0 {
		s, err := CString(m, a, max)
		out.WriteString(s)
		if err == nil {
			break
		}
		a, max = a+Addr(len(s)), max-len(s)
		skip := RedactedAt(m, a, min(max, maxRedacted+1))
		if skip == 0 {
			return out.String(), err
		}
		out.WriteString(RedactedMark)
		a, max = a+Addr(skip), max-skip
	}
	return out.String(), nil
}

// Text reads the NUL-terminated text at a; see the function Text.
func (c *Cursor) Text(a Addr, max int) string {
	if c.err != nil {
		return ""
	}
	s, err := Text(c.mem, a, max)
	c.err = err
	return s
}
