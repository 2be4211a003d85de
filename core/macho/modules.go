package macho

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
)

// findModules lists the images of the process, in the order of lldb's search: a
// note that leads to dyld, notes that list images, dyld found in memory.
func (l *loader) findModules() {
	var list []listed
	switch n := &l.notes; {
	case n.mainAddr == absent || n.mainAddr == 0:
	case n.mainType == mainDyld:
		list = l.fromDyld(core.Addr(n.mainAddr))
	case n.mainType == mainInfos:
		list = l.fromInfos(core.Addr(n.mainAddr), 0)
	default:
		// A standalone binary, or just the one that the writer cared for.
		list = append(l.scan(), listed{load: core.Addr(n.mainAddr), uuid: n.mainUUID, from: core.FromImageNote})
	}
	list = append(list, l.notes.images...)
	if len(list) == 0 {
		list = l.scan()
	}
	l.list = list
	starts := segmentStarts(list)
	seen := map[core.Addr]bool{}
	var gaps []core.Segment
	for n, i := range list {
		l.forget(n, 64)
		if seen[i.load] {
			continue
		}
		seen[i.load] = true
		m, missing := l.module(i, starts)
		l.p.Modules = append(l.p.Modules, m)
		gaps = append(gaps, missing...)
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	// What the core says of an address wins over what is missing of an image.
	l.p.Space = core.NewSpace(append(gaps, l.segs...), filler{l})
	l.checkExe()
	if len(l.p.Modules) == 0 {
		l.p.Warn("", "no images were found: neither a note lists them nor is dyld in the core")
	}
}

// module makes a module of a listed image, and the gaps in memory that are left
// where the core has nothing of it. An image whose header is not in the core is opened here,
// because nothing else says where it lies; the others when they are asked for.
func (l *loader) module(i listed, starts []core.Addr) (*core.Module, []core.Segment) {
	img := l.memoryImage(i.load)
	m := core.Module{Path: i.path, Origin: i.from}
	var facts core.ModuleFacts
	layout := img
	if img != nil {
		if len(i.uuid) == 0 || len(img.uuid) != 0 {
			i.uuid = img.uuid
		}
		if i.path == "" {
			i.path = img.id
		}
		m.Path = i.path
		m.Exe = img.filetype == mhExecute
		facts = core.ModuleFacts{BuildID: i.uuid, Bias: img.slide, BiasKnown: true, Image: img, InMemory: true}
		if img.damage != nil {
			l.p.Warn(fmt.Sprintf("image at %v", i.load), img.damage.Error())
		}
	} else {
		var file *File
		file, facts = l.fileFacts(m.Path, i)
		if file != nil {
			layout, m.Exe = file, file.filetype == mhExecute
		}
	}
	if m.Path == "" {
		m.Path = fmt.Sprintf("[image at %v]", i.load)
	}
	m.Start, m.End = i.load, i.load+1
	var gaps []core.Segment
	if layout != nil {
		m.Parts, m.Start, m.End = layout.parts(facts.Bias, i.load)
		gaps = layout.gaps(facts.Bias)
	} else if part, ok := i.text(starts); ok {
		m.Parts, m.End = []core.ModulePart{part}, part.End
		gaps = []core.Segment{{Start: part.Start, End: part.End, Prot: core.Read | core.Exec, Gap: core.NotDumped}}
	}
	if img == nil {
		return core.NewModule(m, func(*core.Module) core.ModuleFacts { return facts }), gaps
	}
	return core.NewModule(m, func(m *core.Module) core.ModuleFacts { return l.withFile(m, i, facts) }), gaps
}

// maxHeaders bounds the load commands in bytes that are read of all images of a
// process; 3,000 images of macOS have 12 MB.
const maxHeaders = 128 << 20

// memoryImage returns the image whose header lies in memory, nil if none does.
func (l *loader) memoryImage(at core.Addr) *File {
	if l.headerBytes > maxHeaders {
		return nil
	}
	img := NewMemoryFile(l.p.Space.Dumped(), at)
	if img != nil {
		l.headerBytes += uint64(min(img.sizeofcmds, maxHeader))
	}
	return img
}

// segmentStarts returns where segments of listed images begin, in order.
func segmentStarts(list []listed) (out []core.Addr) {
	for _, i := range list {
		for _, s := range i.segs {
			out = append(out, s.start)
		}
	}
	slices.Sort(out)
	return out
}

// maxText bounds the code of an image in bytes where only its start is known.
const maxText = 1 << 29

// text returns where the code of an image lies of which there is nothing but a list
// of segments: up to the start of the next segment of any image.
func (i *listed) text(starts []core.Addr) (core.ModulePart, bool) {
	for _, s := range i.segs {
		if s.name != "__TEXT" || s.start != i.load {
			continue
		}
		if n, _ := slices.BinarySearch(starts, s.start+1); n < len(starts) && starts[n]-s.start <= maxText {
			return core.ModulePart{Start: s.start, End: starts[n]}, true
		}
	}
	return core.ModulePart{}, false
}

// fileFacts opens the file of an image that the core does not hold, or finds it in
// a file of the shared cache.
func (l *loader) fileFacts(path string, i listed) (*File, core.ModuleFacts) {
	facts := core.ModuleFacts{BuildID: i.uuid}
	file, err := l.openFile(path, i.uuid, false, l.opt.Exe != "")
	facts.Err = err
	if file == nil {
		cached, why := l.fromCache(i, path)
		if cached == nil {
			facts.Err = errors.Join(err, why)
			return nil, facts
		}
		file, facts.Err = cached, nil
	}
	text, ok := file.segment("__TEXT")
	if !ok {
		facts.Err = errors.Join(err, fmt.Errorf("%s: it has no __TEXT segment", file.path))
		return nil, facts
	}
	facts.Err = errors.Join(facts.Err, file.damageAt())
	facts.Image, facts.Bias, facts.BiasKnown = file, i.load-core.Addr(text.vmaddr), true
	if len(i.uuid) == 0 {
		facts.BuildID, facts.Unproven = file.uuid, "the core does not record the UUID"
	}
	return file, facts
}

// withFile prefers the file of an image to what the core holds, if the UUID proves
// it, or the files of the shared cache: an image there has lost its local symbols.
func (l *loader) withFile(m *core.Module, i listed, facts core.ModuleFacts) core.ModuleFacts {
	img := facts.Image.(*File)
	file, err := l.openFile(i.path, i.uuid, m.Exe, m.Exe && l.opt.Exe != "")
	facts.Err = err
	if file != nil && len(i.uuid) > 0 && sameLayout(file, img) {
		facts.Image, facts.InMemory, facts.Err = file, false, errors.Join(err, file.damageAt())
		return facts
	}
	if file != nil && len(i.uuid) > 0 {
		facts.Err = errors.Join(err, fmt.Errorf("%s: its segments have other addresses than those of the image in memory", file.path))
	}
	if img.flags&mhDylibInCache == 0 {
		if errors.Is(err, errAbsent) && img.whole() {
			facts.Err = img.damageAt() // nothing that the file has is missing
		}
		return facts
	}
	cached, why := l.fromCache(i, m.Path)
	if cached != nil && sameLayout(cached, img) {
		facts.Image, facts.InMemory, facts.Err = cached, false, nil
		return facts
	}
	l.withLocals(img, i.load)
	if l.caches().locals == nil {
		facts.Err = errors.Join(facts.Err, why)
	}
	return facts
}

// damageAt says what of the image's headers cannot be read; nil if all can.
func (f *File) damageAt() error {
	if f.damage == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.path, f.damage)
}

// sameLayout reports whether two images have their segments at the same
// link-time addresses; those of an image in the shared cache are the cache's.
func sameLayout(a, b *File) bool {
	return slices.EqualFunc(a.Segments(), b.Segments(), func(x, y core.ImageSegment) bool { return x.Addr == y.Addr })
}

// openFile looks for the file of an image; the one that the user named for the
// executable comes first, if its UUID is the one that was loaded. An image whose path
// is not known is looked for by its UUID. Exe says that the image is known to be the
// executable; else what is wrong with the named one is reported for one of its name only.
func (l *loader) openFile(path string, uuid []byte, exe, named bool) (*File, error) {
	var errs []error
	if l.opt.Files == nil || path == "" && len(uuid) == 0 {
		return nil, nil
	}
	var tries []string
	if named && len(uuid) > 0 {
		tries = append(tries, l.opt.Exe)
	}
	for i, try := range append(tries, path) {
		src, from, refused := l.lookup(try, uuid)
		if i == len(tries) || exe || filepath.Base(try) == filepath.Base(path) {
			errs = append(errs, refused...)
		}
		if src == nil {
			continue
		}
		l.opened.Add(src)
		f, err := NewFile(src, from, l.cputype, uuid)
		return f, errors.Join(append(errs, err)...)
	}
	switch {
	case path == "" && len(errs) == 0:
		return nil, fmt.Errorf("an image whose path is not known: %w with its UUID %s", errAbsent, UUIDString(uuid))
	case len(errs) == 0:
		return nil, fmt.Errorf("%s: %w", path, errAbsent)
	}
	return nil, errors.Join(errs...)
}

// errAbsent says that an image's file was not found, and no other one in its place.
var errAbsent = errors.New("no such file")

// whole reports whether all that the file of an image in memory has is in the core.
func (f *File) whole() bool {
	if f.mem == nil || f.cached {
		return false
	}
	for i := range f.segs {
		s := &f.segs[i]
		start := core.Addr(s.vmaddr) + f.slide
		for a, end := start, start+core.Addr(min(s.filesize, s.vmsize)); a < end; {
			seg, ok := f.mem.Find(a)
			if !ok || seg.Kind == core.SegGap {
				return false
			}
			a = seg.End
		}
	}
	return len(f.segs) > 0
}

// lookup finds a file of the process, or the executable that the user named, which
// is first looked for at its path, wherever that is.
func (l *loader) lookup(path string, uuid []byte) (core.Source, string, []error) {
	var errs []error
	if path == l.opt.Exe {
		src, from, refused := file.Named(path, func(src core.Source) error { return check(src, path, l.cputype, uuid) })
		if src != nil {
			return src, from, refused
		}
		errs = refused
	}
	got := l.opt.Files.Find(context.Background(), Want(path, l.cputype, uuid))
	return got.Source, got.From, append(errs, got.Refused...)
}

// checkExe warns at once if the executable that the user named is not the one of the
// process.
func (l *loader) checkExe() {
	if l.opt.Exe == "" {
		return
	}
	known := false
	for _, m := range l.p.Modules {
		if !m.Exe {
			continue
		}
		known = true
		if f := m.Facts(); f.Err != nil && (f.Image == nil || f.Image.Path() != l.opt.Exe) {
			l.p.Warn(core.PlaceExecutable, strings.ReplaceAll(f.Err.Error(), "\n", "; "))
		}
	}
	if !known && len(l.p.Modules) > 0 {
		l.p.Warn(core.PlaceExecutable, fmt.Sprintf("%s: the process has no image with its UUID", l.opt.Exe))
	}
}

// parts returns where an image's segments lie, and its extent: that of __TEXT
// and what follows it closely. The segments of an image in the shared cache lie
// far from each other, with other images' between them.
func (f *File) parts(bias, load core.Addr) (parts []core.ModulePart, start, end core.Addr) {
	start, end = load, load+1
	for i := range f.segs {
		s := &f.segs[i]
		p := core.ModulePart{Start: core.Addr(s.vmaddr) + bias, End: core.Addr(s.vmaddr+s.vmsize) + bias, Off: s.fileoff}
		if p.End <= p.Start || s.name == "__PAGEZERO" || f.foreign(s) {
			continue
		}
		parts = append(parts, p)
		if f.flags&mhDylibInCache == 0 || p.Start == load {
			start, end = min(start, p.Start), max(end, p.End)
		}
	}
	slices.SortFunc(parts, func(a, b core.ModulePart) int { return cmp.Compare(a.Start, b.Start) })
	return parts, start, end
}

// gaps are where an image's segments lie, to be found there if the core has nothing.
func (f *File) gaps(bias core.Addr) (out []core.Segment) {
	for _, s := range f.segs {
		if s.name == "__PAGEZERO" || s.vmsize == 0 || f.foreign(&s) {
			continue
		}
		start := core.Addr(s.vmaddr) + bias
		prot := s.prot
		if s.readOnly {
			prot &^= core.Write
		}
		out = append(out, core.Segment{Start: start, End: start + core.Addr(s.vmsize), Prot: prot, Gap: core.NotDumped})
	}
	return out
}

// foreign reports whether a segment is not the image's alone: __LINKEDIT of all
// images of the shared cache is one.
func (f *File) foreign(s *segment) bool {
	return f.flags&mhDylibInCache != 0 && s.name == "__LINKEDIT"
}
