package layout

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// The blob is the embedded builtins of an image: machine code that the build
// generates, without call frame information. The process may run a second
// copy of it, mapped near the JIT code ("short builtin calls").

const (
	symBlobCodeSize = "v8_Default_embedded_blob_code_size_"
	// BuiltinPrefix begins the symbol of a builtin.
	BuiltinPrefix = "Builtins_"
	maxBlob       = 64 << 20
)

// The names of the blob's start: until V8 10 the shorter one is a pointer to
// it (snapshot/embedded/embedded-file-writer.cc).
var symBlobCode = []string{"v8_Default_embedded_blob_code_data_", "v8_Default_embedded_blob_code_"}

// findBlob finds the blob by its symbols, else by those of the builtins.
func (img *Image) findBlob(t runtimes.Target) {
	var n int
	if size, ok := t.Symbols.Exact(img.Module, symBlobCodeSize); ok {
		n, _ = readInt(t, size.Addr)
	}
	for _, name := range symBlobCode {
		start, ok := t.Symbols.Exact(img.Module, name)
		if ok && n > 0 && n < maxBlob && t.Process.Executable(start.Addr) {
			img.Blob = Area{start.Addr, start.Addr + core.Addr(n)}
			return
		}
	}
	var b Area
	_ = t.Symbols.Prefix(img.Module, BuiltinPrefix, func(s sym.Symbol) bool {
		if b.Start == 0 || s.Addr < b.Start {
			b.Start = s.Addr
		}
		b.End = max(b.End, s.Addr+core.Addr(max(s.Size, 1)))
		return true
	})
	if b.End-b.Start < maxBlob {
		img.Blob = b
	}
	if img.Blob.End == 0 {
		img.Blob = img.mappedTwice(t)
	}
	if img.Blob.End == 0 {
		img.Blob = img.largestHole()
	}
}

// mappedTwice finds the blob where the process runs a copy of it: V8 maps that part of
// the image's file once more, near its code (Heap::InitializeOncePerProcess and
// CodeRange::RemapEmbeddedBuiltins, heap/code-range.cc). It begins and ends at pages.
func (img *Image) mappedTwice(t runtimes.Target) Area {
	m := img.Module
	for _, copied := range t.Process.Mappings {
		if copied.Path != m.Path || copied.Prot&core.Exec == 0 || copied.Start >= m.Start && copied.Start < m.End {
			continue
		}
		for _, own := range t.Process.Mappings {
			if own.Path != m.Path || own.Prot&core.Exec == 0 || own.Start < m.Start || own.Start >= m.End || copied.Off < own.Off {
				continue
			}
			start := own.Start + core.Addr(copied.Off-own.Off)
			end := start + (copied.End - copied.Start)
			if start < own.End && end <= own.End && end-start < maxBlob {
				return Area{start, end}
			}
		}
	}
	return Area{}
}

// minHole is the least that the builtins of any version take, in bytes; no
// other code without call frame information is nearly as large.
const minHole = 512 << 10

// largestHole finds the blob of a stripped image: the largest stretch of its
// text that no entry of .eh_frame covers. The table of .eh_frame_hdr is sorted
// (Linux Standard Base, "Exception Frames"); linkers write it with entries of
// two 4-byte words relative to its start.
func (img *Image) largestHole() Area {
	const datarelSData4 = 0x3b
	f := img.Module.Facts()
	if f.Image == nil {
		return Area{}
	}
	hdr, err := f.Image.Section(".eh_frame_hdr")
	if err != nil || len(hdr.Data) < 12 || hdr.Data[0] != 1 || hdr.Data[3] != datarelSData4 {
		return Area{}
	}
	frames, err := f.Image.Section(".eh_frame")
	if err != nil {
		return Area{}
	}
	word := func(b []byte) uint64 { return hdr.Addr + uint64(int64(int32(binary.LittleEndian.Uint32(b)))) }
	table := hdr.Data[12:]
	table = table[:min(uint64(len(table)), 8*uint64(binary.LittleEndian.Uint32(hdr.Data[8:])))]
	var best Area
	for ; len(table) >= 16; table = table[8:] {
		start, next := word(table), word(table[8:])
		if next-start < minHole || next <= start || uint64(best.End-best.Start) >= next-start {
			continue
		}
		// The FDE: length, CIE pointer, start, size of the function.
		if at := word(table[4:]) - frames.Addr; at+16 <= uint64(len(frames.Data)) {
			if frames.Gap(int(at), int(at)+16) != nil {
				continue // where the function before ends is not known
			}
			start += uint64(binary.LittleEndian.Uint32(frames.Data[at+12:]))
		}
		if start < next && next-start >= minHole && next-start < maxBlob {
			best = Area{core.Addr(start), core.Addr(next)}
		}
	}
	if best.End == 0 {
		return best
	}
	return Area{best.Start + img.Bias, best.End + img.Bias}
}
