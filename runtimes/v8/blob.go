package v8

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// A blob is the embedded builtins of an image: machine code that the build
// generates, without call frame information. The process may run a second
// copy of it, mapped near the JIT code ("short builtin calls").
type blob struct {
	start, end core.Addr // in the process, where the image itself is mapped
}

const (
	symBlobCodeSize = "v8_Default_embedded_blob_code_size_"
	builtinPrefix   = "Builtins_"
	maxBlob         = 64 << 20
)

// The names of the blob's start: until V8 10 the shorter one is a pointer to
// it (snapshot/embedded/embedded-file-writer.cc).
var symBlobCode = []string{"v8_Default_embedded_blob_code_data_", "v8_Default_embedded_blob_code_"}

// findBlob finds the blob by its symbols, else by those of the builtins.
func (img *image) findBlob(t runtimes.Target) {
	var n int
	if size, ok := t.Symbols.Find(img.module.Path, symBlobCodeSize); ok {
		n, _ = readInt(t, size.Addr)
	}
	for _, name := range symBlobCode {
		start, ok := t.Symbols.Find(img.module.Path, name)
		if ok && n > 0 && n < maxBlob && t.Process.Executable(start.Addr) {
			img.blob = blob{start.Addr, start.Addr + core.Addr(n)}
			return
		}
	}
	var b blob
	_ = t.Symbols.Prefix(img.module, builtinPrefix, func(s sym.Symbol) bool {
		if b.start == 0 || s.Addr < b.start {
			b.start = s.Addr
		}
		b.end = max(b.end, s.Addr+core.Addr(max(s.Size, 1)))
		return true
	})
	if b.end-b.start < maxBlob {
		img.blob = b
	}
	if img.blob.end == 0 {
		img.blob = img.largestHole()
	}
}

// minHole is the least that the builtins of any version take, in bytes; no
// other code without call frame information is nearly as large.
const minHole = 512 << 10

// largestHole finds the blob of a stripped image: the largest stretch of its
// text that no entry of .eh_frame covers. The table of .eh_frame_hdr is sorted
// (Linux Standard Base, "Exception Frames"); linkers write it with entries of
// two 4-byte words relative to its start.
func (img *image) largestHole() blob {
	const datarelSData4 = 0x3b
	f := img.module.Facts()
	if f.Image == nil {
		return blob{}
	}
	hdr, err := f.Image.Section(".eh_frame_hdr")
	if err != nil || len(hdr.Data) < 12 || hdr.Data[0] != 1 || hdr.Data[3] != datarelSData4 {
		return blob{}
	}
	frames, err := f.Image.Section(".eh_frame")
	if err != nil {
		return blob{}
	}
	word := func(b []byte) uint64 { return hdr.Addr + uint64(int64(int32(binary.LittleEndian.Uint32(b)))) }
	table := hdr.Data[12:]
	table = table[:min(uint64(len(table)), 8*uint64(binary.LittleEndian.Uint32(hdr.Data[8:])))]
	var best blob
	for ; len(table) >= 16; table = table[8:] {
		start, next := word(table), word(table[8:])
		if next-start < minHole || next <= start || uint64(best.end-best.start) >= next-start {
			continue
		}
		// The FDE: length, CIE pointer, start, size of the function.
		if at := word(table[4:]) - frames.Addr; at+16 <= uint64(len(frames.Data)) {
			start += uint64(binary.LittleEndian.Uint32(frames.Data[at+12:]))
		}
		if start < next && next-start >= minHole && next-start < maxBlob {
			best = blob{core.Addr(start), core.Addr(next)}
		}
	}
	if best.end == 0 {
		return best
	}
	return blob{best.start + img.bias, best.end + img.bias}
}
