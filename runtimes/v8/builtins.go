package v8

import (
	"encoding/binary"
	"strings"

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

// place is where a program counter lies.
type place struct {
	kind placeKind
	// home is the pc in the image's own mapping, if the code runs in a copy.
	home core.Addr
	// builtin is the name of the builtin without "Builtins_", "" if the image
	// is stripped; off is the distance of pc from its start.
	builtin string
	off     uint64
	code    *code // if kind is inJIT and the code object was found
}

type placeKind uint8

const (
	elsewhere placeKind = iota
	inBlob              // embedded builtins, in place or remapped
	inJIT               // executable memory without a file
)

// place finds out what kind of code pc lies in.
func (v *V8) place(pc core.Addr) place {
	if pc == 0 {
		return place{}
	}
	home := v.homePC(pc)
	if home >= v.image.blob.start && home < v.image.blob.end {
		p := place{kind: inBlob, home: home}
		if s, off, ok := v.symbols.Lookup(home); ok && strings.HasPrefix(s.Name, builtinPrefix) {
			p.builtin, p.off = s.Name[len(builtinPrefix):], off
		}
		return p
	}
	if v.anonymousCode(pc) {
		return place{kind: inJIT, code: v.codeAt(pc)}
	}
	return place{}
}

// homePC translates a pc in another mapping of V8's image to the place where
// the image's own text lies.
func (v *V8) homePC(pc core.Addr) core.Addr {
	if b := v.image.blob; pc >= b.start && pc < b.end {
		return pc
	}
	off, ok := v.fileOffset(pc)
	if !ok {
		if home, ok := v.copiedPC(pc); ok {
			return home
		}
		return pc
	}
	img := v.image.module.Facts().Image
	if img == nil {
		return pc
	}
	for _, s := range img.Segments() {
		if s.Prot&core.Exec != 0 && off >= s.Off && off < s.Off+s.FileSize {
			return core.Addr(s.Addr+(off-s.Off)) + v.image.bias
		}
	}
	return pc
}

// fileOffset returns the offset in V8's image of the byte mapped at pc.
func (v *V8) fileOffset(pc core.Addr) (uint64, bool) {
	for _, p := range v.image.module.Parts {
		if p.Start <= pc && pc < p.End {
			return p.Off + uint64(pc-p.Start), true
		}
	}
	m, ok := v.process.Mapping(pc)
	return m.Off + uint64(pc-m.Start), ok && m.Path == v.image.module.Path
}

// anonymousCode reports whether pc lies in executable memory of no file.
func (v *V8) anonymousCode(pc core.Addr) bool {
	if !v.process.Executable(pc) {
		return false
	}
	if m, ok := v.process.Mapping(pc); ok && m.Path != "" {
		return false
	}
	return v.process.Module(pc) == nil
}
