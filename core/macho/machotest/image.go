// Package machotest makes Mach-O images and cores, and files of the shared cache, for tests of their
// readers.
package machotest

import (
	"bytes"
	"slices"

	"coredbg/core/macho/format"
)

// An Image is a Mach-O image that a test makes.
type Image struct {
	CPUType, FileType, Flags int
	UUID                     byte // 16 times
	ID                       string
	Dylibs                   []string
	Segs                     []Seg
	Trie, Fixups, Starts     []byte
	Symbols                  []Sym
}

// A Seg is a segment; the first one gets the header before its data.
type Seg struct {
	Name     string
	Addr     uint64
	Prot     int
	Flags    int
	Data     []byte
	Zero     uint64 // bytes after Data
	Sections []Sect
}

// A Sect is a section, at an offset of its segment.
type Sect struct {
	Name      string
	Off, Size uint64
	Flags     int
}

// A Sym is an nlist_64.
type Sym struct {
	Name string
	Typ  byte
	Sect byte
	Desc uint16
	Val  uint64
}

const pageSize = 0x1000

func roundUp(n uint64) uint64 { return (n + pageSize - 1) &^ (pageSize - 1) }

// headerRoom is what the first segment leaves before its data.
const headerRoom = 0x800

// tables returns the bytes of the symbol table and of its names.
func (s *Image) tables() (nlists, strs []byte) {
	strs = []byte{0}
	for _, y := range s.Symbols {
		at := len(strs)
		if y.Name == "" {
			at = 0
		} else {
			strs = append(append(strs, y.Name...), 0)
		}
		nlists = append(nlists, Words(at, []byte{y.Typ, y.Sect, byte(y.Desc), byte(y.Desc >> 8)}, y.Val)...)
	}
	return nlists, strs
}

// Build lays the image out as linkers do: segments at pages, __LINKEDIT last. The
// place of each segment in the file can be given, for images of the shared cache.
func (s *Image) Build() []byte {
	segs := slices.Clone(s.Segs)
	var edit []byte
	put := func(b []byte) (at int) {
		edit = append(edit, make([]byte, -len(edit)&7)...)
		at = len(edit)
		edit = append(edit, b...)
		return at
	}
	trieAt, fixAt, startsAt := put(s.Trie), put(s.Fixups), put(s.Starts)
	nlists, strs := s.tables()
	symAt, strAt := put(nlists), put(strs)
	if len(segs) > 0 {
		first := &segs[0]
		first.Data = append(make([]byte, headerRoom), first.Data...)
		for i := range first.Sections {
			first.Sections = slices.Clone(first.Sections)
			first.Sections[i].Off += headerRoom
		}
	}
	end := uint64(0)
	for _, g := range segs {
		end = max(end, g.Addr+roundUp(uint64(len(g.Data))+g.Zero))
	}
	segs = append(segs, Seg{Name: "__LINKEDIT", Addr: end, Prot: 1, Data: edit})
	var out []byte
	var cmds [][]byte
	for _, g := range segs {
		off := uint64(len(out))
		var sects []byte
		for _, x := range g.Sections {
			fileOff := int(off + x.Off)
			if x.Off >= uint64(len(g.Data)) {
				fileOff = 0
			}
			sects = append(sects, Words(Pad16(x.Name), Pad16(g.Name), g.Addr+x.Off, x.Size, fileOff, 0, 0, 0,
				x.Flags, 0, 0, 0)...)
		}
		cmds = append(cmds, LC(format.LCSegment64, Words(Pad16(g.Name), g.Addr, roundUp(uint64(len(g.Data))+g.Zero),
			off, uint64(len(g.Data)),
			7, g.Prot, len(g.Sections), g.Flags, sects)))
		out = append(out, g.Data...)
		if g.Name != "__LINKEDIT" {
			out = append(out, make([]byte, roundUp(uint64(len(out)))-uint64(len(out)))...)
		}
	}
	editAt := len(out) - len(edit)
	cmds = append(cmds, LC(format.LCUUID, bytes.Repeat([]byte{s.UUID}, 16)))
	if s.ID != "" {
		cmds = append(cmds, DylibCommand(format.LCIDDylib, s.ID))
	}
	for _, d := range s.Dylibs {
		cmds = append(cmds, DylibCommand(format.LCLoadDylib, d))
	}
	if len(s.Symbols) > 0 {
		cmds = append(cmds, LC(format.LCSymtab, Words(editAt+symAt, len(s.Symbols), editAt+strAt, len(strs))))
	}
	for _, x := range []struct {
		cmd, at int
		b       []byte
	}{{format.LCExportsTrie, trieAt, s.Trie}, {format.LCChainedFixups, fixAt, s.Fixups},
		{format.LCFunctionStarts, startsAt, s.Starts}} {
		if len(x.b) > 0 {
			cmds = append(cmds, LC(x.cmd, Words(editAt+x.at, len(x.b))))
		}
	}
	all := bytes.Join(cmds, nil)
	copy(out, Words(0xfeedfacf, s.CPUType, 0, s.FileType, len(cmds), len(all), s.Flags, 0, all))
	return out
}

// Pad16 fills a name up with zeros.
func Pad16(s string) []byte { return append([]byte(s), make([]byte, 16-len(s))...) }

// DylibCommand is a load command with the path of a library.
func DylibCommand(cmd int, path string) []byte {
	b := append([]byte(path), 0)
	b = append(b, make([]byte, -len(b)&7)...)
	return LC(cmd, Words(24, 0, 0, 0, b))
}

// Trie exports names, each with an edge of its own.
func Trie(exports map[string]uint64) []byte {
	names := make([]string, 0, len(exports))
	size := 2
	for n := range exports {
		names = append(names, n)
		size += len(n) + 3
	}
	slices.Sort(names)
	root, nodes := []byte{0, byte(len(names))}, []byte(nil)
	for _, n := range names {
		at := size + len(nodes)
		root = append(append(root, n...), 0, byte(at&0x7f|0x80), byte(at>>7))
		v := exports[n]
		nodes = append(nodes, 4, 0, byte(v&0x7f|0x80), byte(v>>7&0x7f|0x80), byte(v>>14), 0)
	}
	return append(root, nodes...)
}

// Chains makes an LC_DYLD_CHAINED_FIXUPS for one page of one segment; imports are
// names with their libraries.
func Chains(segs, seg, form, first int, segOffset uint64, libraries []int, names []string) []byte {
	starts := Words(segs)
	for i := range segs {
		at := 0
		if i == seg {
			at = 4 + 4*segs
		}
		starts = append(starts, Words(at)...)
	}
	starts = append(starts, Words(24, []byte{0, pageSize >> 8, byte(form), 0}, segOffset, 0,
		[]byte{1, 0, byte(first), byte(first >> 8)})...)
	starts = append(starts, make([]byte, -len(starts)&3)...)
	var imports, symbols []byte
	symbols = append(symbols, 0)
	for i, n := range names {
		imports = append(imports, Words(libraries[i]&0xff|len(symbols)<<9)...)
		symbols = append(append(symbols, n...), 0)
	}
	return Words(0, 28, 28+len(starts), 28+len(starts)+len(imports), len(names), 1, 0, starts, imports, symbols)
}
