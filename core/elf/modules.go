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
	phdrAt  core.Addr // of its program headers, if the process says; else 0
	image   *File     // in memory, if it was read already
	disk    *File     // the file at the path, if it was opened already, unproven
	refused error     // why files were refused, once the facts are known
	in      inside    // where it lies in an archive, if it does
	id      []byte    // the build-id that a list of modules gives; nil if none does
	// read has the starts of parts that were mapped once more, by code that
	// reads the file.
	read map[core.Addr]bool
}

// farAway is the distance in bytes beyond which a mapping of a file is not a
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
		m := core.Module{Path: f.path, Origin: f.origin, Parts: f.parts, Exe: f == exe, Flat: f.origin == core.FromFileNote && f.flat()}
		m.Start, m.End = f.extent()
		l.p.Modules = append(l.p.Modules, core.NewModule(m, func(m *core.Module) core.ModuleFacts { return l.resolve(m, f) }))
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	if exe == nil {
		if l.opt.Exe != "" && len(fs) > 0 {
			l.p.Warn(core.PlaceExecutable, quote(l.opt.Exe)+": the process had no image of which it is known to be the file")
		}
		return
	}
	l.p.Exe = exe.path
	if l.opt.Exe == "" {
		return
	}
	// A user who names an executable hears at once if it is not the one.
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

// flat reports whether the mappings are not those of an image: none has the file's
// start, or two have the same of it. Segments of an image share no more than a page.
func (f *found) flat() bool {
	bits := uint64(1 << 16)
	var own []core.ModulePart
	for _, p := range f.parts {
		bits |= uint64(p.Start) | p.Off
		if !f.isCopy(p) {
			own = append(own, p)
		}
	}
	slices.SortFunc(own, func(a, b core.ModulePart) int { return cmp.Compare(a.Off, b.Off) })
	page, reach := bits&-bits, uint64(0)
	for _, p := range own {
		end := p.Off + uint64(p.End-p.Start)
		if min(reach, end) > p.Off+page {
			return true
		}
		reach = max(reach, end)
	}
	return !f.hasBase
}

// isCopy reports whether p is a second mapping of a piece of the file: far from
// the place where the image has that piece.
func (f *found) isCopy(p core.ModulePart) bool {
	if f.read[p.Start] {
		return true
	}
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
	loaded := map[string]*found{} // the first that is more than one mapping
	archives := map[string]bool{}
	for _, es := range byFile(l.files) {
		if in := l.archived(es); in != nil {
			archives[es[0].path] = true
			all = append(all, in...)
		}
	}
	for _, e := range l.files {
		if archives[e.path] {
			continue
		}
		part := core.ModulePart{Start: e.start, End: e.end, Off: e.off}
		f := byPath[e.path]
		// A file that is mapped from its start again was loaded again, or is
		// mapped whole by a program that reads it.
		if f != nil && e.off != 0 && f.readsAt(e.off) {
			f = loaded[e.path] // a piece that is mapped once more
		}
		if f == nil || e.off == 0 && f.hasBase {
			f = &found{path: e.path, origin: core.FromFileNote}
			all = append(all, f)
			byPath[e.path] = f
		}
		if e.off == 0 {
			f.base, f.hasBase = e.start, true
		} else if loaded[e.path] == nil {
			loaded[e.path] = f
		}
		f.parts = append(f.parts, part)
	}
	// A mapping that is alone and not executable is there to be read, wherever it is,
	// if the file is loaded, too.
	alone := func(f *found) bool { return len(f.parts) == 1 && !l.executable(f.parts) }
	first := map[string]*found{}
	for _, f := range all {
		if first[f.path] == nil && !alone(f) && l.isImage(f) {
			first[f.path] = f
		}
	}
	var out []*found
	for _, f := range all {
		one := first[f.path]
		switch {
		case one != nil && one != f && alone(f):
			one.parts = append(one.parts, f.parts...)
			if one.read == nil {
				one.read = map[core.Addr]bool{}
			}
			one.read[f.parts[0].Start] = true
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

// readsAt reports whether the mapping of the file's start reaches to an offset of it
// where a segment of an image could not be too.
func (f *found) readsAt(off uint64) bool {
	const page = 1 << 16
	i := slices.IndexFunc(f.parts, func(p core.ModulePart) bool { return p.Off == 0 })
	return i >= 0 && uint64(f.parts[i].End-f.parts[i].Start) > off+page
}

// byFile groups mappings by their files, in the order of the first of each.
func byFile(es []fileEntry) (out [][]fileEntry) {
	at := map[string]int{}
	for _, e := range es {
		i, ok := at[e.path]
		if !ok {
			i = len(out)
			at[e.path] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
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

// mergeMemory adds what memory says of images that NT_FILE does not list: the
// link_map of the dynamic linker, then ELF headers at the starts of mappings.
func (l *loader) mergeMemory(fs []*found) []*found {
	exe := l.findExe(&fs)
	if exe == nil {
		fs = append(fs, l.fromHeaders(fs)...)
		exe = l.findExe(&fs)
	}
	links := l.fromLinkMap(exe)
	for _, f := range links {
		if have := l.covering(fs, f.parts[0].Start); have == nil {
			fs = append(fs, f)
		} else if have.path == "" || have.origin == core.FromHeaders && have != exe {
			have.path, have.in = f.path, f.in
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
