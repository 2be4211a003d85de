package machocore_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// TestOldCaches opens caches as macOS 12 and 11 had them: numbered files with 64-bit
// entries of local symbols, and one file with everything in it, where they have 32.
func TestOldCaches(t *testing.T) {
	files := machotest.Cache()
	numbered := map[string][]byte{".1": files[".01"], ".symbols": files[".symbols"], "": machotest.CacheFile(21,
		map[int]uint64{machotest.OffMappingOff: 456, machotest.OffRegionStart: machotest.CacheBase,
			machotest.OffSubOff: 0x380, machotest.OffSubCount: 1, machotest.OffImagesOff: 0x300,
			machotest.OffImagesNum: 2},
		map[int][]byte{0x300: files[""][0x300:0x340], 0x380: machotest.Words(bytes.Repeat([]byte{22}, 16),
			uint64(0x10000)), 0x400: files[""][0x400:0x440],
			machotest.OffSymbolsUUID: bytes.Repeat([]byte{23}, 16)},
		[][3]uint64{{machotest.CacheBase, 0x4000, 0}, {machotest.OneData, 0x2000, 0x4000}}, []int{5, 3},
		map[uint64][]byte{0x1000: files[""][0x1000:0x4000]})}
	locals := machotest.Words(24, 1, 24+16, 20, 24+16+20, 1, 1, []byte{0x0e, 1, 0, 0}, uint64(machotest.OneText+0x600),
		"\x00_one_local\x00", make([]byte, 8), 0x1000, 0, 1)
	single := map[string][]byte{"": machotest.CacheFile(21,
		map[int]uint64{machotest.OffMappingOff: 0x120, machotest.OffRegionStart: machotest.CacheBase,
			machotest.OffLocalsOff: 0x6000, machotest.OffImagesOffOld: 0x300 | 1<<32},
		map[int][]byte{0x300: files[""][0x300:0x320], 0x400: files[""][0x400:0x440]},
		[][3]uint64{{machotest.CacheBase, 0x4000, 0}, {machotest.OneData, 0x2000, 0x4000},
			{machotest.CacheEdit, 0x1000, 0x6000}}, []int{5, 3, 1},
		map[uint64][]byte{0x1000: files[""][0x1000:0x2000],
			0x6000: append(locals, files[".01"][machotest.EditOff+len(locals):]...)})}
	for name, c := range map[string]struct {
		files map[string][]byte
		want  string
	}{"numbered": {numbered, "one_pub@400 one_local@600 one_exported@500"}, "single": {single, "one_local@600"}} {
		p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(11,
			machotest.OneText+machotest.CacheSlide, "/usr/lib/libone.dylib"))), "core",
			machocore.Options{Files: machotest.CacheFiles(c.files)})
		if err != nil {
			t.Fatal(err)
		}
		f, ok := p.Modules[0].Facts().Image.(*macho.File)
		if !ok {
			t.Errorf("%s: %v", name, p.Modules[0].Facts().Err)
			continue
		}
		var got []string
		for _, dynamic := range []bool{false, true} {
			_ = f.Symbols(dynamic, func(s core.ImageSymbol) bool {
				got = append(got, fmt.Sprintf("%s@%x", s.Name, s.Value-f.Base()))
				return true
			})
		}
		if !strings.Contains(strings.Join(got, " "), c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
