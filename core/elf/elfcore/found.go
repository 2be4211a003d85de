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
	in      inside    // where it lies in an archive, if it does
	id      []byte    // the build-id that a list of modules gives; nil if none does
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

// readsAt reports whether the mapping of the file's start reaches to an offset of it
// where a segment of an image could not be too.
func (f *found) readsAt(off uint64) bool {
	const page = 1 << 16
	i := slices.IndexFunc(f.parts, func(p core.ModulePart) bool { return p.Off == 0 })
	return i >= 0 && uint64(f.parts[i].End-f.parts[i].Start) > off+page
}

// setParts makes the mappings that the loader makes of an image's segments.
func (f *found) setParts(img *elf.File, bias core.Addr) {
	const page = 4096
	f.parts = nil
	for _, p := range img.Segments() {
		if p.FileSize == 0 {
			continue
		}
		start := bias + core.Addr(p.Addr)
		end := (start + core.Addr(p.FileSize)).Align(page)
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

// biasOf returns the bias at which each mapping of the module is one that the
// loader makes of a segment of the file.
func (f *found) biasOf(file *elf.File) (bias core.Addr, fits bool) {
	const page = 1 << 16 // the largest page that kernels use, except for huge ones
	segments := file.Segments()
	for _, part := range f.parts {
		if f.isCopy(part) {
			continue
		}
		ok := false
		for _, p := range segments {
			if part.Off+page <= p.Off || part.Off >= p.Off+p.FileSize+page {
				continue
			}
			b := part.Start - core.Addr(p.Addr+part.Off-p.Off)
			if !file.Header().Wide {
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
