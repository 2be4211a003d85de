package elf

import (
	"bytes"
	"compress/zlib"
	stdelf "debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
)

// maxSections bounds the section headers that are read; object files with a
// section for each function have tens of thousands.
const maxSections = 1 << 20

// maxUnpacked is the most that one compressed section may unpack to, in bytes.
const maxUnpacked = 2 << 30

// readSections reads the section headers and their names. Files without any
// give an empty list.
func (f *File) readSections() ([]shdr, error) {
	if f.src == nil || f.shoff == 0 {
		return nil, nil
	}
	first := slice(f.src, f.shoff, uint64(f.shdrSize()))
	if len(first) < f.shdrSize() {
		return nil, &core.FormatError{File: f.path, Off: int64(f.shoff), Msg: "the file ends before its section headers"}
	}
	zero := f.shdr(first)
	n, strndx := f.shnum, f.shstrndx
	if n == 0 { // more than 16 bits can say (gABI, e_shnum)
		n = int(min(zero.size, maxSections))
	}
	if strndx == int(stdelf.SHN_XINDEX) {
		strndx = int(zero.link)
	}
	n = min(n, maxSections)
	table := slice(f.src, f.shoff, uint64(n)*uint64(f.shentsize))
	n = min(n, len(table)/f.shentsize)
	out := make([]shdr, n)
	for i := range out {
		out[i] = f.shdr(table[i*f.shentsize:])
	}
	if strndx > 0 && strndx < n {
		names := slice(f.src, out[strndx].off, out[strndx].size)
		for i := range out {
			out[i].name = cstring(names, uint64(out[i].nameOff))
		}
	}
	return out, nil
}

// cstring returns the NUL-terminated string at off in b, or what there is of it.
func cstring(b []byte, off uint64) string { return string(cbytes(b, off)) }

func cbytes(b []byte, off uint64) []byte {
	if off >= uint64(len(b)) {
		return nil
	}
	b = b[off:]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i:i]
	}
	return b
}

// Section returns the bytes of a section by its name, decompressed and lent.
// A compressed .zdebug_x answers to .debug_x. Of a section that the file cuts
// off, the bytes there are come with an error; of those in inPieces, a lean bundle
// may have pieces, and the section has Gaps. Without section headers the sections
// that the dynamic linker and the unwinder need are found by program headers. The error is core.ErrNoSection if there is none of the name.
func (f *File) Section(name string) (core.Section, error) {
	sections, err := f.sections()
	if err != nil || len(sections) == 0 {
		s, ok := f.synthetic(name)
		if !ok {
			return core.Section{}, core.ErrNoSection
		}
		return s, nil
	}
	zname := ""
	if rest, ok := strings.CutPrefix(name, ".debug_"); ok {
		zname = ".zdebug_" + rest
	}
	for i := range sections {
		if s := &sections[i]; s.is(name, zname) {
			return f.sectionData(s, name)
		}
	}
	return core.Section{}, core.ErrNoSection
}

// is reports whether a section has data and one of two names, the second of which may be "".
func (s *shdr) is(name, zname string) bool {
	return s.typ != stdelf.SHT_NOBITS && s.typ != stdelf.SHT_NULL && (s.name == name || zname != "" && s.name == zname)
}

// Sections calls yield with each section of a name, and why it cannot be read, in the file's order
// until it returns false: files that were not linked may have several.
func (f *File) Sections(name string, yield func(core.Section, error) bool) {
	sections, _ := f.sections()
	for i := range sections {
		if s := &sections[i]; s.is(name, "") && !yield(f.sectionData(s, name)) {
			return
		}
	}
}

func (f *File) sectionData(s *shdr, name string) (core.Section, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if u, ok := f.unpacked[s]; ok {
		u.Name = name
		return u, nil
	}
	out := core.Section{Name: name, Addr: s.addr, Exec: s.flags&stdelf.SHF_EXECINSTR != 0}
	if slices.Contains(inPieces, s.name) && f.pieces(s, &out) {
		f.unpacked[s] = out
		return out, nil
	}
	out.Data = slice(f.src, s.off, s.size)
	if uint64(len(out.Data)) < s.size {
		return out, f.cutSection(s, name, len(out.Data))
	}
	z := strings.HasPrefix(s.name, ".zdebug_")
	if s.flags&stdelf.SHF_COMPRESSED == 0 && !z {
		if w, err := f.src.Window(int64(s.off)); err == nil && uint64(len(w)) < s.size {
			f.unpacked[s] = out // put together of several windows
		}
		return out, nil
	}
	var err error
	if z {
		out.Data, err = unpackZdebug(out.Data)
	} else {
		out.Data, err = f.unpack(out.Data)
	}
	if err != nil {
		return out, fmt.Errorf("%s: section %s: %w", f.path, quote(name), err)
	}
	f.unpacked[s] = out
	return out, nil
}

// inPieces are the sections that a lean bundle has pieces of; see core.Section.
var inPieces = []string{".eh_frame", ".debug_info", ".debug_line"}

// maxPieces bounds a section that is read by pieces, in bytes.
const maxPieces = 64 << 20

// pieces reads a section of which only pieces were taken into a bundle. It reports
// false if all or nothing was, or if bytes are missing for another reason.
func (f *File) pieces(s *shdr, out *core.Section) bool {
	size := f.src.Size()
	if s.size > maxPieces || int64(s.off) > size-int64(s.size) {
		return false
	}
	first, end := core.SourceData(f.src, int64(s.off))
	if first >= int64(s.off+s.size) || first == int64(s.off) && end >= int64(s.off+s.size) {
		return false
	}
	data := make([]byte, s.size)
	var gaps []core.SectionGap
	for at := 0; at < len(data); {
		w, err := f.src.Window(int64(s.off) + int64(at))
		if err == nil {
			at += copy(data[at:], w)
			continue
		}
		if gap := new(core.GapError); !errors.As(err, &gap) || gap.Gap != core.LeftOut {
			return false
		}
		next, _ := core.SourceData(f.src, int64(s.off)+int64(at))
		end := int(min(max(next-int64(s.off), int64(at)+1), int64(len(data))))
		gaps = append(gaps, core.SectionGap{Off: at, End: end, Err: err})
		at = end
	}
	out.Data, out.Gaps = data, gaps
	return gaps != nil
}

// cutSection says why only got bytes of a section are there.
func (f *File) cutSection(s *shdr, name string, got int) error {
	_, err := f.src.Window(int64(s.off) + int64(got))
	if gap := new(core.GapError); errors.As(err, &gap) {
		return fmt.Errorf("%s: section %s: %w", f.path, quote(name), gap)
	}
	return &core.FormatError{File: f.path, Off: f.src.Size(), Msg: "the file ends inside section " + quote(name)}
}

// SectionExtents returns the link-time addresses [start, end) of each section
// that is loaded, in the file's order; nothing if there are no section headers.
func (f *File) SectionExtents() [][2]uint64 {
	sections, _ := f.sections()
	var out [][2]uint64
	for _, s := range sections {
		// .tbss takes no room where its address says.
		tbss := s.typ == stdelf.SHT_NOBITS && s.flags&stdelf.SHF_TLS != 0
		if s.flags&stdelf.SHF_ALLOC != 0 && !tbss && s.addr+s.size > s.addr {
			out = append(out, [2]uint64{s.addr, s.addr + s.size})
		}
	}
	return out
}

// unpack decompresses a section with SHF_COMPRESSED (gABI, "Compressed sections").
func (f *File) unpack(b []byte) ([]byte, error) {
	n := 12
	if f.wide {
		n = 24
	}
	if len(b) < n {
		return nil, errors.New("too short for its compression header")
	}
	var size uint64
	if f.wide {
		size = f.order.Uint64(b[8:])
	} else {
		size = uint64(f.order.Uint32(b[4:]))
	}
	switch t := stdelf.CompressionType(f.order.Uint32(b)); t {
	case stdelf.COMPRESS_ZLIB:
		return unpackZlib(b[n:], size)
	case stdelf.COMPRESS_ZSTD:
		limit, err := limitOf(b[n:], size)
		if err != nil {
			return nil, err
		}
		return file.Decompress(b[n:], limit)
	default:
		return nil, fmt.Errorf("unknown compression %d", uint32(t))
	}
}

// unpackZdebug decompresses a section as GNU tools wrote them before
// SHF_COMPRESSED: "ZLIB", the size as a big-endian word, the stream.
func unpackZdebug(b []byte) ([]byte, error) {
	if len(b) < 12 || string(b[:4]) != "ZLIB" {
		return nil, errors.New("no ZLIB header")
	}
	return unpackZlib(b[12:], binary.BigEndian.Uint64(b[4:]))
}

// limitOf returns the size in bytes that a compressed section claims to have, unless
// that is past belief.
func limitOf(b []byte, size uint64) (int64, error) {
	if most := min(maxUnpacked, file.Plausible(len(b))); size > uint64(most) {
		return 0, fmt.Errorf("it claims to unpack from %d to %d bytes: %w", len(b), size, file.ErrTooLong)
	}
	return int64(size), nil
}

func unpackZlib(b []byte, size uint64) ([]byte, error) {
	limit, err := limitOf(b, size)
	if err != nil {
		return nil, err
	}
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(int(limit))
	if _, err := io.Copy(&out, io.LimitReader(r, limit)); err != nil {
		return out.Bytes(), err
	}
	if int64(out.Len()) < limit {
		return out.Bytes(), io.ErrUnexpectedEOF
	}
	return out.Bytes(), nil
}

// quote makes text of a file safe to print.
func quote(s string) string {
	q := fmt.Sprintf("%q", s)
	return q[1 : len(q)-1]
}
