package glibc

import (
	"bytes"
	"strings"

	"coredbg/core"
)

const maxVersionLen = 16

// banner is what the library says of itself: "GNU C Library (Debian GLIBC 2.36-9+deb12u14) stable release
// version 2.36."
var banner = []byte("release version ")

// Version implements block.Allocator.
func (h *Malloc) Version() string {
	h.release.Do(func() { h.version = h.findVersion() })
	return h.version
}

func (h *Malloc) findVersion() string {
	if h.of == nil {
		return ""
	}
	for _, part := range h.of.Parts {
		data, _ := core.ReadBytes(h.p.Space, part.Start, min(uint64(part.End-part.Start), maxDataSize))
		for {
			i := bytes.Index(data, banner)
			if i < 0 {
				break
			}
			rest := data[i+len(banner):]
			if v := strings.TrimRight(number(rest), "."); strings.HasPrefix(v, "2.") {
				return v
			}
			data = rest
		}
	}
	return ""
}

// number returns the digits and dots that bytes begin with.
func number(b []byte) string {
	n := 0
	for n < len(b) && n < maxVersionLen && (b[n] == '.' || b[n] >= '0' && b[n] <= '9') {
		n++
	}
	return string(b[:n])
}
