package elfcore

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/find"
)

// maxLinks bounds the link_map chain.
const maxLinks = 1 << 16

// fromLinkMap reads the dynamic linker's list of images: DT_DEBUG of the
// executable points to struct r_debug (version, then r_map), whose r_map is the
// first struct link_map: l_addr, l_name, l_ld, l_next, l_prev (glibc,
// include/link.h; musl and bionic agree on these).
func (l *finder) fromLinkMap(exe *found) []*found {
	at := l.rDebug(exe)
	if at == 0 {
		return nil
	}
	mem := l.p.Space.Dumped()
	w := core.Addr(l.Ptr())
	c := core.NewCursor(mem, l.Order, l.Ptr())
	link := c.Pointer(at + w)
	seen := map[core.Addr]bool{}
	var out []*found
	for n := 0; link != 0 && c.Err() == nil; n++ {
		if seen[link] || n >= maxLinks {
			l.p.Warn("link_map", fmt.Sprintf("the chain runs in a circle at %v: %d images were read", link, n))
			return out
		}
		seen[link] = true
		addr, name, ld := c.Pointer(link), c.Pointer(link+w), c.Pointer(link+2*w)
		if c.Err() != nil {
			break
		}
		path := l.linkName(name, exe)
		// The first is the executable, whose name is empty.
		if vdso := auxAddr(l.p, atSysinfoEHDR); n > 0 && path != "" && (vdso == 0 || addr != vdso) {
			if f := l.fromLink(addr, ld, path); f != nil {
				if in, ok := splitArchive(path); ok {
					f.in, f.path = in, in.path()
				}
				out = append(out, f)
			}
		}
		link = c.Pointer(link + 3*w)
	}
	if err := c.Err(); err != nil {
		l.p.Warn("link_map", fmt.Sprintf("the chain breaks after %d images: %v", len(seen), err))
	}
	return out
}

// linkName reads the name of a link_map entry. That of the dynamic linker is the
// executable's PT_INTERP, and so in its text: where that was not dumped, it is
// in its file.
func (l *finder) linkName(a core.Addr, exe *found) string {
	s, err := core.CString(l.p.Space.Dumped(), a, 4096)
	if err == nil {
		return s
	}
	for _, p := range exe.parts {
		if p.Start <= a && a < p.End {
			if f := l.exeFile(exe); f != nil {
				return format.CString(format.Slice(f.Source(), p.Off+uint64(a-p.Start), 4096), 0)
			}
		}
	}
	return ""
}

// exeFile returns the file at the executable's path without checking its build-id; nil if there is no
// file.
func (l *finder) exeFile(exe *found) *elf.File {
	if exe.disk == nil {
		src, from, _ := l.lookup(exe.path, nil)
		if src == nil {
			return nil
		}
		l.opened.Add(src)
		f, err := elf.NewFile(src, from)
		if err != nil || !f.IsFor(l.Class, l.machine) {
			return nil
		}
		exe.disk = f
	}
	return exe.disk
}

// rDebug returns the address of r_debug, 0 if it cannot be found.
func (l *finder) rDebug(exe *found) core.Addr {
	if exe == nil {
		return 0
	}
	img := exe.image
	if img == nil && exe.phdrAt != 0 {
		n, _ := l.p.AuxValue(atPHNUM)
		img = elf.NewMemoryProgs(l.p.Space.Dumped(), l.Class, l.machine, exe.phdrAt, 0, n)
	}
	if img == nil && exe.hasBase {
		img, _ = elf.NewMemoryFile(l.p.Space.Dumped(), exe.base)
	}
	if img != nil {
		if r, _, ok := img.DebugEntry(); ok {
			return r
		}
	}
	// The program headers were not dumped, but .dynamic, which is written to,
	// may have been: its place is in the file.
	f := l.exeFile(exe)
	if f == nil {
		return 0
	}
	_, word, ok := f.DebugEntry()
	if !ok || word == 0 {
		return 0
	}
	bias := auxAddr(l.p, atEntry) - core.Addr(f.Entry())
	c := core.NewCursor(l.p.Space.Dumped(), l.Order, l.Ptr())
	return c.Pointer(bias + core.Addr(word))
}

// fromLink makes a module of a link_map entry from the headers in memory or in the file.
func (l *finder) fromLink(addr, ld core.Addr, path string) *found {
	if f := l.imageAt(addr, path, core.FromLinkMap); f != nil {
		return f
	}
	src, from, _ := l.find(find.Want{Kind: find.Image, Path: path})
	if src == nil {
		return l.fromMappings(addr, ld, path)
	}
	l.opened.Add(src)
	img, err := elf.NewFile(src, from)
	if err != nil || !img.IsFor(l.Class, l.machine) {
		return l.fromMappings(addr, ld, path)
	}
	// The file must have its dynamic section where the process had it.
	if dynamic, ok := img.DynamicAddr(); !ok || addr+core.Addr(dynamic) != ld {
		l.p.Warn(format.Quote(path), "the file on disk is not the one that was loaded: its dynamic section is elsewhere")
		return l.fromMappings(addr, ld, path)
	}
	f := &found{path: path, origin: core.FromLinkMap}
	f.setParts(img, addr, pageSize(l.p))
	if len(f.parts) == 0 {
		return nil
	}
	return f
}

// fromMappings makes a module of a link_map entry without headers or a file. The module extends from
// its load address over the mappings that follow without a gap, to the one with its dynamic section.
// Its parts have the offsets that they would have if the whole file were mapped.
func (l *finder) fromMappings(addr, ld core.Addr, path string) *found {
	i := mappingAt(l.p, addr)
	if i < 0 || l.p.Mappings[i].Start != addr || ld < addr {
		return nil
	}
	f := &found{path: path, origin: core.FromLinkMap, base: addr, hasBase: true}
	end := addr
	for _, m := range l.p.Mappings[i:] {
		if m.Start != end {
			return nil
		}
		f.parts = append(f.parts, core.ModulePart{Start: m.Start, End: m.End, Off: uint64(m.Start - addr)})
		if end = m.End; ld < end {
			return f
		}
	}
	return nil
}
