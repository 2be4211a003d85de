package machocore

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/cache"
	"coredbg/core/macho/format"
)

// scanBudget is the number of pages whose first bytes a scan looks at, after the
// starts of regions.
const scanBudget = 1 << 17

// scan looks for dyld, and through it for the images: at the starts of regions, in the shared cache if
// one begins at such a start, and last at every page, regions with code first. It takes the dyld whose
// list of images is in use; a process since macOS 13 may have a second one, in the shared cache.
// Without dyld the list is made of the images whose headers were found.
func (l *finder) scan() []listed {
	var found []listed
	var caches []core.Addr
	for n, s := range l.p.Space.Segments() {
		l.forget(n, 64)
		if s.Kind != core.SegCore {
			continue
		}
		a := s.Start.Align(4096)
		if a >= s.End || a < s.Start {
			continue
		}
		b, err := l.p.Space.Window(a)
		if err != nil {
			continue
		}
		if _, ok := cache.ParseHeader(b[:min(len(b), cache.HeaderSize)]); ok {
			caches = append(caches, a)
			continue
		}
		list, dyld := l.scanAt(a, b)
		if dyld {
			return list
		}
		found = append(found, list...)
	}
	for _, a := range caches {
		if list, dyld := l.scanCache(a); dyld {
			return list
		}
	}
	budget := scanBudget
	for _, exec := range []core.Prot{core.Exec, 0} {
		for _, s := range l.p.Space.Segments() {
			if s.Kind != core.SegCore || s.Prot&core.Exec != exec {
				continue
			}
			for a := s.Start.Align(4096); a < s.End && a >= s.Start && budget > 0; a += 4096 {
				budget--
				l.forget(budget, 1024)
				b, err := l.p.Space.Window(a)
				if err != nil {
					break
				}
				if list, dyld := l.scanAt(a, b); dyld {
					return list
				}
			}
		}
	}
	switch {
	case budget == 0:
		l.p.Warn("dyld", fmt.Sprintf("it was not found at the starts of regions, nor in %d pages: only images that begin a region are listed", scanBudget))
	case len(found) > 0:
		l.p.Warn("dyld", "it is not in the core: only images that begin a region are listed")
	}
	return found
}

// scanCache looks for the dyld of a shared cache that begins at a.
func (l *finder) scanCache(a core.Addr) (list []listed, dyld bool) {
	b, _ := l.p.Space.Slice(a, cache.HeaderSize)
	h, ok := cache.ParseHeader(b)
	if !ok || l.cache.base != 0 {
		return nil, false
	}
	mh, start := h.Dyld(), h.Start()
	if start == 0 || mh < start {
		return nil, false // the header of another file than the first, or an old cache
	}
	l.cache = cacheInfo{uuid: h.UUID(), base: a}
	at := a + core.Addr(mh-start)
	if b, err := l.p.Space.Window(at); err == nil {
		return l.scanAt(at, b)
	}
	return nil, false
}

// scanAt looks at a page that begins with b: an image, if one begins there; if it is
// dyld and its list can be read, all that it lists.
func (l *finder) scanAt(a core.Addr, b []byte) (list []listed, dyld bool) {
	h, ok := format.ParseHeader(b)
	if !ok || h.CPUType != l.cputype {
		return nil, false
	}
	switch h.FileType {
	case format.MHDylinker:
		f := macho.NewMemoryFile(l.p.Space.Dumped(), a)
		if f == nil {
			return nil, false
		}
		c := l.p.Cursor()
		if at := allImageInfos(f); at != 0 && c.U32(at) != 0 && c.Err() == nil {
			return l.fromInfos(at, a), true
		}
		return dyldOnly(a), false
	case format.MHExecute, format.MHDylib, format.MHBundle:
		return []listed{{load: a, from: core.FromHeaders}}, false
	}
	return nil, false
}

// headers lists the images that begin where regions do.
func (l *finder) headers() (out []listed) {
	for _, s := range l.p.Space.Segments() {
		if s.Kind != core.SegCore {
			continue
		}
		if b, err := l.p.Space.Window(s.Start); err == nil {
			if h, ok := format.ParseHeader(b); ok && h.FileType != format.MHDylinker {
				list, _ := l.scanAt(s.Start, b)
				out = append(out, list...)
			}
		}
	}
	return out
}
