package format

import (
	"fmt"
	"io"

	"coredbg/core"
)

// Slice returns up to n bytes of src at off; fewer if it ends before.
func Slice(src core.Source, off, n uint64) []byte {
	size := uint64(src.Size())
	if off >= size {
		return nil
	}
	b, _ := core.SourceSlice(src, int64(off), int(min(n, size-off)))
	return b
}

// SomeUUID returns b, or nil if it is all zeros.
func SomeUUID(b []byte) []byte {
	for _, c := range b {
		if c != 0 {
			return b
		}
	}
	return nil
}

// MaxPath bounds a path in bytes (MAXPATHLEN of macOS is 1024).
const MaxPath = 4096

// MaxSymbolName bounds a name in bytes where it has to be copied.
const MaxSymbolName = 32 << 10

// CPUName names a processor as Apple's tools do.
func CPUName(cputype uint32) string {
	switch cputype {
	case CPUX86_64:
		return "x86_64"
	case CPUARM64:
		return "arm64"
	case 7:
		return "i386"
	case 12:
		return "arm"
	case 0x0200000c:
		return "arm64_32"
	case 18:
		return "ppc"
	case 0x01000012:
		return "ppc64"
	}
	return fmt.Sprintf("processor %#x", cputype)
}

// A piece is a Source that is a part of another one.
type piece struct {
	src       core.Source
	off, size int64
}

// Size returns the bytes of the piece, whether they are there or not.
func (p *piece) Size() int64 { return max(0, min(p.size, p.src.Size()-p.off)) }

// Window returns the bytes from off on.
func (p *piece) Window(off int64) ([]byte, error) {
	if off < 0 || off >= p.Size() {
		return nil, io.EOF
	}
	w, err := p.src.Window(p.off + off)
	if err != nil {
		return nil, err
	}
	return w[:min(int64(len(w)), p.Size()-off)], nil
}

// Close does nothing: the whole is closed by its opener.
func (p *piece) Close() error { return nil }

// NewPiece returns size bytes of src from off on as a Source.
func NewPiece(src core.Source, off, size int64) core.Source { return &piece{src, off, size} }

// NlistSize is the size of an nlist_64 (mach-o/nlist.h), in bytes.
const NlistSize = 16

// CacheMagic begins a file of dyld's shared cache.
const CacheMagic = "dyld_v1"
