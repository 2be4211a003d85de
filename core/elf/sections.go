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
	"coredbg/core/elf/format"
	"coredbg/core/file"
)

// maxSections bounds the section headers that are read; object files with a
// section for each function have tens of thousands.
const maxSections = 1 << 20

// maxUnpacked is the most that one compressed section may unpack to, in bytes.
const maxUnpacked = 2 << 30

// readSections reads the section headers and their names. Files without any
// give an empty list.
func (f *File) readSections() ([]format.Section, error) {
	if f.exec.src == nil || f.exec.head.Shoff == 0 {
		return nil, nil
	}
	first := format.Slice(f.exec.src, f.exec.head.Shoff, uint64(f.exec.head.SectionSize()))
	if len(first) < f.exec.head.SectionSize() {
		return nil, &core.FormatError{File: f.path, Off: int64(f.exec.head.Shoff),
			Msg: "the file ends before its section headers"}
	}
	zero := f.exec.head.Section(first)
	n, strndx := f.exec.head.Shnum, f.exec.head.Shstrndx
	if n == 0 { // more than 16 bits can say (gABI, e_shnum)
		n = int(min(zero.Size, maxSections))
	}
	if strndx == int(stdelf.SHN_XINDEX) {
		strndx = int(zero.Link)
	}
	n = min(n, maxSections)
	table := format.Slice(f.exec.src, f.exec.head.Shoff, uint64(n)*uint64(f.exec.head.Shentsize))
	n = min(n, len(table)/f.exec.head.Shentsize)
	out := make([]format.Section, n)
	for i := range out {
		out[i] = f.exec.head.Section(table[i*f.exec.head.Shentsize:])
	}
	if strndx > 0 && strndx < n {
		names := format.Slice(f.exec.src, out[strndx].Off, out[strndx].Size)
		for i := range out {
			out[i].Name = format.CString(names, uint64(out[i].NameOff))
		}
	}
	return out, nil
}

// Section returns the bytes of a section by its name, decompressed and lent. A compressed .zdebug_x
// answers to .debug_x. If the file cuts a section off, it returns the available bytes with an error. A
// lean bundle may have the sections in inPieces in pieces, and then they have Gaps. Without section
// headers the sections that the dynamic linker and the unwinder need are found by program headers. The
// error is core.ErrNoSection if there is no section of that name.
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
		if s := &sections[i]; isCalled(s, name, zname) {
			return f.sectionData(s, name)
		}
	}
	return core.Section{}, core.ErrNoSection
}

// isCalled reports whether a section has data and one of two names; zname may be "".
func isCalled(s *format.Section, name, zname string) bool {
	return s.Type != stdelf.SHT_NOBITS && s.Type != stdelf.SHT_NULL &&
		(s.Name == name || zname != "" && s.Name == zname)
}

// Sections calls yield with each section of a name, and why it cannot be read, in the file's order
// until it returns false: files that were not linked may have several.
func (f *File) Sections(name string, yield func(core.Section, error) bool) {
	sections, _ := f.sections()
	for i := range sections {
		if s := &sections[i]; isCalled(s, name, "") && !yield(f.sectionData(s, name)) {
			return
		}
	}
}

// SectionRanges implements core.SectionLister.
func (f *File) SectionRanges() ([]core.SectionRange, error) {
	sections, err := f.sections()
	var list []core.SectionRange
	for i := range sections {
		s := &sections[i]
		if s.Flags&stdelf.SHF_ALLOC == 0 || s.Type == stdelf.SHT_NULL {
			continue
		}
		list = append(list, core.SectionRange{Name: s.Name, Addr: s.Addr, Size: s.Size,
			Write: s.Flags&stdelf.SHF_WRITE != 0, Exec: s.Flags&stdelf.SHF_EXECINSTR != 0,
			Zero: s.Type == stdelf.SHT_NOBITS, TLS: s.Flags&stdelf.SHF_TLS != 0})
	}
	return list, err
}

func (f *File) sectionData(s *format.Section, name string) (core.Section, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if u, ok := f.unpacked[s]; ok {
		u.Name = name
		return u, nil
	}
	out := core.Section{Name: name, Addr: s.Addr, Exec: s.Flags&stdelf.SHF_EXECINSTR != 0}
	if slices.Contains(inPieces, s.Name) && f.pieces(s, &out) {
		f.unpacked[s] = out
		return out, nil
	}
	out.Data = format.Slice(f.exec.src, s.Off, s.Size)
	if uint64(len(out.Data)) < s.Size {
		return out, f.cutSection(s, name, len(out.Data))
	}
	z := strings.HasPrefix(s.Name, ".zdebug_")
	if s.Flags&stdelf.SHF_COMPRESSED == 0 && !z {
		if w, err := f.exec.src.Window(int64(s.Off)); err == nil && uint64(len(w)) < s.Size {
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
		return out, fmt.Errorf("%s: section %s: %w", f.path, format.Quote(name), err)
	}
	f.unpacked[s] = out
	return out, nil
}

// inPieces are the sections that a lean bundle may have in pieces; see core.Section.
var inPieces = []string{".eh_frame", ".debug_info", ".debug_line"}

// maxPieces bounds a section that is read by pieces, in bytes.
const maxPieces = 64 << 20

// pieces reads a section that a bundle has in pieces. It returns false if the bundle has all or nothing
// of it, or if bytes are missing for another reason.
func (f *File) pieces(s *format.Section, out *core.Section) bool {
	size := f.exec.src.Size()
	if s.Size > maxPieces || int64(s.Off) > size-int64(s.Size) {
		return false
	}
	first, end := core.SourceData(f.exec.src, int64(s.Off))
	if first >= int64(s.Off+s.Size) || first == int64(s.Off) && end >= int64(s.Off+s.Size) {
		return false
	}
	data := make([]byte, s.Size)
	var gaps []core.SectionGap
	for at := 0; at < len(data); {
		w, err := f.exec.src.Window(int64(s.Off) + int64(at))
		if err == nil {
			at += copy(data[at:], w)
			continue
		}
		if gap := new(core.GapError); !errors.As(err, &gap) || gap.Gap != core.LeftOut {
			return false
		}
		next, _ := core.SourceData(f.exec.src, int64(s.Off)+int64(at))
		end := int(min(max(next-int64(s.Off), int64(at)+1), int64(len(data))))
		gaps = append(gaps, core.SectionGap{Off: at, End: end, Err: err})
		at = end
	}
	out.Data, out.Gaps = data, gaps
	return gaps != nil
}

// cutSection says why only got bytes of a section are there.
func (f *File) cutSection(s *format.Section, name string, got int) error {
	_, err := f.exec.src.Window(int64(s.Off) + int64(got))
	if gap := new(core.GapError); errors.As(err, &gap) {
		return fmt.Errorf("%s: section %s: %w", f.path, format.Quote(name), gap)
	}
	return &core.FormatError{File: f.path, Off: f.exec.src.Size(), Msg: "the file ends inside section " +
		format.Quote(name)}
}

// SectionExtents returns the link-time addresses [start, end) of each section
// that is loaded, in the file's order; nothing if there are no section headers.
func (f *File) SectionExtents() [][2]uint64 {
	sections, _ := f.sections()
	var out [][2]uint64
	for _, s := range sections {
		// .tbss takes no room where its address says.
		tbss := s.Type == stdelf.SHT_NOBITS && s.Flags&stdelf.SHF_TLS != 0
		if s.Flags&stdelf.SHF_ALLOC != 0 && !tbss && s.Addr+s.Size > s.Addr {
			out = append(out, [2]uint64{s.Addr, s.Addr + s.Size})
		}
	}
	return out
}

// unpack decompresses a section with SHF_COMPRESSED (gABI, "Compressed sections").
func (f *File) unpack(b []byte) ([]byte, error) {
	n := 12
	if f.exec.head.Wide {
		n = 24
	}
	if len(b) < n {
		return nil, errors.New("too short for its compression header")
	}
	var size uint64
	if f.exec.head.Wide {
		size = f.exec.head.Order.Uint64(b[8:])
	} else {
		size = uint64(f.exec.head.Order.Uint32(b[4:]))
	}
	switch t := stdelf.CompressionType(f.exec.head.Order.Uint32(b)); t {
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

// AreaAt returns the area at a link-time address: a section by its name or the headers, and whether that holds
// instructions. Without section headers only the headers are known.
func (f *File) AreaAt(link uint64) (what string, code, ok bool) {
	sections, _ := f.sections()
	for i := range sections {
		s := &sections[i]
		tbss := s.Type == stdelf.SHT_NOBITS && s.Flags&stdelf.SHF_TLS != 0
		if s.Flags&stdelf.SHF_ALLOC != 0 && !tbss && link >= s.Addr && link-s.Addr < s.Size {
			return format.Quote(s.Name), s.Flags&stdelf.SHF_EXECINSTR != 0, true
		}
	}
	bias, placed := f.BiasAt(0)
	size := uint64(f.exec.head.HeaderSize())
	switch at := link + uint64(bias); {
	case !placed || f.exec.head.Phoff != size:
	case at < size:
		return "the ELF header", false, true
	case at < size+uint64(len(f.exec.progs))*uint64(f.exec.head.Phentsize):
		return "the program headers", false, true
	}
	return "", false, false
}
