package page

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// name finds the space that owns the page: among the words of its header the
// one that leads to an object of a class of v8::internal whose name ends in
// Space; where no symbol names them, by the flags, until nameByNumber.
func (f *pageFinder) name(p *Page) {
	hs, l := f.v, &f.layout
	for off := l.OwnerFirst; off < l.OwnerTo; off += 8 {
		w, ok := hs.Word(p.Head + core.Addr(off))
		if !ok || w == 0 || w&7 != 0 || w>>48 != 0 {
			continue
		}
		name, known := f.spaces[core.Addr(w)]
		if !known {
			name = f.spaceName(core.Addr(w))
			f.spaces[core.Addr(w)] = name
		}
		if name != "" {
			p.Owner, p.Space = core.Addr(w), name
			break
		}
	}
	if p.Space == "" {
		p.Space = SpaceByFlags(p)
	}
	f.settle(p)
}

// settle says by the space of a page whether it holds one object.
func (f *pageFinder) settle(p *Page) {
	if strings.HasSuffix(p.Space, "large_object_space") {
		p.Large = true
	} else if p.Owner != 0 && uint64(p.End-p.Start) <= f.layout.Bytes() {
		p.Large = false
	}
}

// spaceClasses maps V8's classes of spaces to the names that it gives them in
// heap statistics (BaseSpace::GetSpaceName).
var spaceClasses = map[string]string{
	"ReadOnlySpace": "read_only_space", "SharedReadOnlySpace": "read_only_space",
	"SemiSpace": "new_space", "NewSpace": "new_space", "SemiSpaceNewSpace": "new_space", "PagedNewSpace": "new_space",
	"PagedSpaceForNewSpace": "new_space",
	"OldSpace":              "old_space", "CodeSpace": "code_space", "MapSpace": "map_space",
	"SharedSpace":  "shared_space",
	"TrustedSpace": "trusted_space", "SharedTrustedSpace": "shared_trusted_space", "StickySpace": "old_space",
	"CompactionSpace": "old_space", "CompactionSpaceCollection": "old_space",
	"OldLargeObjectSpace": "large_object_space", "LargeObjectSpace": "large_object_space",
	"CodeLargeObjectSpace": "code_large_object_space", "NewLargeObjectSpace": "new_large_object_space",
	"SharedLargeObjectSpace": "shared_large_object_space", "TrustedLargeObjectSpace": "trusted_large_object_space",
	"SharedTrustedLargeObjectSpace": "shared_trusted_large_object_space",
}

func (f *pageFinder) spaceName(a core.Addr) string {
	vtable, ok := f.v.Word(a)
	if !ok || vtable == 0 {
		return ""
	}
	s, _, ok := f.v.Symbols.Lookup(core.Addr(vtable))
	if !ok {
		return ""
	}
	// Itanium C++ ABI: _ZTV, then the nested name N2v88internal8OldSpaceE.
	rest, ok := strings.CutPrefix(s.Name, "_ZTVN2v88internal")
	if !ok {
		return ""
	}
	rest = strings.TrimSuffix(strings.TrimLeft(rest, "0123456789"), "E")
	return spaceClasses[rest]
}

// SpaceByFlags names a space as well as the flags of its page allow.
func SpaceByFlags(p *Page) string {
	name := "old_space"
	switch {
	case p.Heap == 0:
		return "read_only_space"
	case p.Flags&(layout.PageFrom|layout.PageTo) != 0:
		name = "new_space"
	case p.Flags&layout.PageExecutable != 0:
		name = "code_space"
	}
	if !p.Large {
		return name
	}
	return strings.TrimPrefix(strings.Replace(name, "space", "large_object_space", 1), "old_")
}

// A numberedSpace is a Space, which says what number it has.
type numberedSpace struct {
	at     core.Addr
	number int
}

// maxSpaceHeap is up to where a Space has its heap: after the observers of allocation
// until V8 8.4 (heap/spaces.h), else first (heap/base-space.h). Its number comes after it.
const maxSpaceHeap = 64

// maxSpaceNumber is more than the number of a space of any version.
const maxSpaceNumber = 16

// fewMisfits is the number of pages with at most one page that does not look like its space: a collection
// that is under way moves pages from one space to another.
const fewMisfits = 10

// nameByNumber names the pages whose spaces no symbol names by the numbers of these, if
// pages of their heap look as those names say.
func (f *pageFinder) nameByNumber(pages []Page) {
	names := layout.SpaceNames(f.v.Layout.Version)
	if names == nil {
		return
	}
	known := map[core.Addr]numberedSpace{}
	fits, misfits := map[core.Addr]int{}, map[core.Addr]int{}
	each := func(visit func(p *Page, s numberedSpace, ok bool)) {
		for i := range pages {
			p := &pages[i]
			if s := f.numbered(p, known); s.at != 0 {
				visit(p, s, s.number < len(names) && f.looks(p, names[s.number]))
			}
		}
	}
	each(func(p *Page, _ numberedSpace, ok bool) {
		if ok {
			fits[p.Heap]++
		} else {
			misfits[p.Heap]++
		}
	})
	each(func(p *Page, s numberedSpace, ok bool) {
		if ok && p.Owner == 0 && misfits[p.Heap]*fewMisfits <= fits[p.Heap] {
			p.Owner, p.Space = s.at, names[s.number]
			f.settle(p)
		}
	})
}

// numbered returns the Space among the words of a page's header; known has the words that were looked at.
func (f *pageFinder) numbered(p *Page, known map[core.Addr]numberedSpace) numberedSpace {
	if p.Heap == 0 {
		return numberedSpace{}
	}
	for off := f.layout.OwnerFirst; off < f.layout.OwnerTo; off += 8 {
		w, ok := f.v.Word(p.Head + core.Addr(off))
		if !ok || w == 0 || w&7 != 0 || w>>48 != 0 {
			continue
		}
		s, seen := known[core.Addr(w)]
		if !seen {
			s = f.numberOf(core.Addr(w), p.Heap)
			known[core.Addr(w)] = s
		}
		if s.at != 0 {
			return s
		}
	}
	return numberedSpace{}
}

// numberOf returns the Space at a, if there is one of that heap.
func (f *pageFinder) numberOf(a, heap core.Addr) numberedSpace {
	var b [maxSpaceHeap + 16]byte
	if !f.v.Bytes(b[:], a) {
		return numberedSpace{}
	}
	if vtable := core.Addr(f.v.Order.Uint64(b[:])); vtable&7 != 0 || vtable == heap {
		return numberedSpace{}
	}
	for off := 8; off <= maxSpaceHeap; off += 8 {
		if core.Addr(f.v.Order.Uint64(b[off:])) != heap {
			continue
		}
		if n := f.v.Order.Uint32(b[off+8:]); n < maxSpaceNumber {
			return numberedSpace{a, int(n)}
		}
	}
	return numberedSpace{}
}

// looks reports whether a page may belong to the space of that name.
func (f *pageFinder) looks(p *Page, name string) bool {
	young := name == "new_space" || name == "new_large_object_space"
	switch {
	case p.Owner != 0 && p.Space != name, // a symbol says otherwise
		young != (p.Flags&(layout.PageFrom|layout.PageTo) != 0),
		p.Flags&layout.PageExecutable != 0 && !strings.HasPrefix(name, "code_"),
		uint64(p.End-p.Start) > f.layout.Bytes() && !strings.HasSuffix(name, "large_object_space"):
		return false
	}
	return true
}
