package elfcore

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/note"
)

// A found is a module that was found, before it is one.
type found struct {
	path    string
	parts   []core.ModulePart
	origin  core.Origin
	base    core.Addr // of its ELF header
	hasBase bool
	phdrAt  core.Addr // of its program headers, if the process says; else 0
	image   *elf.File // in memory, if it was read already
	disk    *elf.File // the file at the path, if it was opened already, unproven
	refused error     // why files were refused, once the facts are known
	in      inside    // where it is in an archive, if it is in one
	id      []byte    // the build-id that a list of modules gives; nil if the core has no such list
	// read has the starts of parts that were mapped once more, by code that
	// reads the file.
	read map[core.Addr]bool
}

// farAway is the distance in bytes beyond which a mapping of a file is not a
// part of the image that begins at offset 0, but a second mapping of a piece.
const farAway = 1 << 28

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

// flat reports whether the mappings do not belong to an image: no mapping has the file's start, or two
// mappings have the same part of it. Segments of an image share at most a page.
func (f *found) flat() bool {
	bits := uint64(maxPage)
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

// reads notes that the part that starts at a was mapped once more, by code that reads the file.
func (f *found) reads(a core.Addr) {
	if f.read == nil {
		f.read = map[core.Addr]bool{}
	}
	f.read[a] = true
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

// readsAt reports whether the mapping of the file's start reaches to an offset of it
// where a segment of an image could not be too.
func (f *found) readsAt(off uint64) bool {
	i := slices.IndexFunc(f.parts, func(p core.ModulePart) bool { return p.Off == 0 })
	return i >= 0 && uint64(f.parts[i].End-f.parts[i].Start) > off+maxPage
}

// setParts makes the mappings that the loader makes of an image's segments, in pages of a size in bytes.
func (f *found) setParts(img *elf.File, bias, page core.Addr) {
	f.parts = nil
	for _, p := range img.Segments() {
		if p.FileSize == 0 {
			continue
		}
		start := bias + core.Addr(p.Addr)
		end := (start + core.Addr(p.FileSize)).Align(uint64(page))
		cut := start % page
		if uint64(cut) > p.Off || end <= start {
			continue
		}
		if !img.Header().Wide {
			start, end = start&(1<<32-1), end&(1<<32-1)
		}
		f.parts = append(f.parts, core.ModulePart{Start: start - cut, End: end, Off: p.Off - uint64(cut)})
		if p.Off == uint64(cut) && !f.hasBase {
			f.base, f.hasBase = start-cut, true
		}
		if len(f.parts) > 4096 {
			break
		}
	}
	slices.SortFunc(f.parts, func(a, b core.ModulePart) int { return cmp.Compare(a.Start, b.Start) })
}

// maxPage is the largest page in bytes that kernels use, except for huge ones.
const maxPage = 1 << 16

// biasOf returns the bias for which each mapping of the module is one that the loader makes of a
// segment of the file. If segments share the page of the first mapping, the other mappings decide which
// of them it is.
func (f *found) biasOf(file *elf.File) (bias core.Addr, fits bool) {
	const tries = 16
	i := slices.IndexFunc(f.parts, func(p core.ModulePart) bool { return !f.isCopy(p) })
	if i < 0 {
		return 0, false
	}
	var tried []core.Addr
	segments := file.Segments()
	for _, s := range segments {
		b, ok := biasIn(f.parts[i], s, file)
		if !ok || slices.Contains(tried, b) {
			continue
		}
		if f.fitsAt(b, segments, file) {
			return b, true
		}
		if tried = append(tried, b); len(tried) == tries {
			break
		}
	}
	if len(tried) == 0 {
		return 0, false
	}
	return tried[0], false
}

// fitsAt reports whether at a bias each mapping of the module has a piece of a segment, or fills a hole between two.
func (f *found) fitsAt(bias core.Addr, segments []core.ImageSegment, file *elf.File) bool {
	for _, part := range f.parts {
		if !f.isCopy(part) && !hole(part, bias, segments) &&
			!slices.ContainsFunc(segments, func(s core.ImageSegment) bool {
				b, ok := biasIn(part, s, file)
				return ok && b == bias
			}) {
			return false
		}
	}
	return true
}

// hole reports whether a mapping fills a hole between two segments. Loaders map a library as a whole, as its first
// segment is mapped, then the other segments over that.
func hole(part core.ModulePart, bias core.Addr, segments []core.ImageSegment) bool {
	if len(segments) == 0 || part.Start-core.Addr(part.Off) != bias+core.Addr(segments[0].Addr-segments[0].Off) {
		return false
	}
	follows := false
	for _, s := range segments {
		start, end := bias+core.Addr(s.Addr), bias+core.Addr(s.Addr+s.FileSize)
		if start < part.End && part.Start < end {
			return false
		}
		follows = follows || start >= part.End
	}
	return follows
}

// biasIn returns the bias that a mapping gives a segment of the file, if it can have a piece of the segment.
func biasIn(part core.ModulePart, s core.ImageSegment, file *elf.File) (bias core.Addr, ok bool) {
	if part.Off+maxPage <= s.Off || part.Off >= s.Off+s.FileSize+maxPage {
		return 0, false
	}
	bias = part.Start - core.Addr(s.Addr+part.Off-s.Off)
	if !file.Header().Wide {
		bias &= 1<<32 - 1
	}
	return bias, true
}

// byFile groups mappings by their files, in the order of the first of each.
func byFile(es []note.FileMapping) (out [][]note.FileMapping) {
	at := map[string]int{}
	for _, e := range es {
		i, ok := at[e.Path]
		if !ok {
			i = len(out)
			at[e.Path] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}
