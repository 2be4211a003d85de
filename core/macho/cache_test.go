package macho

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
)

// The shared cache of these tests, by link-time addresses: the first file has the
// code and data of libone and of dyld, the second the code of libtwo and __LINKEDIT
// of all, the third the local symbols.
const (
	cacheBase  = 0x7ff800000000
	cacheSlide = 0x3000000
	oneText    = cacheBase + 0x1000
	dyldText   = cacheBase + 0x2000
	dyldData   = cacheBase + 0x9000
	oneData    = cacheBase + 0x8000
	twoText    = cacheBase + 0x11000
	cacheEdit  = cacheBase + 0x20000
	editOff    = 0x3000 // of __LINKEDIT in the second file
)

// cacheFile makes a file of a cache: the header, its mappings, and their bytes.
func cacheFile(uuid byte, fields map[int]uint64, tables map[int][]byte, maps [][3]uint64, prots []int, contents map[uint64][]byte) []byte {
	out := make([]byte, 0x1000)
	copy(out, "dyld_v1  x86_64")
	le.PutUint32(out[cacheMappingOff:], 0x208)
	le.PutUint32(out[cacheMappingCount:], uint32(len(maps)))
	copy(out[cacheUUID:], bytes.Repeat([]byte{uuid}, 16))
	mappings := 0x208
	for off, v := range fields {
		if off == cacheMappingOff { // where the header ends: older ones are shorter
			mappings = int(v)
			le.PutUint32(out[off:], uint32(v))
			continue
		}
		if off == cacheSubOff || off == cacheSubCount || off == cacheImagesOff || off == cacheImagesNum {
			le.PutUint32(out[off:], uint32(v))
		} else {
			le.PutUint64(out[off:], v)
		}
	}
	for i, m := range maps {
		copy(out[mappings+32*i:], words(m[0], m[1], m[2], 7, prots[i]))
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
		return lc(lcSegment64, words(pad16(name), addr, size, off, size, 7, prot, len(sects)/sectionSize, 0, sects))
	}
	cmds := [][]byte{
		seg("__TEXT", text, 0x1000, textOff, 5, words(pad16("__text"), pad16("__TEXT"), text+0x400, uint64(0x400), int(textOff)+0x400, 0, 0, 0, 0x80000400, 0, 0, 0)...),
		data,
		seg("__LINKEDIT", cacheEdit, 0x1000, editOff, 1),
		lc(lcUUID, bytes.Repeat([]byte{uuid}, 16)),
		dylibCommand(lcIDDylib, id),
	}
	cmds = append(cmds, tables...)
	all := bytes.Join(cmds, nil)
	n := 0
	for rest := all; len(rest) > 0; rest = rest[le.Uint32(rest[4:]):] {
		n++
	}
	page := make([]byte, 0x1000)
	copy(page, words(0xfeedfacf, cpuX86_64, 3, filetype, n, len(all), int(uint32(mhDylibInCache)), 0, all))
	copy(page[0x400:], "code of "+id)
	return page
}

// makeCache returns the files of the cache by what their names end in.
func makeCache() map[string][]byte {
	var edit []byte
	put := func(b []byte) int { at := len(edit); edit = append(edit, b...); return editOff + at }
	nlist := func(strx int, addr uint64) []byte { return words(strx, []byte{nSect | nExt, 1, 0, 0}, addr) }
	sym1, sym2 := put(nlist(1, oneText+0x400)), put(nlist(10, twoText+0x400))
	strs := put([]byte("\x00_one_pub\x00_two_pub\x00"))
	trie := put(smallTrie(map[string]uint64{"_one_exported": 0x500}))
	starts := put([]byte{0x80, 0x08, 0x80, 0x02, 0x80, 0x02, 0})
	symtab := func(at int) []byte { return lc(lcSymtab, words(at, 1, strs, 20)) }
	data := func(name string, addr, off uint64, sects ...byte) []byte {
		return lc(lcSegment64, words(pad16(name), addr, uint64(0x1000), off, uint64(0x1000), 7, 3, len(sects)/sectionSize, 0, sects))
	}
	infos := words(pad16("__all_image_info"), pad16("__DATA"), uint64(dyldData), uint64(368), 0x5000, 0, 0, 0, 0, 0, 0, 0)
	one := cachedImage(mhDylib, 11, "/usr/lib/libone.dylib", oneText, 0x1000, data("__DATA", oneData, 0x4000), symtab(sym1),
		lc(lcExportsTrie, words(trie, 40)), lc(lcFunctionStarts, words(starts, 7)))
	dyld := cachedImage(mhDylinker, 13, "/usr/lib/dyld", dyldText, 0x2000, data("__DATA", dyldData, 0x5000, infos...))
	two := cachedImage(mhDylib, 12, "/usr/lib/libtwo.dylib", twoText, 0x1000, data("__DATA", oneData+0x800, 0x4800), symtab(sym2))

	images := words(uint64(oneText), uint64(0), uint64(0), 0x400, 0, uint64(twoText), uint64(0), uint64(0), 0x420, 0)
	sub := words(bytes.Repeat([]byte{22}, 16), uint64(0x10000), pad16(".01"), make([]byte, 16))
	local := func(strx int, addr uint64) []byte { return words(strx, []byte{nSect, 1, 0, 0}, addr) }
	locals := words(24, 2, 24+32, 40, 24+32+40, 2, local(1, oneText+0x600), local(12, twoText+0x700), "\x00_one_local\x00_two_local\x00", make([]byte, 17),
		uint64(0x1000), 0, 1, uint64(0x11000), 1, 1)
	return map[string][]byte{
		"": cacheFile(21, map[int]uint64{cacheRegionStart: cacheBase, cacheDyldMH: dyldText, cacheSubOff: 0x380, cacheSubCount: 1,
			cacheImagesOff: 0x300, cacheImagesNum: 2},
			map[int][]byte{0x300: images, 0x380: sub, 0x400: []byte("/usr/lib/libone.dylib"), 0x420: []byte("/usr/lib/libtwo.dylib"), cacheSymbolsUUID: bytes.Repeat([]byte{23}, 16)},
			[][3]uint64{{cacheBase, 0x4000, 0}, {oneData, 0x2000, 0x4000}}, []int{5, 3},
			map[uint64][]byte{0x1000: one, 0x2000: dyld, 0x4000: []byte("data of libone")}),
		".01": cacheFile(22, nil, nil, [][3]uint64{{cacheBase + 0x10000, 0x3000, 0}, {cacheEdit, 0x1000, editOff}}, []int{5, 1},
			map[uint64][]byte{0x1000: two, editOff: edit}),
		".symbols": cacheFile(23, map[int]uint64{cacheLocalsOff: 0x1000}, nil, [][3]uint64{{0, 0x1000, 0x1000}}, []int{1}, map[uint64][]byte{0x1000: locals}),
	}
}

// cacheFiles is a Finder that has a shared cache and no other file.
type cacheFiles map[string][]byte

func (f cacheFiles) Find(context.Context, find.Want) find.Found { return find.Found{} }

func (f cacheFiles) Caches(uint32) []string { return []string{"/cache"} }
func (f cacheFiles) OpenFile(path string) (core.Source, error) {
	b, ok := f[strings.TrimPrefix(path, "/cache")]
	if !ok {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return core.Bytes(b), nil
}

// symbolsOf lists the names that an image has at distances from its header.
func symbolsOf(t *testing.T, m *core.Module) string {
	t.Helper()
	var out []string
	f := m.Facts().Image.(*File)
	for _, dynamic := range []bool{false, true} {
		if err := f.Symbols(dynamic, func(s core.ImageSymbol) bool {
			if s.Kind != core.SymFunc {
				t.Errorf("%s is not a function", s.Name)
			}
			out = append(out, fmt.Sprintf("%s@%x", s.Name, s.Value-f.Base()))
			return true
		}); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(out, " ")
}

// TestCacheFiles opens a core that has nothing of the shared cache: images come from
// the cache's files, code is filled from there, data is not.
func TestCacheFiles(t *testing.T) {
	data := coreOf(loadNote(11, oneText+cacheSlide, "/usr/lib/libone.dylib"), loadNote(12, twoText+cacheSlide, "/usr/lib/libtwo.dylib"),
		loadNote(99, 0x7fff00000000, "/usr/lib/libother.dylib"))
	p, err := Open(core.Bytes(data), "core", Options{Files: cacheFiles(makeCache())})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*core.Module{}
	for _, m := range p.Modules {
		byPath[m.Path] = m
	}
	one, two := byPath["/usr/lib/libone.dylib"], byPath["/usr/lib/libtwo.dylib"]
	if got := symbolsOf(t, one); got != "one_pub@400 one_local@600 one_exported@500" {
		t.Errorf("libone has %s", got)
	}
	if got := symbolsOf(t, two); got != "two_pub@400 two_local@700 two_pub@400" {
		t.Errorf("libtwo has %s", got)
	}
	if f := one.Facts(); f.Bias != cacheSlide || f.InMemory || f.Image.Path() != "/cache" {
		t.Errorf("libone %+v", f)
	}
	if starts := one.Facts().Image.(*File).FuncStarts(); len(starts) != 3 || starts[2] != oneText+0x600 {
		t.Errorf("libone's functions begin at %#x", starts)
	}
	if f := byPath["/usr/lib/libother.dylib"].Facts(); f.Image != nil {
		t.Errorf("libother %+v", f)
	}
	for at, want := range map[core.Addr]string{oneText + 0x400: "code of /usr/lib/libone.dylib", twoText + 0x400: "code of /usr/lib/libtwo.dylib"} {
		if b, err := p.Space.Slice(at+cacheSlide, len(want)); string(b) != want {
			t.Errorf("%q, %v", b, err)
		}
	}
	if _, err := p.Space.Window(oneData + cacheSlide); err == nil || !strings.Contains(err.Error(), "dyld changed") {
		t.Errorf("data: %v", err)
	}
}

// TestCacheRefused takes nothing of caches that are others or damaged.
func TestCacheRefused(t *testing.T) {
	data := coreOf(loadNote(11, oneText+cacheSlide, "/usr/lib/libone.dylib"), loadNote(12, twoText+cacheSlide, "/usr/lib/libtwo.dylib"))
	for name, c := range map[string]struct {
		change   func(map[string][]byte)
		one, two bool
	}{
		"image of another build": {func(f map[string][]byte) {
			f[""] = bytes.Replace(f[""], bytes.Repeat([]byte{11}, 16), bytes.Repeat([]byte{77}, 16), 1)
		}, false, true},
		"no second file":      {func(f map[string][]byte) { delete(f, ".01") }, true, false},
		"another second file": {func(f map[string][]byte) { f[".01"][cacheUUID]++ }, true, false},
		"no cache":            {func(f map[string][]byte) { f[""][0] = 'x' }, false, false},
		"cut off":             {func(f map[string][]byte) { f[""] = f[""][:0x900] }, false, true},
		"counts": {func(f map[string][]byte) {
			le.PutUint32(f[""][cacheImagesNum:], 1<<31)
			le.PutUint32(f[""][cacheSubCount:], 1<<31)
		}, true, true},
	} {
		files := makeCache()
		c.change(files)
		p, err := Open(core.Bytes(data), "core", Options{Files: cacheFiles(files)})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{c.one, c.two} {
			if got := p.Modules[i].Facts().Image != nil; got != want {
				t.Errorf("%s: %s: %v, %v", name, p.Modules[i].Path, got, p.Modules[i].Facts().Err)
			}
		}
	}
}

// TestCacheOfAnotherBuild refuses a cache that has the images at other places.
func TestCacheOfAnotherBuild(t *testing.T) {
	data := coreOf(loadNote(11, oneText+cacheSlide, "/usr/lib/libone.dylib"), loadNote(12, twoText+cacheSlide+0x4000, "/usr/lib/libtwo.dylib"))
	p, err := Open(core.Bytes(data), "core", Options{Files: cacheFiles(makeCache())})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Modules {
		if f := m.Facts(); f.Image != nil || f.Err == nil || !strings.Contains(f.Err.Error(), "do not lie to each other") {
			t.Errorf("%s: %+v", m.Path, f)
		}
	}
}

// fullCore is a core of the kernel's kind with the whole cache in it, and no notes.
func fullCore(changing bool) []byte {
	files := makeCache()
	list := words(uint64(oneText+cacheSlide), uint64(0x5100), uint64(0), uint64(twoText+cacheSlide), uint64(0x5120), uint64(0))
	heap := make([]byte, 0x200)
	copy(heap, list)
	copy(heap[0x100:], "/usr/lib/libone.dylib")
	copy(heap[0x120:], "/usr/lib/libtwo.dylib")
	infos := make([]byte, 368)
	le.PutUint32(infos, 17)
	le.PutUint32(infos[infosArrayCount:], 2)
	if !changing {
		le.PutUint64(infos[infosArray:], 0x5000)
	}
	le.PutUint64(infos[infosDyld:], dyldText+cacheSlide)
	le.PutUint64(infos[infosSelf:], dyldData+cacheSlide)
	copy(infos[infosCacheUUID:], bytes.Repeat([]byte{21}, 16))
	le.PutUint64(infos[infosCacheBase:], cacheBase+cacheSlide)
	copy(files[""][0x5000:], infos)
	type region struct {
		addr uint64
		data []byte
		prot int
	}
	regions := []region{
		{0x5000, heap, 3},
		{cacheBase + cacheSlide, files[""][:0x4000], 5}, {oneData + cacheSlide, files[""][0x4000:0x6000], 3},
		{cacheBase + 0x10000 + cacheSlide, files[".01"][:0x3000], 5}, {cacheEdit + cacheSlide, files[".01"][editOff:], 1},
	}
	var cmds, body []byte
	off := uint64(headerSize + len(regions)*segmentSize)
	for _, r := range regions {
		cmds = append(cmds, segmentCommand(r.addr, uint64(len(r.data)), off+uint64(len(body)), uint64(len(r.data)), r.prot)...)
		body = append(body, r.data...)
	}
	return append(coreFile(cpuX86_64, len(regions), cmds), body...)
}

// TestCacheInCore finds dyld in the shared cache in the core, and the local symbols
// in their file, with or without the other files of the cache.
func TestCacheInCore(t *testing.T) {
	only := map[string][]byte{".symbols": makeCache()[".symbols"]}
	wrong := map[string][]byte{".symbols": bytes.Clone(only[".symbols"])}
	wrong[".symbols"][cacheUUID]++
	for name, c := range map[string]struct {
		files  map[string][]byte
		locals bool
	}{
		"no file": {nil, false}, "all files": {makeCache(), true}, "the local symbols": {only, true}, "other local symbols": {wrong, false},
	} {
		p, err := Open(core.Bytes(fullCore(false)), "core", Options{Files: cacheFiles(c.files)})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Modules) != 3 || p.Modules[1].Path != "/usr/lib/dyld" || p.Modules[2].Origin != core.FromDyld {
			t.Fatalf("%s: modules %v", name, p.Modules)
		}
		want := "one_pub@400 one_exported@500"
		if c.locals {
			want = "one_pub@400 one_local@600 one_exported@500"
		}
		if got := symbolsOf(t, p.Modules[0]); got != want {
			t.Errorf("%s: libone has %s", name, got)
		}
		var mismatch *MismatchError
		if err := p.Modules[0].Facts().Err; (name == "other local symbols") != errors.As(err, &mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestListChanging takes the images whose headers are found while dyld works on its
// list.
func TestListChanging(t *testing.T) {
	p, err := Open(core.Bytes(fullCore(true)), "core", Options{})
	if err != nil {
		t.Fatal(err)
	}
	warned := false
	for _, w := range p.Warnings {
		warned = warned || strings.Contains(w.Text, "changing its list")
	}
	if !warned || len(p.Modules) == 0 || p.Modules[0].Path != "/usr/lib/dyld" {
		t.Errorf("%v, %v", p.Modules, p.Warnings)
	}
}

// TestCachesOnDisk finds the cache in the places of macOS below a folder, and
// anywhere below a folder that is searched.
func TestCachesOnDisk(t *testing.T) {
	for _, where := range []string{"root/System/Library/dyld", "root/System/Cryptexes/OS/System/Library/dyld", "backup/2026/x"} {
		dir := t.TempDir()
		files := map[string][]byte{}
		for suffix, b := range makeCache() {
			files[filepath.Join(where, "dyld_shared_cache_x86_64"+suffix)] = b
		}
		write(t, dir, files)
		d := &Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root"), Search: []string{filepath.Join(dir, "backup")}}}
		p, err := Open(core.Bytes(coreOf(loadNote(11, oneText+cacheSlide, "/usr/lib/libone.dylib"))), "core", Options{Files: d})
		if err != nil {
			t.Fatal(err)
		}
		if got := symbolsOf(t, p.Modules[0]); got != "one_pub@400 one_local@600 one_exported@500" {
			t.Errorf("%s: %s", where, got)
		}
		p.Close()
	}
}

func FuzzCache(f *testing.F) {
	c := makeCache()
	f.Add(c[""], c[".01"], c[".symbols"])
	f.Fuzz(func(t *testing.T, first, second, symbols []byte) {
		files := cacheFiles{"": first, ".01": second, ".symbols": symbols}
		c, err := OpenCache(core.Bytes(first), "/cache", func(s string) (core.Source, error) { return files.OpenFile("/cache" + s) })
		if err != nil {
			return
		}
		for path := range c.images {
			if img := c.Image(path, nil); img != nil {
				readAll(img)
				break
			}
		}
	})
}
