package macho

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// maxFat bounds the parts of a universal file: a Java class begins with the same
// word, followed by its version, which is 45 at least.
const maxFat = 44

// A fatPart is one image of a universal file.
type fatPart struct {
	cputype uint32
	off     uint64 // in the file in bytes
}

// fatParts returns the parts of a universal file (mach-o/fat.h); none if src is
// something else.
func fatParts(src core.Source, path string) (out []fatPart, err error) {
	b := format.Slice(src, 0, 8)
	if len(b) < 8 {
		return nil, nil
	}
	be := binary.BigEndian
	n, size := be.Uint32(b[4:]), 20
	switch be.Uint32(b) {
	case format.MagicFat:
	case format.MagicFat64:
		size = 32
	default:
		return nil, nil
	}
	if n > maxFat {
		return nil, &core.FormatError{File: path, Off: 4, Msg: "a Java class, or a universal file with too many parts:",
			Val: n}
	}
	for b = format.Slice(src, 8, uint64(n)*uint64(size)); len(b) >= size; b = b[size:] {
		p := fatPart{be.Uint32(b), uint64(be.Uint32(b[8:]))}
		if size == 32 {
			p.off = be.Uint64(b[8:])
		}
		out = append(out, p)
	}
	return out, nil
}

// images returns the images in src: itself, or the parts of a universal file. Parts
// that are not images are left out.
func images(src core.Source, path string) ([]*File, error) {
	parts, err := fatParts(src, path)
	if err != nil {
		return nil, err
	}
	if parts == nil {
		parts = []fatPart{{}}
	}
	var out []*File
	for _, p := range parts {
		if p.off >= 1<<62 {
			continue
		}
		h, ok := format.ParseHeader(format.Slice(src, p.off, format.HeaderSize))
		if !ok {
			continue
		}
		f := (&File{head: h, path: path, src: src, base: int64(p.off)}).init()
		f.read(format.Slice(src, p.off+format.HeaderSize, uint64(h.SizeOfCmds)))
		out = append(out, f)
	}
	return out, nil
}

// NewFile returns the image in src. In a universal file it is the part for cputype, where 0 means any,
// and if there are several, the one with the given UUID. A file of one image is returned for any
// cputype. The error is a *core.FormatError that says what the file is instead, or wraps the
// *core.GapError of a source that lacks its start.
func NewFile(src core.Source, path string, cputype uint32, uuid []byte) (*File, error) {
	head, err := core.SourceSlice(src, 0, 8)
	if gap := (*core.GapError)(nil); errors.As(err, &gap) {
		return nil, fmt.Errorf("%s: %w", path, gap)
	}
	if len(head) < 8 {
		return nil, &core.FormatError{File: path, Off: 0, Msg: "too short for a Mach-O file"}
	}
	all, err := images(src, path)
	if err != nil {
		return nil, err
	}
	if len(all) == 1 && all[0].base == 0 {
		return all[0], nil
	}
	var found *File
	var has []string
	for _, f := range all {
		has = append(has, format.CPUName(f.head.CPUType))
		switch {
		case f.head.CPUType != cputype && cputype != 0:
		case len(uuid) == 0 || bytes.Equal(f.uuid, uuid):
			return f, nil
		case found == nil:
			found = f
		}
	}
	if found == nil && has != nil {
		return nil, &core.FormatError{File: path, Off: -1, Msg: fmt.Sprintf("a universal file for %s, not for %s",
			strings.Join(has, ", "), format.CPUName(cputype))}
	}
	if found == nil {
		return nil, &core.FormatError{File: path, Off: 0, Msg: "not a Mach-O file, it begins with",
			Val: string(head[:4])}
	}
	return found, nil
}
