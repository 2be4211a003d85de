package macho

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// archiveMember returns a member of an archive and the time it was written. If several have the name,
// it is the one of time written, else the first. The format is BSD's: members have headers of 60 bytes
// of text, and long names come before the contents.
func archiveMember(src core.Source, path, member string, written uint64) (core.Source, uint64, error) {
	if string(format.Slice(src, 0, 8)) != archiveMagic {
		return nil, 0, &core.FormatError{File: path, Off: 0, Msg: "not an archive"}
	}
	var found core.Source
	var foundTime uint64
	for off := uint64(8); ; {
		h := format.Slice(src, off, 60)
		if len(h) < 60 || h[58] != '`' {
			break
		}
		name := strings.TrimRight(strings.TrimRight(string(h[:16]), " "), "/")
		at := off + 60
		size, err := strconv.ParseUint(strings.TrimRight(string(h[48:58]), " "), 10, 63)
		if err != nil {
			break
		}
		next := at + size + size&1
		if n, ok := strings.CutPrefix(name, "#1/"); ok {
			long, err := strconv.ParseUint(n, 10, 31)
			if err != nil || long > size {
				break
			}
			name = string(bytes.TrimRight(format.Slice(src, at, long), "\x00"))
			at, size = at+long, size-long
		}
		if next <= off {
			break
		}
		off = next
		if name != member {
			continue
		}
		t, _ := strconv.ParseUint(strings.TrimRight(string(h[16:28]), " "), 10, 63)
		if found == nil || t == written && foundTime != written {
			found, foundTime = format.NewPiece(src, int64(at), int64(size)), t
		}
	}
	if found == nil {
		return nil, 0, fmt.Errorf("%s: the archive has no member %q", path, member)
	}
	return found, foundTime, nil
}
