package bundle

import (
	"bytes"
	"context"
	stdelf "debug/elf"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/macho"
)

// touched is what was read, or is near what ran, by address.
type touched struct {
	pages []core.Addr // sorted
	known bool        // it is known which modules have frames
}

// aroundPC is what is taken before and after a program counter, in bytes: most
// functions' beginnings, and some lines of disassembly.
const aroundPC = 4096

func newTouched(p *core.Process, opt Options) *touched {
	t := &touched{known: len(opt.PCs) > 0}
	if opt.Touched != nil {
		t.pages = opt.Touched.Pages()
	}
	around := func(pc core.Addr) {
		for a := (pc - min(pc, aroundPC)) &^ (core.TracePage - 1); a <= pc+aroundPC && a >= pc-min(pc, 2*aroundPC); a += core.TracePage {
			t.pages = append(t.pages, a)
		}
	}
	for _, pc := range opt.PCs {
		around(pc)
	}
	for _, th := range p.Threads {
		if p.Arch == nil {
			break
		}
		if pc, ok := th.Regs.Get(p.Arch.PC); ok {
			around(core.Addr(pc))
		}
	}
	slices.Sort(t.pages)
	t.pages = slices.Compact(t.pages)
	return t
}

// in returns what was touched of m, as ranges of its file.
func (t *touched) in(m *core.Module) []fileRange {
	var out []fileRange
	for _, part := range m.Parts {
		i, _ := slices.BinarySearch(t.pages, part.Start&^(core.TracePage-1))
		for ; i < len(t.pages) && t.pages[i] < part.End; i++ {
			off := int64(part.Off) + int64(t.pages[i]) - int64(part.Start)
			out = append(out, fileRange{off, off + core.TracePage})
		}
	}
	return out
}

// addModules plans the files of p's modules, and says which are not there.
func (plan *Plan) addModules(p *core.Process, t *touched) (missing []string) {
	have := map[string]bool{}
	archives := map[string]*archive{}
	for _, m := range p.Modules {
		facts := m.Facts()
		if facts.Image == nil || facts.InMemory || strings.HasPrefix(m.Path, "[") {
			if facts.Err != nil && !strings.HasPrefix(m.Path, "[") {
				missing = append(missing, oneLine(facts.Err))
			}
			continue
		}
		src, refused := plan.fileOf(m, facts)
		if src == nil {
			for _, err := range refused {
				missing = append(missing, oneLine(err))
			}
			continue
		}
		if id := m.Path + "\x00" + string(facts.BuildID); have[id] {
			continue
		} else {
			have[id] = true
		}
		f := openModule(src, p.Arch, facts.BuildID)
		ranges := t.in(m)
		used := !plan.opt.Stacks || !t.known || len(ranges) > 0
		part := &plannedPart{kind: partModule, path: m.Path, buildID: facts.BuildID, src: src}
		keep := f.ranges(plan.opt, used, facts.Image)
		if plan.opt.Text != None {
			if f.machO != nil {
				ranges = shifted(ranges, f.machO.Offset())
			}
			keep = append(keep, ranges...)
		}
		if used {
			keep = append(keep, f.data(p, facts)...)
		}
		if !plan.addArchived(archives, part, keep) {
			part.tile(keep)
			plan.parts = append(plan.parts, part)
		}
		if used {
			if found := plan.addDebugFile(p.Arch, m, f, facts); !found && f.machO != nil {
				plan.addObjects(f.machO, facts.Image.Path())
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(archives)) {
		archives[path].part.tile(archives[path].keep)
	}
	return missing
}

// tile takes ranges of the part's file.
func (p *plannedPart) tile(keep []fileRange) {
	p.spans = tile(p.src, join(keep, p.src.Size()), core.GapError{Gap: core.LeftOut, Detail: "of " + p.path + " only what stacks need"})
}

// An archive is a part that several modules are in.
type archive struct {
	part *plannedPart
	keep []fileRange
}

// addArchived plans what is to be taken of a library as a part of the archive that it
// lies in, if it does: with what lists the libraries there, that is how the process had
// it. It reports false if part is a file of its own.
func (plan *Plan) addArchived(archives map[string]*archive, part *plannedPart, keep []fileRange) bool {
	whole, off, ok := elf.Archive(part.src)
	end := strings.LastIndexByte(part.path, '!')
	if !ok || end < 0 {
		return false
	}
	path := part.path[:end]
	a := archives[path]
	if a == nil {
		a = &archive{part: &plannedPart{kind: partModule, path: path, src: whole}}
		for _, r := range elf.Listing(whole) {
			a.keep = append(a.keep, fileRange{r[0], r[1]})
		}
		archives[path] = a
		plan.parts = append(plan.parts, a.part)
	}
	a.keep = append(a.keep, shifted(join(keep, part.src.Size()), off)...)
	return true
}

// addData plans the files without code, and says which are too large. A module
// of the same path has none of its own.
func (plan *Plan) addData() (large []string) {
	for _, d := range plan.opt.Data {
		plan.closers = append(plan.closers, d.Source)
		n := d.Source.Size()
		if n > maxData {
			large = append(large, d.Path+": too large")
			continue
		}
		part := &plannedPart{kind: partModule, path: d.Path, src: d.Source}
		part.spans = tile(d.Source, []fileRange{{0, n}}, core.GapError{Gap: core.LeftOut})
		plan.parts = append(plan.parts, part)
	}
	return large
}

// fileOf returns the bytes of m's file: those that its image was read from, or
// else those that Options.Files finds.
func (plan *Plan) fileOf(m *core.Module, facts core.ModuleFacts) (core.Source, []error) {
	if f, ok := facts.Image.(interface{ Source() core.Source }); ok {
		if src := f.Source(); src != nil {
			return src, nil
		}
	}
	got := plan.find(find.Want{Kind: find.Image, Path: m.Path, ID: facts.BuildID})
	return got.Source, got.Refused
}

// find looks for a file, which the plan closes.
func (plan *Plan) find(w find.Want) find.Found {
	got := plan.opt.Files.Find(context.Background(), w)
	if got.Source != nil {
		plan.closers = append(plan.closers, got.Source)
	}
	return got
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// addDebugFile plans the separate debug file of m, and reports whether there is one.
func (plan *Plan) addDebugFile(arch *core.Arch, m *core.Module, f *moduleFile, facts core.ModuleFacts) bool {
	link, crc := f.debugLink()
	if link == "" && len(facts.BuildID) == 0 {
		return false
	}
	near := facts.Image.Path()
	if near == "" {
		near = m.Path
	}
	got := plan.find(find.Want{Kind: find.Debug, ID: facts.BuildID, Link: link, CRC: crc, Near: near})
	src, from := got.Source, got.From
	if src == nil {
		return false
	}
	part := &plannedPart{kind: partDebug, path: from, buildID: facts.BuildID, src: src}
	opt := plan.opt
	if opt.DebugInfo == 0 && !m.Exe {
		opt.DebugInfo = -1
	}
	keep := openModule(src, arch, facts.BuildID).ranges(opt, true, nil)
	part.spans = tile(src, join(keep, src.Size()), core.GapError{Gap: core.LeftOut, Detail: "of " + from + " only what stacks need"})
	plan.parts = append(plan.parts, part)
	return true
}

// moduleFile is a module's file, as far as its tables say what is where. It may
// be neither ELF nor Mach-O.
type moduleFile struct {
	src   core.Source
	f     *stdelf.File // nil if it cannot be read
	machO *macho.File  // nil if it is none
}

// openModule reads the headers of a file; of a universal one, those of the part
// for the architecture with the UUID. debug/elf may panic on what is not an ELF
// file but begins as one.
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

// ranges returns what is taken of the file: always the headers and what says
// which file it is; if it is used, symbols, unwind tables, and what opt asks
// for. Constants that decoders find by the symbols of img are taken too.
func (m *moduleFile) ranges(opt Options, used bool, img core.Image) []fileRange {
	if m.machO != nil {
		return machORanges(m.machO, opt, used, img)
	}
	keep := []fileRange{{0, block}}
	if m.f == nil {
		return append(keep, fileRange{0, maxUnknown})
	}
	for _, p := range m.f.Progs {
		switch p.Type {
		case stdelf.PT_NOTE, stdelf.PT_DYNAMIC, stdelf.PT_INTERP, stdelf.PT_GNU_EH_FRAME:
			keep = append(keep, fileRange{int64(p.Off), int64(p.Off) + int64(p.Filesz)})
		}
	}
	keep = append(keep, m.sectionTable()...)
	dwarf := m.debugInfo()
	for i, s := range m.f.Sections {
		r := fileRange{int64(s.Offset), int64(s.Offset) + int64(s.FileSize)}
		if s.Type == stdelf.SHT_NOBITS || r.hi < r.lo {
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
	switch s.Name {
	case ".dynsym", ".dynstr":
		// What they have, .symtab has too, unless somebody cut it.
		full, dynamic := m.f.Section(".symtab"), m.f.Section(".dynsym")
		return full == nil || dynamic == nil || full.FileSize < dynamic.FileSize
	case ".gopclntab":
		return m.f.Section(".symtab") == nil
	case ".symtab", ".strtab", ".eh_frame", ".eh_frame_hdr", ".debug_frame",
		".gnu_debugdata", ".gnu_debuglink", ".gnu_debugaltlink", ".init", ".fini", ".ARM.exidx", ".ARM.extab", ".opd":
		return true
	}
	switch {
	case isDebug(s.Name):
		return dwarf <= opt.debugInfo()
	case s.Flags&stdelf.SHF_ALLOC == 0 || s.Flags&stdelf.SHF_WRITE != 0:
		return false
	case s.Flags&stdelf.SHF_EXECINSTR != 0:
		// Linkage tables are small, and names of calls come from them.
		return opt.Text == All || opt.Text == Touched && strings.HasPrefix(s.Name, ".plt") && s.Size <= 1<<20
	}
	return opt.Rodata == All
}

func isDebug(name string) bool {
	switch name {
	case ".debug_frame", ".debug_loc", ".debug_loclists", ".debug_pubnames", ".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes":
		return false // not for lines
	}
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, ".zdebug_")
}

// debugInfo returns the size in bytes of the file's DWARF, as it is taken.
func (m *moduleFile) debugInfo() (n int64) {
	for _, s := range m.f.Sections {
		if isDebug(s.Name) && s.Type != stdelf.SHT_NOBITS {
			n += int64(min(s.FileSize, 1<<40))
		}
	}
	return n
}

// sectionTable returns where the section headers are: fields of the ELF header
// that debug/elf keeps to itself.
func (m *moduleFile) sectionTable() []fileRange {
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
	return []fileRange{{int64(off), int64(off) + int64(size)*count}}
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
	if s == nil || s.FileSize > block {
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

// data returns what the file has of data that the core lacks: of segments that
// are writable but were never written to.
func (m *moduleFile) data(p *core.Process, facts core.ModuleFacts) []fileRange {
	if m.machO != nil {
		return machOData(m.machO, p, facts)
	}
	if m.f == nil || !facts.BiasKnown {
		return nil
	}
	var out []fileRange
	for _, ph := range m.f.Progs {
		if ph.Type != stdelf.PT_LOAD || ph.Flags&stdelf.PF_W == 0 || ph.Filesz > maxModuleData {
			continue
		}
		if s, ok := p.Space.Find(facts.Bias + core.Addr(ph.Vaddr)); ok && s.Kind == core.SegGap {
			out = append(out, fileRange{int64(ph.Off), int64(ph.Off) + int64(ph.Filesz)})
		}
	}
	return out
}

// constantNames begin the names of constants that are kept for debuggers: V8's
// (v8 src/objects, tools/gen-postmortem-metadata.py) and libthread_db's (glibc
// nptl_db/db_info.c).
var constantNames = []string{"v8dbg_", "_thread_db_", "nptl_version"}

func constants(img core.Image) []fileRange {
	var out []fileRange
	segs := img.Segments()
	for _, dynamic := range []bool{false, true} {
		err := img.Symbols(dynamic, func(s core.ImageSymbol) bool {
			if !s.Defined || !slices.ContainsFunc(constantNames, func(n string) bool { return bytes.HasPrefix(s.Name, []byte(n)) }) {
				return true
			}
			for _, seg := range segs {
				if s.Value >= seg.Addr && s.Value-seg.Addr < seg.FileSize {
					off := int64(seg.Off + (s.Value - seg.Addr))
					out = append(out, fileRange{off, off + int64(min(max(s.Size, 8), block))})
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
