package elfcore

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/elf/note"
)

// archived separates the images that are mapped out of one file, whose mappings
// are in order of address, with their owners. It returns nil if the file is an image
// itself, or has no images.
func (l *finder) archived(es []note.FileMapping, owners []int) []*found {
	if !l.mayBeArchive(es) {
		return nil
	}
	entries := l.entries(es[0].Path)
	guess := len(entries) == 0 && !slices.ContainsFunc(es, l.beginsImage)
	var out []*found
	var cur *found
	for i, e := range es {
		in, begins := entryAt(entries, e.Off)
		if begins = begins && in.Off == e.Off; !begins {
			in, begins = inside{file: e.Path, Entry: elf.Entry{Off: e.Off}}, l.beginsImage(e) ||
				guess && l.beginsRun(es, i)
		}
		switch {
		case begins && cur != nil && owners[i] != i && (owners[i] >= 0 || l.continues(es, i, owners)):
			// The image's own first page once more, in another segment.
		case begins:
			cur = &found{origin: core.FromFileNote, base: e.Start, hasBase: true, in: in}
			out = append(out, cur)
		case cur == nil || e.Off < cur.in.Off || cur.in.Size != 0 && e.Off >= cur.in.Off+cur.in.Size:
			continue // not a part of an image
		}
		cur.parts = append(cur.parts, core.ModulePart{Start: e.Start, End: e.End, Off: e.Off - cur.in.Off})
	}
	for _, f := range out {
		if f.in.Name == "" {
			f.in.Name = l.ownName(f)
		}
		f.path = f.in.path()
	}
	return out
}

// mayBeArchive reports whether the mappings of a file do not belong to an image: code is mapped, but no
// possible ELF header before it.
func (l *finder) mayBeArchive(es []note.FileMapping) bool {
	var whole uint64 // how far the mapping of the file's start reaches
	for _, e := range es {
		if e.Off != 0 {
			continue
		}
		whole = max(whole, uint64(e.End-e.Start))
		if b, err := l.p.Space.Dumped().Slice(e.Start, 4); err == nil && len(bytes.Trim(b, "\x00")) > 0 {
			return !format.IsELF(b) && l.executable(partsOf(es))
		}
	}
	for _, e := range es {
		// Segments of an image do not overlap in its file, except for a page.
		if e.Off != 0 && l.executable(partsOf([]note.FileMapping{e})) && (whole == 0 || whole > e.Off+maxPage) {
			return true
		}
	}
	return (archiveName(es[0].Path) || slices.ContainsFunc(es, l.beginsImage)) && l.executable(partsOf(es))
}

func partsOf(es []note.FileMapping) (out []core.ModulePart) {
	for _, e := range es {
		out = append(out, core.ModulePart{Start: e.Start, End: e.End, Off: e.Off})
	}
	return out
}

// archiveName reports whether a file is called as archives are.
func archiveName(name string) bool {
	switch path.Ext(strings.TrimSuffix(name, " (deleted)")) {
	case ".apk", ".jar", ".zip":
		return true
	}
	return false
}

// beginsImage reports whether a mapping begins with an ELF header, which is not at
// the start of the file.
func (l *finder) beginsImage(e note.FileMapping) bool {
	b, err := l.p.Space.Dumped().Slice(e.Start, 4)
	return err == nil && e.Off != 0 && format.IsELF(b)
}

// beginsRun reports whether mapping i of an unavailable archive begins an image, as far as the mappings
// show. The mappings of one image have the same order in the file as in memory, and the writable ones
// come last.
func (l *finder) beginsRun(es []note.FileMapping, i int) bool {
	if !archiveName(es[i].Path) {
		return false
	}
	if i == 0 || es[i-1].Off == 0 {
		return es[i].Off != 0
	}
	const hole = 1 << 17 // what alignment may leave between segments, in bytes
	a, b := es[i-1], es[i]
	writable := func(e note.FileMapping) bool {
		j := mappingAt(l.p, e.Start)
		return j >= 0 && l.p.Mappings[j].Prot&core.Write != 0
	}
	return b.Off != 0 && (b.Off < a.Off || b.Start-a.End > hole || writable(a) && !writable(b))
}

// entries returns the libraries that an archive on disk has stored as they are.
func (l *finder) entries(name string) (out []inside) {
	src, _, _ := l.data(name, func(src core.Source) (err error) {
		stored, err := elf.Stored(src)
		for _, e := range stored {
			out = append(out, inside{name, e})
		}
		return err
	})
	if src != nil {
		src.Close()
	}
	return out
}

// entryAt returns the entry that holds the byte at an offset of the archive.
func entryAt(entries []inside, off uint64) (inside, bool) {
	for _, in := range entries {
		if off >= in.Off && off-in.Off < in.Size {
			return in, true
		}
	}
	return inside{}, false
}

// ownName returns the name that the image f gives itself; "" if that was not dumped.
func (l *finder) ownName(f *found) string {
	img, err := elf.NewMemoryFile(l.p.Space.Dumped(), f.base)
	if err != nil || !img.IsFor(l.Class, l.machine) {
		return ""
	}
	name := path.Base(img.SoName())
	if name == "." || name == "/" {
		return ""
	}
	return name
}
