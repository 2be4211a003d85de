package elfcore

import (
	"cmp"
	stdelf "debug/elf"
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/elf/note"
)

// A finder lists the images of a process that was made of an ELF core.
type finder struct {
	*resolver
	files     []note.FileMapping
	filesGood bool // these are all there were
	misfits   int  // mappings that were tried and fit no image
	placed    int  // files that were opened to see where images of them begin
}

// findModules lists the images of the process.
func (l *finder) findModules() {
	fs := l.fromFileNote()
	if !l.filesGood {
		fs = l.mergeMemory(fs)
	}
	exe := l.findExe(&fs)
	if a := auxAddr(l.p, atSysinfoEHDR); a != 0 && l.covering(fs, a) == nil {
		if i := mappingAt(l.p, a); i >= 0 && l.p.Mappings[i].Start == a {
			fs = append(fs, &found{path: "[vdso]", origin: core.FromAuxv, base: a, hasBase: true,
				parts: []core.ModulePart{{Start: a, End: l.p.Mappings[i].End}}})
		}
	}
	for _, f := range fs {
		m := core.Module{Path: f.path, Origin: f.origin, Parts: f.parts, Exe: f == exe,
			Flat: f.origin == core.FromFileNote && f.flat()}
		m.Start, m.End = f.extent()
		l.p.Modules = append(l.p.Modules, core.NewModule(m,
			func(m *core.Module) core.ModuleFacts { return l.resolve(m, f) }))
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	if exe == nil {
		if l.opt.Exe != "" && len(fs) > 0 {
			l.p.Warn(core.PlaceExecutable, format.Quote(l.opt.Exe)+
				": it is not known to be the file of an image of the process")
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

// fromFileNote groups the mappings that NT_FILE lists by file, and keeps the
// files that are images.
func (l *finder) fromFileNote() []*found {
	var all []*found
	for _, es := range byFile(l.files) {
		owners := l.owners(es)
		if in := l.archived(es, owners); in != nil {
			all = append(all, in...)
		} else {
			all = append(all, l.split(es, owners)...)
		}
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
			one.reads(f.parts[0].Start)
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

func (l *finder) executable(parts []core.ModulePart) bool {
	for _, p := range parts {
		if i := mappingAt(l.p, p.Start); i >= 0 && l.p.Mappings[i].Prot&core.Exec != 0 {
			return true
		}
	}
	return false
}

// isImage reports whether a mapped file is an executable or library: by its first bytes if they were
// dumped, else by its executable mappings, else by name.
func (l *finder) isImage(f *found) bool {
	if f.hasBase {
		b, err := l.p.Space.Dumped().Slice(f.base, 4)
		if err == nil && (format.IsELF(b) || string(b) != "\x00\x00\x00\x00") {
			return format.IsELF(b)
		}
	}
	if l.executable(f.parts) {
		return !strings.HasPrefix(f.path, "/dev/")
	}
	name := path.Base(strings.TrimSuffix(f.path, " (deleted)"))
	return f.hasBase && (strings.HasSuffix(name, ".so") || strings.Contains(name, ".so."))
}

// covering returns the module that has a mapping with a, or nil.
func (l *finder) covering(fs []*found, a core.Addr) *found {
	for _, f := range fs {
		for _, p := range f.parts {
			if p.Start <= a && a < p.End {
				return f
			}
		}
	}
	return nil
}

// mergeMemory adds images that NT_FILE does not list from memory: from the link_map of the dynamic
// linker, then from ELF headers at the starts of mappings.
func (l *finder) mergeMemory(fs []*found) []*found {
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
	if a := auxAddr(l.p, atBase); a != 0 && l.covering(fs, a) == nil {
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

// maxScanned is the largest number of mappings whose starts are examined although the dynamic linker's
// list was found.
const maxScanned = 8192

// fromHeaders looks for ELF headers at the starts of mappings that no module has.
func (l *finder) fromHeaders(known []*found) []*found {
	var starts []core.Addr // of the parts of known modules
	for _, f := range known {
		for _, p := range f.parts {
			starts = append(starts, p.Start)
		}
	}
	slices.Sort(starts)
	vdso := auxAddr(l.p, atSysinfoEHDR)
	var out []*found
	var end core.Addr // of the last image
	for _, m := range l.p.Space.Segments() {
		// Nobody maps an image's headers to be written to.
		if m.Kind != core.SegCore || m.Prot&core.Write != 0 || m.Start == vdso || m.Size() < 64 {
			continue
		}
		if b, err := m.Src.Window(m.Off); err != nil || !format.IsELF(b) {
			continue
		}
		if _, ok := slices.BinarySearch(starts, m.Start); ok {
			continue
		}
		if m.Start < end {
			continue // the start of the file once more, in another segment of the same page
		}
		if f := l.imageAt(m.Start, "", core.FromHeaders); f != nil {
			out = append(out, f)
			_, end = f.extent()
		}
	}
	return out
}

// imageAt makes a module of the ELF header at base; nil if there is no header. A module without a path
// gets the image's DT_SONAME as its name.
func (l *finder) imageAt(base core.Addr, name string, origin core.Origin) *found {
	img, err := elf.NewMemoryFile(l.p.Space.Dumped(), base)
	if err != nil || !img.IsFor(l.Class, l.machine) ||
		img.Header().Type != stdelf.ET_DYN && img.Header().Type != stdelf.ET_EXEC {
		return nil
	}
	f := &found{path: name, origin: origin, base: base, hasBase: true, image: img}
	f.setParts(img, img.Bias(), pageSize(l.p))
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
