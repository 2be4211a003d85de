package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"coredbg/runtimes/art/dex"
)

// A vdex file holds the dex files that an oat file was compiled from: until
// Android 11 as a rule, since then only if they could not be mapped from the
// archive (runtime/vdex_file.h). Its header changed with each release; common
// to all are the magic, and a list of the dex files' location checksums in
// front of them.

const vdexMagic = "vdex"

// maxVdexHead bounds in bytes where checksums are looked for: they follow the
// header, four bytes for each dex file.
const maxVdexHead = 64 << 10

var errVdexOffset = errors.New("it is a vdex file, and where in it the dex file is, is not known")

// vdexDex takes the dex file at an offset out of a vdex file of size bytes,
// with all that follows: compact dex has its data after the last of them. The
// file proves itself by the location checksum in its list.
func vdexDex(r io.ReaderAt, size, off int64, d *DexFile) ([]byte, error) {
	if off < 0 || off >= size {
		return nil, errVdexOffset
	}
	head := make([]byte, min(off, maxVdexHead))
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, err
	}
	listed := false
	for at := 8; at+4 <= len(head); at += 4 {
		listed = listed || binary.LittleEndian.Uint32(head[at:]) == d.Checksum
	}
	if !listed || d.Checksum == 0 {
		return nil, errOtherDex
	}
	b := make([]byte, size-off)
	if _, err := r.ReadAt(b, off); err != nil {
		return nil, err
	}
	if !dex.Magic(b) {
		return nil, fmt.Errorf("no dex file is at offset %#x of it", off)
	}
	return b, nil
}
