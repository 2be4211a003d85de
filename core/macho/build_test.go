package macho

import (
	"bytes"
	"slices"
)

// An imageSpec is a Mach-O image that a test makes.
type imageSpec struct {
	cputype, filetype, flags int
	uuid                     byte // 16 times
	id                       string
	dylibs                   []string
	segs                     []segSpec
	trie, fixups, starts     []byte
	symbols                  []symSpec
}

// A segSpec is a segment; the first one gets the header before its data.
type segSpec struct {
	name     string
	addr     uint64
	prot     int
	flags    int
	data     []byte
	zero     uint64 // bytes after data
	sections []sectSpec
}

// A sectSpec is a section, at an offset of its segment.
type sectSpec struct {
	name      string
	off, size uint64
	flags     int
}

// A symSpec is an nlist_64.
type symSpec struct {
	name string
	typ  byte
	sect byte
	desc uint16
	val  uint64
}

const pageSize = 0x1000

func roundUp(n uint64) uint64 { return (n + pageSize - 1) &^ (pageSize - 1) }

// headerRoom is what the first segment leaves before its data.
const headerRoom = 0x800

// tables returns the bytes of the symbol table and of its names.
func (s *imageSpec) tables() (nlists, strs []byte) {
	strs = []byte{0}
	for _, y := range s.symbols {
		at := len(strs)
		if y.name == "" {
			at = 0
		} else {
			strs = append(append(strs, y.name...), 0)
		}
		nlists = append(nlists, words(at, []byte{y.typ, y.sect, byte(y.desc), byte(y.desc >> 8)}, y.val)...)
	}
	return nlists, strs
}

// build lays the image out as linkers do: segments at pages, __LINKEDIT last. The
// place of each segment in the file can be given, for images of the shared cache.
func (s *imageSpec) build() []byte {
	segs := slices.Clone(s.segs)
	var edit []byte
	put := func(b []byte) (at int) {
		edit = append(edit, make([]byte, -len(edit)&7)...)
		at = len(edit)
		edit = append(edit, b...)
		return at
	}
	trieAt, fixAt, startsAt := put(s.trie), put(s.fixups), put(s.starts)
	nlists, strs := s.tables()
	symAt, strAt := put(nlists), put(strs)
	if len(segs) > 0 {
		first := &segs[0]
		first.data = append(make([]byte, headerRoom), first.data...)
		for i := range first.sections {
			first.sections = slices.Clone(first.sections)
			first.sections[i].off += headerRoom
		}
	}
	end := uint64(0)
	for _, g := range segs {
		end = max(end, g.addr+roundUp(uint64(len(g.data))+g.zero))
	}
	segs = append(segs, segSpec{name: "__LINKEDIT", addr: end, prot: 1, data: edit})
	var out []byte
	var cmds [][]byte
	for _, g := range segs {
		off := uint64(len(out))
		var sects []byte
		for _, x := range g.sections {
			fileOff := int(off + x.off)
			if x.off >= uint64(len(g.data)) {
				fileOff = 0
			}
			sects = append(sects, words(pad16(x.name), pad16(g.name), g.addr+x.off, x.size, fileOff, 0, 0, 0, x.flags, 0, 0, 0)...)
		}
		cmds = append(cmds, lc(lcSegment64, words(pad16(g.name), g.addr, roundUp(uint64(len(g.data))+g.zero), off, uint64(len(g.data)),
			7, g.prot, len(g.sections), g.flags, sects)))
		out = append(out, g.data...)
		if g.name != "__LINKEDIT" {
			out = append(out, make([]byte, roundUp(uint64(len(out)))-uint64(len(out)))...)
		}
	}
	editAt := len(out) - len(edit)
	cmds = append(cmds, lc(lcUUID, bytes.Repeat([]byte{s.uuid}, 16)))
	if s.id != "" {
		cmds = append(cmds, dylibCommand(lcIDDylib, s.id))
	}
	for _, d := range s.dylibs {
		cmds = append(cmds, dylibCommand(lcLoadDylib, d))
	}
	if len(s.symbols) > 0 {
		cmds = append(cmds, lc(lcSymtab, words(editAt+symAt, len(s.symbols), editAt+strAt, len(strs))))
	}
	for _, x := range []struct {
		cmd, at int
		b       []byte
	}{{lcExportsTrie, trieAt, s.trie}, {lcChainedFixups, fixAt, s.fixups}, {lcFunctionStarts, startsAt, s.starts}} {
		if len(x.b) > 0 {
			cmds = append(cmds, lc(x.cmd, words(editAt+x.at, len(x.b))))
		}
	}
	all := bytes.Join(cmds, nil)
	copy(out, words(0xfeedfacf, s.cputype, 0, s.filetype, len(cmds), len(all), s.flags, 0, all))
	return out
}

func pad16(s string) []byte { return append([]byte(s), make([]byte, 16-len(s))...) }

func dylibCommand(cmd int, path string) []byte {
	b := append([]byte(path), 0)
	b = append(b, make([]byte, -len(b)&7)...)
	return lc(cmd, words(24, 0, 0, 0, b))
}

// smallTrie exports names, each with an edge of its own.
func smallTrie(exports map[string]uint64) []byte {
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

// chainSpec makes an LC_DYLD_CHAINED_FIXUPS for one page of one segment; imports are
// names with their libraries.
func chainSpec(segs, seg, format, first int, segOffset uint64, libraries []int, names []string) []byte {
	starts := words(segs)
	for i := range segs {
		at := 0
		if i == seg {
			at = 4 + 4*segs
		}
		starts = append(starts, words(at)...)
	}
	starts = append(starts, words(24, []byte{0, pageSize >> 8, byte(format), 0}, segOffset, 0, []byte{1, 0, byte(first), byte(first >> 8)})...)
	starts = append(starts, make([]byte, -len(starts)&3)...)
	var imports, symbols []byte
	symbols = append(symbols, 0)
	for i, n := range names {
		imports = append(imports, words(libraries[i]&0xff|len(symbols)<<9)...)
		symbols = append(append(symbols, n...), 0)
	}
	return words(0, 28, 28+len(starts), 28+len(starts)+len(imports), len(names), 1, 0, starts, imports, symbols)
}
