package elfcore

import (
	"bytes"
	stdelf "debug/elf"
	"sort"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/elf/note"
	"coredbg/core/find"
)

// Segments of an image share pages of its file. Where the first ones are shorter than a page, as lld and mold
// lay out small images, each of their mappings has the start of the file, with the ELF header: the image
// begins at the lowest one that its program headers agree with.

// Bounds for the images of hostile cores: mappings that are tried although they fit no image, program headers of each,
// and files that are opened for these headers.
const (
	maxMisfits = 4096
	maxHeaders = 256
	maxPlaced  = 256
)

// owners returns for each mapping of a file the index of the first mapping of its image, or -1 if no headers tell. The
// mappings are in order of address.
func (l *finder) owners(es []note.FileMapping) []int {
	out := make([]int, len(es))
	for i := range out {
		out[i] = -1
	}
	file := l.placing(es)
	for i := range es {
		if out[i] >= 0 || l.misfits >= maxMisfits {
			continue
		}
		img := l.headersAt(es[i].Start)
		if img == nil && file != nil && es[i].Off == 0 {
			img = file
		}
		if img == nil {
			continue
		}
		end, ok := l.fit(img, es, i)
		if !ok {
			l.misfits++
			continue
		}
		for j := i; j < len(es) && es[j].Start < end; j++ {
			out[j] = i
		}
	}
	return out
}

// placing returns the file itself, whose headers tell where images of it begin if its start is mapped several times and
// was not dumped each time; nil if that is not so or the file is not to be had.
func (l *finder) placing(es []note.FileMapping) *elf.File {
	starts, missing := 0, 0
	for _, e := range es {
		if e.Off != 0 {
			continue
		}
		starts++
		if b, err := l.p.Space.Dumped().Slice(e.Start, 4); err != nil || len(bytes.Trim(b, "\x00")) == 0 {
			missing++
		}
	}
	if starts < 2 || missing == 0 || l.placed >= maxPlaced || !l.executable(partsOf(es)) {
		return nil
	}
	l.placed++
	src, from, _ := l.find(find.Want{Kind: find.Image, Path: es[0].Path})
	if src == nil {
		return nil
	}
	l.opened.Add(src)
	f, err := elf.NewFile(src, from)
	if err != nil || !f.IsFor(l.Class, l.machine) || len(f.Segments()) > maxHeaders {
		return nil
	}
	return f
}

// fit reports whether an image begins with the mapping i of a file, and returns where its bytes in the file end: what
// the file has mapped where they put segments is those segments, one with code among them.
func (l *finder) fit(img *elf.File, es []note.FileMapping, i int) (end core.Addr, ok bool) {
	bias, ok := img.BiasAt(es[i].Start)
	if h := img.Header(); !ok || h.Type != stdelf.ET_DYN && (h.Type != stdelf.ET_EXEC || l.wrap(bias) != 0) {
		return 0, false
	}
	needs, has := false, false // segments with code
	for _, p := range img.Segments() {
		if p.FileSize == 0 {
			continue
		}
		code := p.Prot&core.Exec != 0
		needs = needs || code
		start := l.wrap(bias + core.Addr(p.Addr))
		end = max(end, start+core.Addr(p.FileSize))
		j := sort.Search(len(es), func(j int) bool { return es[j].End > start })
		if j == len(es) || es[j].Start > start {
			continue // not mapped, or something else is mapped over it
		}
		off := es[j].Off - es[i].Off + uint64(start-es[j].Start)
		if off != p.Off || j < i || code && !l.mayRun(es[j]) {
			return 0, false
		}
		has = has || code
	}
	return end, (has || !needs) && (img.Source() == nil || img.SameDynamic(l.p.Space.Dumped(), bias))
}

// headersAt returns the image with its ELF header at a, or nil if the process cannot have loaded it.
func (l *finder) headersAt(a core.Addr) *elf.File {
	b, err := l.p.Space.Dumped().Slice(a, l.HeaderSize())
	if err != nil || !format.IsELF(b) {
		return nil
	}
	h, err := format.ParseHeader(b, "")
	if err != nil || h.Phnum > maxHeaders {
		return nil
	}
	img, err := elf.NewMemoryFile(l.p.Space.Dumped(), a)
	if err != nil || !img.IsFor(l.Class, l.machine) {
		return nil
	}
	return img
}

// wrap cuts an address to the width of the process.
func (l *finder) wrap(a core.Addr) core.Addr {
	if !l.Wide {
		a &= 1<<32 - 1
	}
	return a
}

// mayRun reports whether a mapping of a file holds code, as far as the core says.
func (l *finder) mayRun(e note.FileMapping) bool {
	i := mappingAt(l.p, e.Start)
	return i < 0 || l.p.Mappings[i].Prot == 0 || l.p.Mappings[i].Prot&core.Exec != 0
}

// split groups the mappings of a file to images: by the headers in memory, or else by the offsets.
func (l *finder) split(es []note.FileMapping, owners []int) (all []*found) {
	var cur, loaded *found // loaded is the first that is more than one mapping
	begun, placed := map[int]*found{}, map[*found]bool{}
	for i, e := range es {
		f := begun[owners[i]]
		switch {
		case f != nil:
			if loaded == nil {
				loaded = f
			}
		// A file that is mapped from its start again was loaded again, or is
		// mapped whole by a program that reads it.
		case cur != nil && e.Off != 0 && cur.readsAt(e.Off):
			f = loaded // a piece that is mapped once more
		case cur != nil && e.Off == 0 && owners[i] < 0 && l.continues(es, i, owners):
			f = cur
		case e.Off != 0 || cur != nil && !cur.hasBase:
			f = cur
		}
		if f == nil {
			f = &found{path: e.Path, origin: core.FromFileNote}
			all = append(all, f)
			cur = f
		}
		if e.Off == 0 && !f.hasBase {
			f.base, f.hasBase, cur = e.Start, true, f
		} else if e.Off != 0 && loaded == nil {
			loaded = f
		}
		if owners[i] == i && e.Off == 0 {
			begun[i], placed[f] = f, true
		}
		if owners[i] < 0 && placed[f] { // its headers put no segment there
			f.reads(e.Start)
		}
		f.parts = append(f.parts, core.ModulePart{Start: e.Start, End: e.End, Off: e.Off})
	}
	return all
}

// continues reports whether the mapping i, which has the same piece of its file as the one before it, is the
// next segment of an image whose headers were not dumped: it follows closely, the first is a page at most,
// and they are protected as segments in this order are.
func (l *finder) continues(es []note.FileMapping, i int, owners []int) bool {
	if i == 0 || es[i].Off != es[i-1].Off || owners[i] >= 0 || owners[i-1] >= 0 {
		return false
	}
	const hole = 1 << 17 // what alignment may leave between segments, in bytes
	a, b := mappingAt(l.p, es[i-1].Start), mappingAt(l.p, es[i].Start)
	if a < 0 || b < 0 || es[i-1].End-es[i-1].Start > maxPage || es[i].Start-es[i-1].End > hole {
		return false
	}
	before, after := l.p.Mappings[a].Prot, l.p.Mappings[b].Prot
	if before&core.Write != 0 {
		return after&core.Write != 0
	}
	return before != after
}
