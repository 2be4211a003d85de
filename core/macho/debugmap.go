package macho

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// The debugging entries of a symbol table that make a debug map: the linker leaves
// DWARF in the object files and notes what it took from them (mach-o/stab.h).
const (
	nFun = 0x24 // a function; without a name, the size of the one before it
	nSO  = 0x64 // a source file; without a name, the end of it
	nOSO = 0x66 // an object file; its value is when that was written
)

// A DebugMap says which object file the code at an address was linked from.
type DebugMap struct {
	f       *File
	strs    stringTable
	objects []DebugObject
	funcs   []debugFunc // by address
}

// A DebugObject is an object file, or a member of an archive.
type DebugObject struct {
	Path string // "/x/a.o", or "/x/lib.a(a.o)"
	Time uint64 // of its last change, in seconds since 1970; 0 if unknown
}

type debugFunc struct {
	addr, size uint64
	name       uint32 // in the string table
	object     int32
}

// DebugMap returns the debug map of an image that has one; else nil.
func (f *File) DebugMap() *DebugMap {
	m := &DebugMap{f: f, strs: f.stringTable()}
	object := int32(-1)
	last := -1 // the function that has no size yet
	table := f.fileBytes(uint64(f.symtab[0]), uint64(f.symtab[1])*nlistSize)
	for b := table; len(b) >= nlistSize; b = b[nlistSize:] {
		typ, name, value := b[4], le.Uint32(b), le.Uint64(b[8:])
		switch typ {
		case nOSO:
			m.objects = append(m.objects, DebugObject{Path: string(m.strs.at(name)), Time: value})
			object, last = int32(len(m.objects)-1), -1
		case nSO:
			if len(m.strs.at(name)) == 0 {
				object, last = -1, -1
			}
		case nFun:
			switch named := len(m.strs.at(name)) > 0; {
			case named && object >= 0:
				last = len(m.funcs)
				m.funcs = append(m.funcs, debugFunc{addr: value, name: name, object: object})
			case !named && last >= 0:
				m.funcs[last].size, last = value, -1
			}
		}
	}
	if len(m.funcs) == 0 {
		return nil
	}
	slices.SortStableFunc(m.funcs, func(a, b debugFunc) int { return cmp.Compare(a.addr, b.addr) })
	return m
}

// Objects returns the object files in the order of the link.
func (m *DebugMap) Objects() []DebugObject { return m.objects }

// A DebugPlace is where code came from.
type DebugPlace struct {
	Object     int    // index into Objects
	Name       []byte // of the function, as the object file spells it
	Addr, Size uint64 // of the function in the image, as link-time address and bytes
}

// Find returns the function that holds a link-time address.
func (m *DebugMap) Find(link uint64) (DebugPlace, bool) {
	i := sort.Search(len(m.funcs), func(i int) bool { return m.funcs[i].addr > link }) - 1
	if i < 0 || link-m.funcs[i].addr >= m.funcs[i].size {
		return DebugPlace{}, false
	}
	p := m.funcs[i]
	return DebugPlace{int(p.object), m.strs.at(p.name), p.addr, p.size}, true
}

// An Object is an object file of a debug map.
type Object struct {
	*File
	symbols map[string]uint64
	proven  bool // it is as old as the one that was linked
}

// NewObject returns the object file in src: as a whole, or the member of an archive
// that o names. Its DWARF has the addresses of the object file.
func NewObject(src core.Source, path string, o DebugObject, modified uint64) (*Object, error) {
	if _, member, ok := splitMember(o.Path); ok {
		part, written, err := archiveMember(src, path, member, o.Time)
		if err != nil {
			return nil, err
		}
		src, modified = part, written
	}
	f, err := NewFile(src, path, 0, nil)
	if err != nil {
		return nil, err
	}
	if f.head.FileType != format.MHObject {
		return nil, fmt.Errorf("%s: not an object file", path)
	}
	obj := &Object{File: f, symbols: map[string]uint64{}, proven: o.Time != 0 && modified == o.Time}
	strs := f.stringTable()
	table := f.fileBytes(uint64(f.symtab[0]), uint64(f.symtab[1])*nlistSize)
	for b := table; len(b) >= nlistSize; b = b[nlistSize:] {
		if b[4]&nStab == 0 && b[4]&nType == nSect {
			obj.symbols[string(strs.at(le.Uint32(b)))] = le.Uint64(b[8:])
		}
	}
	return obj, nil
}

// Place returns the address in the object file of a link-time address of the image
// of a map. The error says why the object file is not the one that was linked: it
// has no such function, or, where its time does not prove it, other code in it.
func (o *Object) Place(m *DebugMap, p DebugPlace, link uint64) (uint64, error) {
	at, ok := o.symbols[string(p.Name)]
	if !ok {
		return 0, fmt.Errorf("%s: another file than the one that was linked: it has no %q", o.path, p.Name)
	}
	if !o.proven && !o.sameCode(m.f, at, p) {
		return 0, fmt.Errorf("%s: another file than the one that was linked: it is younger or older, and %q has other code", o.path, p.Name)
	}
	return at + (link - p.Addr), nil
}

// maxCompared bounds the bytes of a function that are compared.
const maxCompared = 1 << 20

// sameCode compares a function in the object file with the linked one, except for the places that the
// linker changed.
func (o *Object) sameCode(image *File, at uint64, p DebugPlace) bool {
	size := min(p.Size, maxCompared)
	have, was := bytes.Clone(o.at(at, size)), bytes.Clone(image.at(p.Addr, size))
	if uint64(len(have)) < size || uint64(len(was)) < size || size == 0 {
		return false
	}
	for _, r := range o.relocations(at) {
		// The linker may turn the load of an address into its calculation:
		// the opcode comes before the changed bytes.
		from, to := r.at-min(r.at, 3), r.at+r.size
		if o.head.CPUType == format.CPUARM64 {
			from = r.at
		}
		for i := max(from, at); i < min(to, at+size); i++ {
			have[i-at], was[i-at] = 0, 0
		}
	}
	return bytes.Equal(have, was)
}

// A relocation is a place that the linker fills in.
type relocation struct{ at, size uint64 }

// relocations returns the relocations of the section that holds an address (mach-o/reloc.h).
func (f *File) relocations(at uint64) (out []relocation) {
	for i := range f.segs {
		for _, s := range f.segs[i].Sections {
			if at < s.Addr || at-s.Addr >= s.Size {
				continue
			}
			b := f.fileBytes(uint64(s.Reloff), uint64(s.NReloc)*8)
			for ; len(b) >= 8; b = b[8:] {
				info := le.Uint32(b[4:])
				out = append(out, relocation{s.Addr + uint64(le.Uint32(b)), 1 << (info >> 25 & 3)})
			}
			return out
		}
	}
	return nil
}

// splitMember takes "/x/lib.a(a.o)" apart.
func splitMember(path string) (archive, member string, ok bool) {
	i := strings.LastIndexByte(path, '(')
	if i <= 0 || !strings.HasSuffix(path, ")") {
		return path, "", false
	}
	return path[:i], path[i+1 : len(path)-1], true
}
