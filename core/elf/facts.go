package elf

import (
	"cmp"
	"context"
	stdelf "debug/elf"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
)

// memoryImage returns the module's image as the core's memory has it, or nil.
func (l *loader) memoryImage(f *found) *File {
	if f.image != nil {
		return f.image
	}
	mem := l.p.Space.Dumped()
	if f.hasBase {
		if img, err := NewMemoryFile(mem, f.base); err == nil && img.class == l.class {
			return img
		}
	}
	if f.phdrAt != 0 {
		n, _ := l.p.AuxValue(atPHNUM)
		size, _ := l.p.AuxValue(atPHENT)
		return newMemoryProgs(mem, l.class, l.machine, f.phdrAt, int(min(size, 1<<10)), int(min(n, maxProgs)))
	}
	return nil
}

// resolve finds a module's file and facts. It reads through the dumped space
// only: filling gaps waits for what it returns.
func (l *loader) resolve(m *core.Module, f *found) core.ModuleFacts {
	img := l.memoryImage(f)
	facts := core.ModuleFacts{BuildID: f.id}
	if img != nil && len(img.progs) > 0 {
		if id := img.BuildID(); len(id) > 0 || len(f.id) == 0 {
			facts.BuildID = id
		}
		facts.Bias, facts.BiasKnown = img.bias, true
	}
	if m.Path == "[vdso]" {
		if img != nil {
			facts.Image, facts.InMemory = img, true
		} else {
			facts.Err = fmt.Errorf("%s: the core does not hold it", quote(m.Path))
		}
		return facts
	}
	ok, err := l.fromDisk(m, f, img, &facts)
	f.refused = err
	if ok {
		return facts
	}
	facts.Err = err
	if img != nil && len(img.progs) > 0 {
		facts.Image, facts.InMemory = img, true
	}
	return facts
}

// fromDisk sets facts to what the module's file says, if it is found and is
// the one that was loaded.
func (l *loader) fromDisk(m *core.Module, f *found, img *File, facts *core.ModuleFacts) (bool, error) {
	var errs []error
	paths := []string{m.Path}
	if m.Exe && l.opt.Exe != "" && l.opt.Exe != m.Path {
		paths = []string{l.opt.Exe, m.Path}
	}
	for _, path := range paths {
		src, from, refused := l.lookup(path, facts.BuildID)
		if src == nil && f.in.file != "" && path == m.Path {
			src, from, refused = l.insideFile(f.in, facts.BuildID)
		}
		errs = append(errs, refused...)
		if src == nil && len(refused) == 0 && path == l.opt.Exe {
			errs = append(errs, fmt.Errorf("%s: no such file", quote(path)))
		}
		if src == nil {
			continue
		}
		l.opened.Add(src)
		file, err := NewFile(src, from)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		bias, unproven, err := l.agrees(f, img, file, facts.BuildID, m.Exe && path == l.opt.Exe)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
			continue
		}
		facts.Image, facts.Bias, facts.BiasKnown, facts.Unproven = file, bias, true, unproven
		if id := file.BuildID(); len(facts.BuildID) == 0 || sameBuildID(id, facts.BuildID) {
			facts.BuildID = id
		}
		return true, errors.Join(errs...)
	}
	if len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s: no such file", quote(m.Path)))
	}
	return false, errors.Join(errs...)
}

// lookup finds a file of the process, or the executable that the user named, which
// is nowhere but at its path.
func (l *loader) lookup(path string, id []byte) (core.Source, string, []error) {
	if path != l.opt.Exe {
		return l.find(find.Want{Kind: find.Image, Path: path, Near: cmp.Or(l.opt.Exe, l.p.Exe), ID: id, Afar: true})
	}
	return file.Named(path, func(src core.Source) error { return checkBuildID(src, path, id) })
}

// find asks for a file.
func (l *loader) find(w find.Want) (src core.Source, from string, refused []error) {
	got := l.opt.Files.Find(context.Background(), w)
	return got.Source, got.From, got.Refused
}

var errLayout = errors.New("another file: its segments do not fit the mappings that the process had")

// agrees checks that a file is the one that was loaded, and returns the bias.
// Unproven says why it is taken for it without a build-id.
func (l *loader) agrees(f *found, img, file *File, id []byte, named bool) (bias core.Addr, unproven string, err error) {
	if file.class != l.class || file.machine != l.machine {
		return 0, "", fmt.Errorf("another file: it is for %s, the process ran on %s", file.Machine(), l.p.Machine)
	}
	bias, fits := f.biasOf(file)
	if img != nil && len(img.progs) > 0 && (!fits || bias != img.bias) {
		// The headers in memory say where the image is; the list of mappings
		// may be damaged.
		bias, fits = img.bias, sameProgs(img.progs, file.progs)
	}
	switch {
	case len(id) > 0:
		if !fits && img == nil {
			return 0, "", errLayout
		}
		return bias, "", nil
	case img != nil && len(img.progs) > 0:
		if !sameProgs(img.progs, file.progs) {
			return 0, "", errors.New("another file: its program headers are not those in memory")
		}
		return bias, "the image has no build-id; its program headers agree", nil
	case !fits:
		return 0, "", errLayout
	case !l.sameDynamic(file, bias):
		return 0, "", errors.New("another file: its dynamic section is not the one in memory")
	case named:
		return bias, "the core does not record the build-id; it was named by the user, and its segments fit", nil
	}
	return bias, "the core does not record the build-id; its segments fit the mappings", nil
}

func sameProgs(a, b []phdr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// biasOf returns the bias at which each mapping of the module is one that the
// loader makes of a segment of the file.
func (f *found) biasOf(file *File) (bias core.Addr, fits bool) {
	const page = 1 << 16 // the largest page that kernels use, except for huge ones
	for _, part := range f.parts {
		if f.isCopy(part) {
			continue
		}
		ok := false
		for _, p := range file.progs {
			if p.typ != stdelf.PT_LOAD || part.Off+page <= p.off || part.Off >= p.off+p.filesz+page {
				continue
			}
			b := part.Start - core.Addr(p.vaddr+part.Off-p.off)
			if !file.wide {
				b &= 1<<32 - 1
			}
			if fits && b == bias {
				ok = true
				break
			}
			if !fits {
				bias, fits, ok = b, true, true
				break
			}
		}
		if !ok {
			return bias, false
		}
	}
	return bias, fits
}

// sameDynamic compares the dynamic section in memory, which is written to and
// so is dumped even where the headers are not, with the file's. One that was not
// dumped proves nothing.
func (l *loader) sameDynamic(file *File, bias core.Addr) bool {
	p, ok := file.prog(stdelf.PT_DYNAMIC)
	if !ok {
		return true
	}
	want := file.progBytes(p)
	have := lend(l.p.Space.Dumped(), bias+core.Addr(p.vaddr), uint64(len(want)))
	w := file.ptr()
	for i := 0; i < maxDynamic && (i+1)*2*w <= min(len(want), len(have)); i++ {
		tag := file.word(want, 2*i*w)
		if tag != file.word(have, 2*i*w) {
			return false
		}
		a, b := file.word(want, (2*i+1)*w), file.word(have, (2*i+1)*w)
		if stdelf.DynTag(tag) == stdelf.DT_DEBUG || file.moved(a, b, bias) {
			if tag == uint64(stdelf.DT_NULL) {
				return true
			}
			continue
		}
		return false
	}
	return true
}

// moved reports whether b is a, as it is or with the bias added: once by the
// dynamic linker, or twice where it treats its own section with a relocation and
// by hand (DT_PPC64_GLINK of ld64.so).
func (f *File) moved(a, b uint64, bias core.Addr) bool {
	for range 3 {
		if a == b {
			return true
		}
		if a += uint64(bias); !f.wide {
			a &= 1<<32 - 1
		}
	}
	return false
}

// filler fills what the core left out from the modules' files.
type filler struct{ l *loader }

// Fill implements core.Filler. It reads a module's file where the core cannot
// hold anything else: pages that cannot be written to, and writable ones only
// if memory without a file was dumped, because then a page that was written to
// would have been.
func (fl filler) Fill(gap core.Segment, a core.Addr) core.Segment {
	l := fl.l
	m := l.p.MappedModule(a)
	if m == nil || gap.Gap != core.NotDumped && gap.Gap != core.Truncated {
		return gap
	}
	var part core.ModulePart
	for _, p := range m.Parts {
		if p.Start <= a && a < p.End {
			part = p
		}
	}
	lo, hi := max(part.Start, gap.Start), min(part.End, gap.End)
	if hi <= lo {
		return gap
	}
	gap.Start, gap.End = lo, hi
	facts := m.Facts()
	img, _ := facts.Image.(*File)
	if gap.ProtUnknown && img != nil {
		gap.Prot, gap.ProtUnknown = img.protAt(part.Off, part.Off+uint64(a-part.Start)), false
	}
	if img == nil || img.src == nil {
		gap.Gap, gap.Detail = core.FileMissing, m.Path
		var mismatch *MismatchError
		if errors.As(facts.Err, &mismatch) {
			gap.Gap, gap.Detail = core.FileMismatch, mismatch.Path
		}
		return gap
	}
	if gap.Prot&core.Write != 0 && (gap.Gap == core.Truncated || !l.anonymous) {
		gap.Detail = "it may have been written to"
		return gap
	}
	if gap.Gap == core.Truncated || !l.anonymous {
		if s, e := img.relro(facts.Bias); a >= s && a < e {
			gap.Detail = "it was written to when the program was loaded"
			return gap
		}
	}
	return img.fill(gap, part)
}

// fill makes a segment of file bytes of a gap within a mapping; of the rest of
// its last page, zeros.
func (f *File) fill(gap core.Segment, part core.ModulePart) core.Segment {
	off, size := part.Off+uint64(gap.Start-part.Start), uint64(f.src.Size())
	if off >= size {
		gap.Detail = "past the end of the file"
		return gap
	}
	gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
	gap.Src, gap.Off = f.src, int64(off)
	gap.End = min(gap.End, gap.Start+core.Addr(size-off))
	return gap
}

// protAt returns the protection of the segment that was mapped from offset from
// on and holds the byte at off.
func (f *File) protAt(from, off uint64) core.Prot {
	prot := core.Prot(0)
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD && off >= p.off&^0xfff && off < p.off+p.filesz {
			prot = core.Prot(p.flags & 7)
			if p.off&^0xfff == from&^0xfff {
				return prot
			}
		}
	}
	return prot
}

// relro returns what the dynamic linker writes to and then protects.
func (f *File) relro(bias core.Addr) (start, end core.Addr) {
	p, ok := f.prog(stdelf.PT_GNU_RELRO)
	if !ok {
		return 0, 0
	}
	start = bias + core.Addr(p.vaddr)
	return start &^ 0xfff, (start + core.Addr(p.memsz)).Align(4096)
}
