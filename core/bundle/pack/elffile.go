package pack

import (
	"bytes"
	stdelf "debug/elf"
	"encoding/binary"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/span"
	"coredbg/core/macho"
)

// moduleFile is a module's file, as far as its tables say what is where. It may
// be neither ELF nor Mach-O.
type moduleFile struct {
	src   core.Source
	f     *stdelf.File // nil if it cannot be read
	machO *macho.File  // nil if it is none
}

// openModule reads the headers of a file. In a universal file it reads the headers of the part with the
// architecture and UUID. debug/elf may panic on a file that begins as ELF but is not.
func openModule(src core.Source, arch *core.Arch, id []byte) (m *moduleFile) {
	m = &moduleFile{src: src}
	defer func() {
		if recover() != nil {
			m = &moduleFile{src: src}
		}
	}()
	if m.machO = machOFile(src, arch, id); m.machO != nil {
		return m
	}
	m.f, _ = stdelf.NewFile(core.ReaderAt(src))
	return m
}

// maxUnknown is how much is taken of a file whose sections cannot be read, in
// bytes.
const maxUnknown = 4 << 20

// ranges returns the ranges of the file to take: always the headers and the notes that identify it; if
// it is used, symbols, unwind tables, and the parts that opt asks for. Constants that decoders find by
// the symbols of img are taken too.
func (m *moduleFile) ranges(opt Options, used bool, img core.Image) []span.Range {
	if m.machO != nil {
		return machORanges(m.machO, opt, used, img)
	}
	keep := []span.Range{span.Between(0, span.Block)}
	if m.f == nil {
		return append(keep, span.Between(0, maxUnknown))
	}
	for _, p := range m.f.Progs {
		switch p.Type {
		case stdelf.PT_NOTE, stdelf.PT_DYNAMIC, stdelf.PT_INTERP, stdelf.PT_GNU_EH_FRAME:
			keep = append(keep, span.Between(int64(p.Off), int64(p.Off)+int64(p.Filesz)))
		}
	}
	keep = append(keep, m.sectionTable()...)
	dwarf := m.debugInfo(opt.Lean)
	for i, s := range m.f.Sections {
		r := span.Between(int64(s.Offset), int64(s.Offset)+int64(s.FileSize))
		if s.Type == stdelf.SHT_NOBITS || r.Hi < r.Lo {
			continue
		}
		if i == m.shstrndx() || s.Type == stdelf.SHT_NOTE || s.Type == stdelf.SHT_DYNAMIC {
			keep = append(keep, r)
			continue
		}
		if used && m.wanted(s, opt, dwarf) {
			keep = append(keep, r)
		}
	}
	if used && img != nil && opt.Rodata != None {
		keep = append(keep, constants(img)...)
	}
	return keep
}

// wanted reports whether a section is taken of a file that is used.
func (m *moduleFile) wanted(s *stdelf.Section, opt Options, dwarf int64) bool {
	if wanted, known := m.wantedByName(s.Name, dwarf); known {
		return wanted
	}
	switch {
	case s.Type == stdelf.SHT_RELA || s.Type == stdelf.SHT_REL:
		// They say where the thread-local blocks of libraries lie.
		return s.Flags&stdelf.SHF_ALLOC != 0 && s.Size <= maxRelocs && m.hasTLS()
	case isDebug(s.Name, opt.Lean):
		return dwarf <= opt.debugInfo()
	case s.Flags&stdelf.SHF_ALLOC == 0 || s.Flags&stdelf.SHF_WRITE != 0:
		return false
	case s.Flags&stdelf.SHF_EXECINSTR != 0:
		// Linkage tables are small, and names of calls come from them.
		return opt.Text == All || opt.Text == Touched && strings.HasPrefix(s.Name, ".plt") && s.Size <= 1<<20
	}
	// Texts that variables lead to are constants.
	return opt.Rodata == All || opt.Rodata == Touched && !opt.Lean && dwarf > 0 && dwarf <= opt.debugInfo() &&
		s.Size <= maxConstants
}

// wantedByName is wanted for sections whose name decides.
func (m *moduleFile) wantedByName(name string, dwarf int64) (wanted, known bool) {
	unnamed := m.f.Section(".symtab") == nil || dwarf == 0 // names and lines come from Go's table
	switch name {
	case ".dynsym", ".dynstr":
		// The symbols there are in .symtab as well, unless it was cut.
		full, dynamic := m.f.Section(".symtab"), m.f.Section(".dynsym")
		return full == nil || dynamic == nil || full.FileSize < dynamic.FileSize, true
	case ".gopclntab", ".data.rel.ro.gopclntab", ".go.module":
		return unnamed, true
	case ".data.rel.ro": // the table may be there
		return unnamed && m.f.Section(".note.go.buildid") != nil &&
			m.f.Section(".gopclntab") == nil && m.f.Section(".data.rel.ro.gopclntab") == nil, true
	case ".symtab", ".strtab", ".eh_frame", ".eh_frame_hdr", ".debug_frame",
		".gnu_debugdata", ".gnu_debuglink", ".gnu_debugaltlink", ".init", ".fini", ".ARM.exidx", ".ARM.extab", ".opd",
		".go.buildinfo":
		return true, true
	}
	return false, false
}

// maxRelocs is the largest section of relocations that is taken, in bytes.
const maxRelocs = 256 << 10

// hasTLS reports whether the file has a thread-local segment.
func (m *moduleFile) hasTLS() bool {
	return slices.ContainsFunc(m.f.Progs, func(p *stdelf.Prog) bool { return p.Type == stdelf.PT_TLS })
}

// maxConstants is the size in bytes up to which constants are taken from a file whose variables are
// known.
const maxConstants = 1 << 20

// isDebug reports whether a section has what lines and variables need; a lean bundle
// goes without the places of variables.
func isDebug(name string, lean bool) bool {
	switch name {
	case ".debug_frame", ".debug_pubnames", ".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes":
		return false
	case ".debug_loc", ".debug_loclists":
		return !lean
	}
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, ".zdebug_")
}

// leastTable is the minimum size in bytes of a section that has its own chunks.
const leastTable = 16 << 10

// tables returns which sections have chunks of their own, and how these are packed.
func (m *moduleFile) tables() (out []bundle.Table) {
	if m.f == nil {
		return nil
	}
	for _, s := range m.f.Sections {
		t := bundle.Table{Range: span.Between(int64(s.Offset), int64(s.Offset)+int64(s.FileSize)),
			Limit: bundle.ChunkSize}
		if s.Type == stdelf.SHT_NOBITS || t.Lo < 0 || t.Hi-t.Lo < leastTable {
			continue
		}
		switch {
		case (s.Type == stdelf.SHT_SYMTAB || s.Type == stdelf.SHT_DYNSYM) && s.Entsize <= bundle.MaxStride:
			t.Columns = bundle.Columns{Stride: uint8(s.Entsize), Delta: 1} // names mostly follow each other
		case s.Name == ".eh_frame_hdr", s.Name == ".ARM.exidx":
			t.Columns = bundle.Columns{Stride: 8, Delta: 3} // pairs of sorted addresses
		case s.Type == stdelf.SHT_STRTAB, isDebug(s.Name, false):
			t.Limit = bundle.MaxChunk
		}
		if t.Stride > 0 {
			t.Limit -= bundle.ChunkSize % int64(t.Stride)
		}
		if t.Valid() {
			out = append(out, t)
		}
	}
	return out
}

// debugInfo returns the size in bytes of the file's DWARF, as it is taken.
func (m *moduleFile) debugInfo(lean bool) (n int64) {
	for _, s := range m.f.Sections {
		if isDebug(s.Name, lean) && s.Type != stdelf.SHT_NOBITS {
			n += int64(min(s.FileSize, 1<<40))
		}
	}
	return n
}

// sectionTable returns where the section headers are: fields of the ELF header
// that debug/elf keeps to itself.
func (m *moduleFile) sectionTable() []span.Range {
	head, err := core.SourceSlice(m.src, 0, 64)
	if err != nil {
		return nil
	}
	var off uint64
	var size, n uint16
	order := m.f.ByteOrder
	if m.f.Class == stdelf.ELFCLASS64 {
		off, size, n = order.Uint64(head[40:]), order.Uint16(head[58:]), order.Uint16(head[60:])
	} else {
		off, size, n = uint64(order.Uint32(head[32:])), order.Uint16(head[46:]), order.Uint16(head[48:])
	}
	// With more than 65,279 sections the count is in the first of them.
	count := max(int64(n), int64(len(m.f.Sections)))
	return []span.Range{span.Between(int64(off), int64(off)+int64(size)*count)}
}

func (m *moduleFile) shstrndx() int {
	head, err := core.SourceSlice(m.src, 0, 64)
	if err != nil {
		return -1
	}
	if m.f.Class == stdelf.ELFCLASS64 {
		return int(m.f.ByteOrder.Uint16(head[62:]))
	}
	return int(m.f.ByteOrder.Uint16(head[50:]))
}

// debugLink returns the contents of .gnu_debuglink.
func (m *moduleFile) debugLink() (name string, crc uint32) {
	if m.f == nil {
		return "", 0
	}
	s := m.f.Section(".gnu_debuglink")
	if s == nil || s.FileSize > span.Block {
		return "", 0
	}
	data, err := core.SourceSlice(m.src, int64(s.Offset), int(s.FileSize))
	end := bytes.IndexByte(data, 0)
	if at := (end + 4) &^ 3; err == nil && end > 0 && at+4 <= len(data) {
		var order binary.ByteOrder = m.f.ByteOrder
		return string(data[:end]), order.Uint32(data[at:])
	}
	return "", 0
}

// data returns the ranges of the file that hold data the core lacks: segments that are writable but
// were never written to.
func (m *moduleFile) data(p *core.Process, facts core.ModuleFacts) []span.Range {
	if m.machO != nil {
		return machOData(m.machO, p, facts)
	}
	if m.f == nil || !facts.BiasKnown {
		return nil
	}
	var out []span.Range
	for _, ph := range m.f.Progs {
		if ph.Type != stdelf.PT_LOAD || ph.Flags&stdelf.PF_W == 0 || ph.Filesz > maxModuleData {
			continue
		}
		if s, ok := p.Space.Find(facts.Bias + core.Addr(ph.Vaddr)); ok && s.Kind == core.SegGap {
			out = append(out, span.Between(int64(ph.Off), int64(ph.Off)+int64(ph.Filesz)))
		}
	}
	return out
}

// constantNames begin the names of constants that are kept for debuggers: V8's
// (v8 src/objects, tools/gen-postmortem-metadata.py) and libthread_db's (glibc
// nptl_db/db_info.c).
var constantNames = []string{"v8dbg_", "_thread_db_", "nptl_version"}

func constants(img core.Image) []span.Range {
	var out []span.Range
	segs := img.Segments()
	for _, dynamic := range []bool{false, true} {
		err := img.Symbols(dynamic, func(s core.ImageSymbol) bool {
			if !s.Defined || !slices.ContainsFunc(constantNames,
				func(n string) bool { return bytes.HasPrefix(s.Name, []byte(n)) }) {
				return true
			}
			for _, seg := range segs {
				if s.Value >= seg.Addr && s.Value-seg.Addr < seg.FileSize {
					off := int64(seg.Off + (s.Value - seg.Addr))
					out = append(out, span.Between(off, off+int64(min(max(s.Size, 8), span.Block))))
				}
			}
			return len(out) < 1<<16
		})
		if err != nil {
			return out
		}
	}
	return out
}
