package macho

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/macho/format"
)

// zeroFill reports whether a section has no bytes in the file (S_ZEROFILL,
// S_GB_ZEROFILL, S_THREAD_LOCAL_ZEROFILL).
func zeroFill(s *format.Section) bool {
	typ := s.Flags & 0xff
	return typ == 1 || typ == 0xc || typ == 0x12
}

// Section implements core.Image. ELF's spelling of a name is accepted beside
// Mach-O's own: ".eh_frame" is "__eh_frame", and as section names have room for 16
// bytes, ".debug_str_offsets" is "__debug_str_offs". A section without bytes in
// the file has no data. A compressed __zdebug_x, which Go's linker writes, answers
// to __debug_x.
func (f *File) Section(name string) (core.Section, error) {
	want := name
	if rest, ok := strings.CutPrefix(want, "."); ok {
		want = "__" + rest
	}
	zwant := ""
	if rest, ok := strings.CutPrefix(want, "__debug_"); ok {
		zwant = "__zdebug_" + rest
		zwant = zwant[:min(len(zwant), 16)]
	}
	want = want[:min(len(want), 16)]
	for i := range f.segs {
		for j := range f.segs[i].Sections {
			s := &f.segs[i].Sections[j]
			if s.Name != want && (zwant == "" || s.Name != zwant) {
				continue
			}
			out := core.Section{Name: name, Addr: s.Addr, Exec: s.Flags&format.AttrInstructions != 0}
			switch {
			case zeroFill(s):
			case f.src != nil && s.Offset != 0:
				out.Data = f.fileBytes(uint64(s.Offset), s.Size)
			default:
				out.Data = f.at(s.Addr, s.Size)
			}
			if s.Name != want {
				return f.unpack(out)
			}
			return out, nil
		}
	}
	return core.Section{}, core.ErrNoSection
}

// maxUnpacked is the most that one compressed section may unpack to, in bytes.
const maxUnpacked = 2 << 30

// unpack decompresses a section once: "ZLIB", the size as a big-endian word of 8
// bytes, and a zlib stream (Go, cmd/link/internal/ld/macho.go).
func (f *File) unpack(s core.Section) (core.Section, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, ok := f.unpacked[s.Name]
	if !ok {
		if len(s.Data) < 12 || !bytes.HasPrefix(s.Data, []byte("ZLIB")) {
			return s, fmt.Errorf("%s: section %s: not compressed as its name says", f.path, s.Name)
		}
		size := binary.BigEndian.Uint64(s.Data[4:])
		most := uint64(min(maxUnpacked, file.Plausible(len(s.Data))))
		z, err := zlib.NewReader(bytes.NewReader(s.Data[12:]))
		switch {
		case err != nil:
		case size > most:
			err = fmt.Errorf("it claims to unpack from %d to %d bytes: %w", len(s.Data), size, file.ErrTooLong)
		default:
			data, err = io.ReadAll(io.LimitReader(z, int64(size)))
		}
		if err != nil {
			return s, fmt.Errorf("%s: section %s: %w", f.path, s.Name, err)
		}
		if f.unpacked == nil {
			f.unpacked = map[string][]byte{}
		}
		f.unpacked[s.Name] = data
	}
	s.Data = data
	return s, nil
}

// An extent is where a section lies, by link-time addresses, and its number as
// symbols count.
type extent struct {
	start, end uint64
	number     uint32 // from 1
	code       bool
}

func (f *File) findExtents() []extent {
	var out []extent
	number := uint32(0)
	for _, seg := range f.segs {
		for _, s := range seg.Sections {
			if number++; s.Addr+s.Size > s.Addr {
				out = append(out, extent{s.Addr, s.Addr + s.Size, number, s.Flags&format.AttrInstructions != 0})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	return out
}

// extentAt returns the section that holds a link-time address.
func (f *File) extentAt(link uint64) (extent, bool) {
	all := f.sections()
	i := sort.Search(len(all), func(i int) bool { return all[i].start > link }) - 1
	if i < 0 || link >= all[i].end {
		return extent{}, false
	}
	return all[i], true
}

// SectionExtents returns link-time ranges [start, end) that no symbol crosses: each section, where
// sections with code are cut at the starts of functions, so that a function without a name is not taken
// for the one before it.
func (f *File) SectionExtents() [][2]uint64 {
	var out [][2]uint64
	starts := f.FuncStarts()
	for _, e := range f.sections() {
		at := e.start
		if e.code {
			i := sort.Search(len(starts), func(i int) bool { return starts[i] > at })
			for ; i < len(starts) && starts[i] < e.end; i++ {
				out = append(out, [2]uint64{at, starts[i]})
				at = starts[i]
			}
		}
		out = append(out, [2]uint64{at, e.end})
	}
	return out
}

// AreaAt returns the area at a link-time address: a section by its name, or the header and load commands, and whether
// that holds instructions.
func (f *File) AreaAt(link uint64) (what string, code, ok bool) {
	for _, seg := range f.segs {
		for i := range seg.Sections {
			if s := &seg.Sections[i]; link >= s.Addr && link-s.Addr < s.Size {
				return s.Name, s.Flags&format.AttrInstructions != 0, true
			}
		}
	}
	if link-f.Base() < uint64(format.HeaderSize)+uint64(f.head.SizeOfCmds) {
		return "the Mach-O header", false, true
	}
	return "", false, false
}
