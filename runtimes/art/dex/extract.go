package dex

import (
	"crypto/sha1"
	"fmt"
	"hash/adler32"

	"coredbg/core"
)

// maxFile bounds what is extracted; a dex file's offsets end at 4 GiB, and
// 65536 methods fit into far less.
const maxFile = 1 << 30

// Extract returns the bytes of the file as on disk: FileSize bytes from the header on. For compact dex it
// includes the shared data, which must follow, and for version 041 the whole container of several files. On an
// error it returns the readable bytes.
func (f *File) Extract() ([]byte, error) {
	begin, size := f.Begin, uint64(f.FileSize)
	switch {
	case f.Compact:
		size = max(size, uint64(f.DataOff)+uint64(f.DataSize))
	case f.Data != f.Begin || f.ContainerSize > 0:
		begin, size = f.Data, uint64(f.ContainerSize)
	}
	if size > maxFile {
		return nil, fmt.Errorf("dex: file at %v: %#x bytes are more than a dex file has", f.Begin, size)
	}
	b, err := core.ReadBytes(f.mem, begin, size)
	if err != nil {
		return b, fmt.Errorf("dex: file at %v, %#x bytes: %w", begin, size, err)
	}
	return b, nil
}

// A Check compares a file's bytes with its header's checksums: adler32 over all after the checksum, SHA-1 over
// all after the signature. Changes that ART made in memory, as quickening did until Android 11, make them
// differ.
type Check struct {
	Adler32, WantAdler32 uint32
	SHA1, WantSHA1       [20]byte
}

// OK reports whether both agree.
func (c Check) OK() bool { return c.AdlerOK() && c.SHA1OK() }

// AdlerOK reports whether adler32 agrees.
func (c Check) AdlerOK() bool { return c.Adler32 == c.WantAdler32 }

// SHA1OK reports whether SHA-1 agrees.
func (c Check) SHA1OK() bool { return c.SHA1 == c.WantSHA1 }

// Check computes the checksums of bytes that Extract returned. Compact dex has
// others, which are not known to mean anything outside of its vdex file; it
// returns an error for these, and for bytes that are too few.
func (f *File) Check(b []byte) (Check, error) {
	if f.Compact {
		return Check{}, fmt.Errorf("the checksums of compact dex are not checked")
	}
	off := uint64(f.Begin - f.Data)
	if off+uint64(f.FileSize) > uint64(len(b)) || f.FileSize < headerSize {
		return Check{}, fmt.Errorf("%#x bytes of %#x are not enough for a checksum", len(b), f.FileSize)
	}
	b = b[off : off+uint64(f.FileSize)]
	return Check{
		Adler32: adler32.Checksum(b[12:]), WantAdler32: f.Checksum,
		SHA1: sha1.Sum(b[32:]), WantSHA1: f.Signature,
	}, nil
}
