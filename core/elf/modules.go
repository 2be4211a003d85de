package elf

import (
	"cmp"
	stdelf "debug/elf"
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/core"
)

// A found is a module that was found, before it is one.
type found struct {
	path    string
	parts   []core.ModulePart
	origin  core.Origin
	base    core.Addr // of its ELF header
	hasBase bool
	phdrAt  core.Addr // of its program headers, if the process tells; else 0
	image   *File     // in memory, if it was read already
	disk    *File     // the file at the path, if it was opened already, unproven
	refused error     // why files were refused, once the facts are known
}

// farAway is the distance in bytes behind which a mapping of a file is not a
// part of the image that begins at offset 0, but a second mapping of a piece.
const farAway = 1 << 28

// findModules lists the images of the process.
func (l *loader) findModules() {
	fs := l.fromFileNote()
	if !l.filesGood {
		fs = l.mergeMemory(fs)
	}
	exe := l.findExe(&fs)
	if a := l.aux(atSysinfoEHDR); a != 0 && l.covering(fs, a) == nil {
		if i := l.mappingAt(a); i >= 0 && l.p.Mappings[i].Start == a {
			fs = append(fs, &found{path: "[vdso]", origin: core.FromAuxv, base: a, hasBase: true,
				parts: []core.ModulePart{{Start: a, End: l.p.Mappings[i].End}}})
		}
	}
	for _, f := range fs {
		m := core.Module{Path: f.path, Origin: f.origin, Parts: f.parts, Exe: f == exe}
		m.Start, m.End = f.extent()
		l.p.Modules = append(l.p.Modules, core.NewModule(m, func(m *core.Module) core.ModuleFacts { return l.resolve(m, f) }))
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	if exe == nil {
		return
	}
	l.p.Exe = exe.path
	if l.opt.Exe == "" {
		return
	}
	// Who names an executable wants to hear at once if it is not the one.
	for _, m := range l.p.Modules {
		if m.Exe && m.Facts().Image != nil && m.Facts().Image.Path() != l.opt.Exe && exe.refused != nil {
			l.p.Warn(core.PlaceExecutable, strings.ReplaceAll(exe.refused.Error(), "\n", "; "))
		}
	}
}

// extent returns the addresses of the image proper.
func (f *found) extent() (start, end core.Addr) {
	for _, p := range f.parts {
		if !f.isCopy(p) {
			if end == 0 {
				start = p.Start
			}
			start, end = min(start, p.Start), max(end, p.End)
		}
	}
	if end == 0 && len(f.parts) > 0 {
		return f.parts[0].Start, f.parts[0].End
	}
	return start, end
}

// isCopy reports whether p is a second mapping of a piece of the file: far from
// the place where the image has that piece.
func (f *found) isCopy(p core.ModulePart) bool {
	if !f.hasBase {
		return false
	}
	shift := p.Start - core.Addr(p.Off) - f.base
	return shift >= farAway && shift < ^core.Addr(0)-1<<16
}

// fromFileNote groups the mappings that NT_FILE lists by file, and keeps the
// files that are images.
func (l *loader) fromFileNote() []*found {
	var all []*found
	byPath := map[string]*found{}
	for _, e := range l.files {
		part := core.ModulePart{Start: e.start, End: e.end, Off: e.off}
		f := byPath[e.path]
		// A file that is mapped from its start again was loaded again, or is
		// mapped whole by somebody who reads it.
		if f == nil || e.off == 0 && f.hasBase {
			f = &found{path: e.path, origin: core.FromFileNote}
			all = append(all, f)
			byPath[e.path] = f
		}
		if e.off == 0 {
			f.base, f.hasBase = e.start, true
		}
		f.parts = append(f.parts, part)
	}
	first := map[string]*found{}
	var out []*found
	for _, f := range all {
		one := first[f.path]
		switch {
		case one != nil && len(f.parts) == 1 && !l.executable(f.parts):
			one.parts = append(one.parts, f.parts...) // mapped to be read
			slices.SortFunc(one.parts, func(a, b core.ModulePart) int { return cmp.Compare(a.Start, b.Start) })
		case l.isImage(f):
			if one == nil {
				first[f.path] = f
			}
			out = append(out, f)
		}
	}
	return out
}

func (l *loader) executable(parts []core.ModulePart) bool {
	for _, p := range parts {
		if i := l.mappingAt(p.Start); i >= 0 && l.p.Mappings[i].Prot&core.Exec != 0 {
			return true
		}
	}
	return false
}

// isImage reports whether a mapped file is an executable or library: by its
// first bytes if they were dumped, else by what may be executed, else by name.
func (l *loader) isImage(f *found) bool {
	if f.hasBase {
		b, err := l.p.Space.Dumped().Slice(f.base, 4)
		if err == nil && (isELF(b) || string(b) != "\x00\x00\x00\x00") {
			return isELF(b)
		}
	}
	if l.executable(f.parts) {
		return !strings.HasPrefix(f.path, "/dev/")
	}
	name := path.Base(strings.TrimSuffix(f.path, " (deleted)"))
	return f.hasBase && (strings.HasSuffix(name, ".so") || strings.Contains(name, ".so."))
}

// covering returns the module of which a mapping holds a, or nil.
func (l *loader) covering(fs []*found, a core.Addr) *found {
	for _, f := range fs {
		for _, p := range f.parts {
			if p.Start <= a && a < p.End {
				return f
			}
		}
	}
	return nil
}

// findExe says which module is the executable: the one with the program headers
// or the entry point that the kernel told the process of. A process whose core
// does not list it gets one made of those headers.
func (l *loader) findExe(fs *[]*found) *found {
	at, entry := l.aux(atPHDR), l.aux(atEntry)
	for _, a := range []core.Addr{at, entry} {
		if a == 0 {
			continue
		}
		if f := l.covering(*fs, a); f != nil {
			f.phdrAt = at
			if f.path == "" {
				f.path = l.exeName()
			}
			return f
		}
	}
	if f := l.exeOfPhdrs(at); f != nil {
		*fs = append(*fs, f)
		return f
	}
	if len(l.p.Auxv) > 0 || len(*fs) == 0 {
		return nil
	}
	// No auxiliary vector: the name of the process is the first 15 bytes of the
	// executable's.
	for _, f := range *fs {
		if base := path.Base(f.path); l.p.Name != "" && base[:min(len(base), 15)] == l.p.Name {
			return f
		}
	}
	return nil
}

// exeName returns the path of the executable as the process was given it.
func (l *loader) exeName() string {
	if l.opt.Exe != "" {
		return l.opt.Exe
	}
	if a := l.aux(atExecfn); a != 0 {
		if s, err := core.CString(l.p.Space.Dumped(), a, 4096); err == nil && s != "" {
			return s
		}
	}
	if word, _, _ := strings.Cut(l.p.PSArgs, " "); word != "" {
		return word
	}
	return l.p.Name
}

// exeOfPhdrs makes the executable of the program headers in memory, or, where
// they were not dumped, of those in its file.
func (l *loader) exeOfPhdrs(at core.Addr) *found {
	if at == 0 {
		return nil
	}
	f := &found{path: l.exeName(), origin: core.FromAuxv, phdrAt: at}
	n, _ := l.p.AuxValue(atPHNUM)
	size, _ := l.p.AuxValue(atPHENT)
	img := newMemoryProgs(l.p.Space.Dumped(), l.class, l.machine, at, int(min(size, 1<<10)), int(min(n, maxProgs)))
	var bias core.Addr
	if img != nil {
		f.image, bias = img, img.bias
	} else {
		file := l.exeFile(f)
		if file == nil {
			return nil
		}
		img, bias = file, l.aux(atEntry)-core.Addr(file.entry)
	}
	f.setParts(img, bias)
	if len(f.parts) == 0 {
		return nil
	}
	return f
}

// setParts makes the mappings that the loader makes of an image's segments.
func (f *found) setParts(img *File, bias core.Addr) {
	const page = 4096
	f.parts = nil
	for _, p := range img.progs {
		if p.typ != stdelf.PT_LOAD || p.filesz == 0 {
			continue
		}
		start := bias + core.Addr(p.vaddr)
		end := (start + core.Addr(p.filesz)).Align(page)
		cut := start % page
		if uint64(cut) > p.off || end <= start {
			continue
		}
		if !img.wide {
			start, end = start&(1<<32-1), end&(1<<32-1)
		}
		f.parts = append(f.parts, core.ModulePart{Start: start - cut, End: end, Off: p.off - uint64(cut)})
		if p.off == uint64(cut) && !f.hasBase {
			f.base, f.hasBase = start-cut, true
		}
		if len(f.parts) > 4096 {
			break
		}
	}
	slices.SortFunc(f.parts, func(a, b core.ModulePart) int { return cmp.Compare(a.Start, b.Start) })
}

// mergeMemory adds what memory tells of images that NT_FILE does not list: the
// link_map of the dynamic linker, then ELF headers at the starts of mappings.
func (l *loader) mergeMemory(fs []*found) []*found {
	exe := l.findExe(&fs)
	links := l.fromLinkMap(exe)
	for _, f := range links {
		if have := l.covering(fs, f.parts[0].Start); have == nil {
			fs = append(fs, f)
		} else if have.path == "" {
			have.path = f.path
		}
	}
	if a := l.aux(atBase); a != 0 && l.covering(fs, a) == nil {
		if f := l.imageAt(a, "", core.FromAuxv); f != nil {
			fs = append(fs, f)
		}
	}
	// The chain seldom lacks an image, and looking at each of very many
	// mappings costs a page of the core each.
	if len(links) > 0 && len(l.p.Mappings) > maxScanned {
		return fs
	}
	return append(fs, l.fromHeaders(fs)...)
}

// maxScanned is the number of mappings up to which their starts are looked at
// although the dynamic linker's list was found.
const maxScanned = 8192

// fromHeaders looks for ELF headers at the starts of mappings that no module has.
func (l *loader) fromHeaders(known []*found) []*found {
	var starts []core.Addr // of the parts of known modules
	for _, f := range known {
		for _, p := range f.parts {
			starts = append(starts, p.Start)
		}
	}
	slices.Sort(starts)
	vdso := l.aux(atSysinfoEHDR)
	var out []*found
	for _, m := range l.p.Space.Segments() {
		// Nobody maps an image's headers to be written to.
		if m.Kind != core.SegCore || m.Prot&core.Write != 0 || m.Start == vdso || m.Size() < 64 {
			continue
		}
		if b, err := m.Src.Window(m.Off); err != nil || !isELF(b) {
			continue
		}
		if _, ok := slices.BinarySearch(starts, m.Start); ok {
			continue
		}
		f := l.imageAt(m.Start, "", core.FromHeaders)
		if f != nil && (len(out) == 0 || f.parts[0].Start >= out[len(out)-1].parts[0].End) {
			out = append(out, f)
		}
	}
	return out
}

// imageAt makes a module of the ELF header at base; nil if there is none. A
// module without a path gets the name by which the image wants to be known.
func (l *loader) imageAt(base core.Addr, name string, origin core.Origin) *found {
	img, err := NewMemoryFile(l.p.Space.Dumped(), base)
	if err != nil || img.class != l.class || img.machine != l.machine || img.typ != stdelf.ET_DYN && img.typ != stdelf.ET_EXEC {
		return nil
	}
	f := &found{path: name, origin: origin, base: base, hasBase: true, image: img}
	f.setParts(img, img.bias)
	if len(f.parts) == 0 {
		return nil
	}
	if f.path == "" {
		f.path = img.SoName()
	}
	if f.path == "" {
		f.path = fmt.Sprintf("[image at %v]", base)
	}
	return f
}
