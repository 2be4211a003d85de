package machotest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho/format"
)

// Offsets in a dyld_cache_header (dyld-1284, cache-builder/dyld_cache_format.h).
const (
	OffMappingOff   = 16
	OffMappingCount = 20
	OffImagesOffOld = 24
	OffLocalsOff    = 72
	OffUUID         = 88
	OffDyldMH       = 120
	OffRegionStart  = 224
	OffSubOff       = 392
	OffSubCount     = 396
	OffSymbolsUUID  = 400
	OffImagesOff    = 448
	OffImagesNum    = 452
)

// The shared cache of tests, by link-time addresses: the first file has the
// code and data of libone and of dyld, the second the code of libtwo and __LINKEDIT
// of all, the third the local symbols.
const (
	CacheBase  = 0x7ff800000000
	CacheSlide = 0x3000000
	OneText    = CacheBase + 0x1000
	DyldText   = CacheBase + 0x2000
	DyldData   = CacheBase + 0x9000
	OneData    = CacheBase + 0x8000
	TwoText    = CacheBase + 0x11000
	CacheEdit  = CacheBase + 0x20000
	EditOff    = 0x3000 // of __LINKEDIT in the second file
)

// CacheFile makes a file of a cache: the header, its mappings, and their bytes.
func CacheFile(uuid byte, fields map[int]uint64, tables map[int][]byte, maps [][3]uint64, prots []int,
	contents map[uint64][]byte) []byte {
	out := make([]byte, 0x1000)
	copy(out, "dyld_v1  x86_64")
	le.PutUint32(out[OffMappingOff:], 0x208)
	le.PutUint32(out[OffMappingCount:], uint32(len(maps)))
	copy(out[OffUUID:], bytes.Repeat([]byte{uuid}, 16))
	mappings := 0x208
	for off, v := range fields {
		if off == OffMappingOff { // where the header ends: older ones are shorter
			mappings = int(v)
			le.PutUint32(out[off:], uint32(v))
			continue
		}
		if off == OffSubOff || off == OffSubCount || off == OffImagesOff || off == OffImagesNum {
			le.PutUint32(out[off:], uint32(v))
		} else {
			le.PutUint64(out[off:], v)
		}
	}
	for i, m := range maps {
		copy(out[mappings+32*i:], Words(m[0], m[1], m[2], 7, prots[i]))
		if end := int(m[1] + m[2]); len(out) < end {
			out = append(out, make([]byte, end-len(out))...)
		}
	}
	for off, b := range tables {
		copy(out[off:], b)
	}
	for off, b := range contents {
		copy(out[off:], b)
	}
	return out
}

// cachedImage is the header page of an image in the cache.
func cachedImage(filetype int, uuid byte, id string, text, textOff uint64, data []byte, tables ...[]byte) []byte {
	seg := func(name string, addr, size, off uint64, prot int, sects ...byte) []byte {
		return LC(format.LCSegment64, Words(Pad16(name), addr, size, off, size, 7, prot,
			len(sects)/sectionSize, 0, sects))
	}
	cmds := [][]byte{
		seg("__TEXT", text, 0x1000, textOff, 5, Words(Pad16("__text"), Pad16("__TEXT"), text+0x400, uint64(0x400),
			int(textOff)+0x400, 0, 0, 0, 0x80000400, 0, 0, 0)...),
		data,
		seg("__LINKEDIT", CacheEdit, 0x1000, EditOff, 1),
		LC(format.LCUUID, bytes.Repeat([]byte{uuid}, 16)),
		DylibCommand(format.LCIDDylib, id),
	}
	cmds = append(cmds, tables...)
	all := bytes.Join(cmds, nil)
	n := 0
	for rest := all; len(rest) > 0; rest = rest[le.Uint32(rest[4:]):] {
		n++
	}
	page := make([]byte, 0x1000)
	copy(page, Words(0xfeedfacf, format.CPUX86_64, 3, filetype, n, len(all),
		int(uint32(format.MHDylibInCache)), 0, all))
	copy(page[0x400:], "code of "+id)
	return page
}

// Cache returns the files of the cache by the ends of their names.
func Cache() map[string][]byte {
	var edit []byte
	put := func(b []byte) int { at := len(edit); edit = append(edit, b...); return EditOff + at }
	nlist := func(strx int, addr uint64) []byte { return Words(strx, []byte{0x0f, 1, 0, 0}, addr) }
	sym1, sym2 := put(nlist(1, OneText+0x400)), put(nlist(10, TwoText+0x400))
	strs := put([]byte("\x00_one_pub\x00_two_pub\x00"))
	trie := put(Trie(map[string]uint64{"_one_exported": 0x500}))
	starts := put([]byte{0x80, 0x08, 0x80, 0x02, 0x80, 0x02, 0})
	symtab := func(at int) []byte { return LC(format.LCSymtab, Words(at, 1, strs, 20)) }
	data := func(name string, addr, off uint64, sects ...byte) []byte {
		return LC(format.LCSegment64, Words(Pad16(name), addr, uint64(0x1000), off, uint64(0x1000), 7, 3,
			len(sects)/sectionSize, 0, sects))
	}
	infos := Words(Pad16("__all_image_info"), Pad16("__DATA"), uint64(DyldData), uint64(368), 0x5000, 0,
		0, 0, 0, 0, 0, 0)
	one := cachedImage(format.MHDylib, 11, "/usr/lib/libone.dylib", OneText, 0x1000,
		data("__DATA", OneData, 0x4000), symtab(sym1),
		LC(format.LCExportsTrie, Words(trie, 40)), LC(format.LCFunctionStarts, Words(starts, 7)))
	dyld := cachedImage(format.MHDylinker, 13, "/usr/lib/dyld", DyldText, 0x2000,
		data("__DATA", DyldData, 0x5000, infos...))
	two := cachedImage(format.MHDylib, 12, "/usr/lib/libtwo.dylib", TwoText, 0x1000,
		data("__DATA", OneData+0x800, 0x4800), symtab(sym2))

	images := Words(uint64(OneText), uint64(0), uint64(0), 0x400, 0, uint64(TwoText), uint64(0), uint64(0), 0x420, 0)
	sub := Words(bytes.Repeat([]byte{22}, 16), uint64(0x10000), Pad16(".01"), make([]byte, 16))
	local := func(strx int, addr uint64) []byte { return Words(strx, []byte{0x0e, 1, 0, 0}, addr) }
	locals := Words(24, 2, 24+32, 40, 24+32+40, 2, local(1, OneText+0x600), local(12, TwoText+0x700),
		"\x00_one_local\x00_two_local\x00", make([]byte, 17),
		uint64(0x1000), 0, 1, uint64(0x11000), 1, 1)
	return map[string][]byte{
		"": CacheFile(21, map[int]uint64{OffRegionStart: CacheBase, OffDyldMH: DyldText, OffSubOff: 0x380,
			OffSubCount:  1,
			OffImagesOff: 0x300, OffImagesNum: 2},
			map[int][]byte{0x300: images, 0x380: sub, 0x400: []byte("/usr/lib/libone.dylib"),
				0x420: []byte("/usr/lib/libtwo.dylib"), OffSymbolsUUID: bytes.Repeat([]byte{23}, 16)},
			[][3]uint64{{CacheBase, 0x4000, 0}, {OneData, 0x2000, 0x4000}}, []int{5, 3},
			map[uint64][]byte{0x1000: one, 0x2000: dyld, 0x4000: []byte("data of libone")}),
		".01": CacheFile(22, nil, nil, [][3]uint64{{CacheBase + 0x10000, 0x3000, 0}, {CacheEdit, 0x1000, EditOff}},
			[]int{5, 1},
			map[uint64][]byte{0x1000: two, EditOff: edit}),
		".symbols": CacheFile(23, map[int]uint64{OffLocalsOff: 0x1000}, nil, [][3]uint64{{0, 0x1000, 0x1000}}, []int{1},
			map[uint64][]byte{0x1000: locals}),
	}
}

// FullCore is a core of the kernel's kind with the whole cache in it, and no notes.
func FullCore(changing bool) []byte {
	files := Cache()
	list := Words(uint64(OneText+CacheSlide), uint64(0x5100), uint64(0), uint64(TwoText+CacheSlide),
		uint64(0x5120), uint64(0))
	heap := make([]byte, 0x200)
	copy(heap, list)
	copy(heap[0x100:], "/usr/lib/libone.dylib")
	copy(heap[0x120:], "/usr/lib/libtwo.dylib")
	infos := make([]byte, 368)
	le.PutUint32(infos, 17)
	le.PutUint32(infos[4:], 2)
	if !changing {
		le.PutUint64(infos[8:], 0x5000)
	}
	le.PutUint64(infos[32:], DyldText+CacheSlide)
	le.PutUint64(infos[104:], DyldData+CacheSlide)
	copy(infos[160:], bytes.Repeat([]byte{21}, 16))
	le.PutUint64(infos[176:], CacheBase+CacheSlide)
	copy(files[""][0x5000:], infos)
	type region struct {
		addr uint64
		data []byte
		prot int
	}
	regions := []region{
		{0x5000, heap, 3},
		{CacheBase + CacheSlide, files[""][:0x4000], 5}, {OneData + CacheSlide, files[""][0x4000:0x6000], 3},
		{CacheBase + 0x10000 + CacheSlide, files[".01"][:0x3000], 5},
		{CacheEdit + CacheSlide, files[".01"][EditOff:], 1},
	}
	var cmds, body []byte
	off := uint64(format.HeaderSize + len(regions)*SegmentSize)
	for _, r := range regions {
		cmds = append(cmds, SegmentCommand(r.addr, uint64(len(r.data)), off+uint64(len(body)),
			uint64(len(r.data)), r.prot)...)
		body = append(body, r.data...)
	}
	return append(CoreFile(format.CPUX86_64, len(regions), cmds), body...)
}

// CacheFiles is a Finder that has a shared cache and no other file.
type CacheFiles map[string][]byte

// Find implements find.Finder.
func (f CacheFiles) Find(context.Context, find.Want) find.Found { return find.Found{} }

// Caches implements machocore.CacheFinder.
func (f CacheFiles) Caches(uint32) []string { return []string{"/cache"} }

// OpenFile implements machocore.CacheFinder.
func (f CacheFiles) OpenFile(path string) (core.Source, error) {
	b, ok := f[strings.TrimPrefix(path, "/cache")]
	if !ok {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return core.Bytes(b), nil
}

var le = binary.LittleEndian
