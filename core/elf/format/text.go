package format

import (
	"bytes"
	"fmt"
)

// CString returns the NUL-terminated string at off in b, or the rest of b if no NUL follows.
func CString(b []byte, off uint64) string { return string(CBytes(b, off)) }

// CBytes returns the bytes of the NUL-terminated string at off in b, lent, or the rest of b if no NUL
// follows.
func CBytes(b []byte, off uint64) []byte {
	if off >= uint64(len(b)) {
		return nil
	}
	b = b[off:]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i:i]
	}
	return b
}

// Quote makes text of a file safe to print.
func Quote(s string) string {
	q := fmt.Sprintf("%q", s)
	return q[1 : len(q)-1]
}
