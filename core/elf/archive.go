package elf

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
)

// Libraries may lie in an archive: Android maps those of an app straight from its
// APK, where they are stored as they are, from a page's start on (bionic,
// linker/linker.cpp, open_library_in_zipfile). The file that the process had
// mapped is the archive then, and each library in it is an image of its own, which
// begins at its own ELF header.

// An inside is the place of an image in the file that was mapped.
type inside struct {
	file string // the archive's path; "" if the image is the file
	off  uint64 // of its ELF header in the archive, in bytes
	size uint64 // 0 if unknown
	name string // of the entry, without folders; "" if unknown
}

// path is what the module of the image is called.
func (in inside) path() string {
	if in.name == "" {
		return fmt.Sprintf("%s!%#x", in.file, in.off)
	}
	return in.file + "!" + in.name
}

// archived separates the images that are mapped out of one file, whose mappings
// are in order of address. It returns nil if the file is an image itself, or none
// is found in it.
func (l *loader) archived(es []fileEntry) []*found {
	if !l.mayBeArchive(es) {
		return nil
	}
	entries := l.entries(es[0].path)
	guess := len(entries) == 0 && !slices.ContainsFunc(es, l.beginsImage)
	var out []*found
	var cur *found
	for i, e := range es {
		in, begins := entryAt(entries, e.off)
		if begins = begins && in.off == e.off; !begins {
			in, begins = inside{file: e.path, off: e.off}, l.beginsImage(e) || guess && l.beginsRun(es, i)
		}
		switch {
		case begins:
			cur = &found{origin: core.FromFileNote, base: e.start, hasBase: true, in: in}
			out = append(out, cur)
		case cur == nil || e.off < cur.in.off || cur.in.size != 0 && e.off >= cur.in.off+cur.in.size:
			continue // not a part of an image
		}
		cur.parts = append(cur.parts, core.ModulePart{Start: e.start, End: e.end, Off: e.off - cur.in.off})
	}
	for _, f := range out {
		if f.in.name == "" {
			f.in.name = l.ownName(f)
		}
		f.path = f.in.path()
	}
	return out
}

// mayBeArchive reports whether the mappings of a file are not those of an image:
// code is mapped, and nothing that could be the ELF header before it.
func (l *loader) mayBeArchive(es []fileEntry) bool {
	var whole uint64 // how far the mapping of the file's start reaches
	for _, e := range es {
		if e.off != 0 {
			continue
		}
		whole = max(whole, uint64(e.end-e.start))
		if b, err := l.p.Space.Dumped().Slice(e.start, 4); err == nil && len(bytes.Trim(b, "\x00")) > 0 {
			return !isELF(b) && l.executable(partsOf(es))
		}
	}
	for _, e := range es {
		// Segments of an image do not overlap in its file, except for a page.
		const page = 1 << 16
		if e.off != 0 && l.executable(partsOf([]fileEntry{e})) && (whole == 0 || whole > e.off+page) {
			return true
		}
	}
	return (archiveName(es[0].path) || slices.ContainsFunc(es, l.beginsImage)) && l.executable(partsOf(es))
}

func partsOf(es []fileEntry) (out []core.ModulePart) {
	for _, e := range es {
		out = append(out, core.ModulePart{Start: e.start, End: e.end, Off: e.off})
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
func (l *loader) beginsImage(e fileEntry) bool {
	b, err := l.p.Space.Dumped().Slice(e.start, 4)
	return err == nil && e.off != 0 && isELF(b)
}

// beginsRun reports whether the mapping i of an archive that is not to be had begins
// an image, as far as that can be seen from the mappings: those of one image follow
// each other in the file as they do in memory, and what can be written to comes
// last.
func (l *loader) beginsRun(es []fileEntry, i int) bool {
	if !archiveName(es[i].path) {
		return false
	}
	if i == 0 || es[i-1].off == 0 {
		return es[i].off != 0
	}
	const hole = 1 << 17 // what alignment may leave between segments, in bytes
	a, b := es[i-1], es[i]
	writable := func(e fileEntry) bool {
		j := l.mappingAt(e.start)
		return j >= 0 && l.p.Mappings[j].Prot&core.Write != 0
	}
	return b.off != 0 && (b.off < a.off || b.start-a.end > hole || writable(a) && !writable(b))
}

// entries returns the libraries that an archive on disk has stored as they are.
func (l *loader) entries(name string) (out []inside) {
	src, _, _ := l.data(name, func(src core.Source) (err error) {
		out, err = storedIn(src, name)
		return err
	})
	if src != nil {
		src.Close()
	}
	return out
}

// storedIn lists the libraries that are stored in the archive src.
func storedIn(src core.Source, name string) (out []inside, err error) {
	z, err := zip.NewReader(core.ReaderAt(src), src.Size())
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if f.Method != zip.Store || len(out) >= maxEntries {
			continue
		}
		if off, err := f.DataOffset(); err == nil && off > 0 && isELF(slice(src, uint64(off), 4)) {
			out = append(out, inside{file: name, off: uint64(off), size: f.UncompressedSize64, name: path.Base(f.Name)})
		}
	}
	return out, nil
}

// maxEntries bounds the libraries of one archive.
const maxEntries = 1 << 14

// entryAt returns the entry that holds the byte at an offset of the archive.
func entryAt(entries []inside, off uint64) (inside, bool) {
	for _, in := range entries {
		if off >= in.off && off-in.off < in.size {
			return in, true
		}
	}
	return inside{}, false
}

// ownName returns the name that the image f gives itself; "" if that was not dumped.
func (l *loader) ownName(f *found) string {
	img, err := NewMemoryFile(l.p.Space.Dumped(), f.base)
	if err != nil || img.class != l.class || img.machine != l.machine {
		return ""
	}
	name := path.Base(img.SoName())
	if name == "." || name == "/" {
		return ""
	}
	return name
}

// data returns the file that the process had at a path, if prove accepts it.
func (l *loader) data(name string, prove func(core.Source) error) (core.Source, string, []error) {
	return l.find(find.Want{Kind: find.Data, Path: name, Check: prove})
}

// insideFile returns the image in as a file of its own, if it has the build-id that
// is wanted or none is: out of the archive, or extracted from it.
func (l *loader) insideFile(in inside, id []byte) (core.Source, string, []error) {
	src, from, refused := l.data(in.file, func(src core.Source) error {
		if in.off == 0 {
			all, err := storedIn(src, in.file)
			i := slices.IndexFunc(all, func(e inside) bool { return e.name == in.name })
			if err != nil || i < 0 {
				return fmt.Errorf("%s: not stored in it", in.path())
			}
			in = all[i]
		}
		return checkBuildID(in.of(src), in.path(), id)
	})
	if src != nil {
		return in.of(src), from + strings.TrimPrefix(in.path(), in.file), refused
	}
	if in.name == "" {
		return nil, "", refused
	}
	name := "/" + in.name
	if abi := abiFolders[l.p.Arch]; abi != "" && len(id) > 0 {
		name = "/lib/" + abi + name
	}
	src, from, more := l.find(find.Want{Kind: find.Image, Path: name, ID: id})
	return src, from, append(refused, more...)
}

// abiFolders are the folders below lib that an APK has libraries in, by their ABI
// (Android NDK guides, "Android ABIs").
var abiFolders = map[*core.Arch]string{
	core.AMD64: "x86_64", core.I386: "x86", core.ARM64: "arm64-v8a", core.ARM: "armeabi-v7a", core.RISCV64: "riscv64",
}

// of returns the part of the archive that the image is.
func (in inside) of(src core.Source) core.Source {
	size := max(src.Size()-int64(in.off), 0)
	if in.size != 0 {
		size = min(size, int64(in.size))
	}
	return section{Source: src, off: int64(in.off), size: size}
}

// A section is a part of a Source.
type section struct {
	core.Source
	off, size int64 // bytes
}

// Size returns the number of bytes.
func (s section) Size() int64 { return s.size }

// Window returns the bytes from off on.
func (s section) Window(off int64) ([]byte, error) {
	if off < 0 || off >= s.size {
		return nil, io.EOF
	}
	w, err := s.Source.Window(s.off + off)
	return w[:min(int64(len(w)), s.size-off)], err
}

// splitArchive returns the image that a dynamic linker calls "archive!/entry".
func splitArchive(name string) (inside, bool) {
	file, entry, ok := strings.Cut(name, "!/")
	return inside{file: file, name: path.Base(entry)}, ok && file != "" && entry != ""
}

// Archive returns the file that src, of an image out of an archive, is a part of, and
// where in it the part begins, in bytes.
func Archive(src core.Source) (whole core.Source, off int64, ok bool) {
	s, ok := src.(section)
	return s.Source, s.off, ok
}

// Listing returns what in an archive says which libraries are stored in it and where,
// as offsets of beginnings and ends in bytes.
func Listing(src core.Source) [][2]int64 {
	l := &listed{Source: src}
	if _, err := storedIn(l, ""); err != nil {
		return nil
	}
	return l.read
}

// A listed is a Source that notes what is read of it.
type listed struct {
	core.Source
	read [][2]int64
}

// Window returns no more bytes than a header or two have.
func (l *listed) Window(off int64) ([]byte, error) {
	const most = 512
	w, err := l.Source.Window(off)
	w = w[:min(len(w), most)]
	if len(w) > 0 {
		l.read = append(l.read, [2]int64{off, off + int64(len(w))})
	}
	return w, err
}
