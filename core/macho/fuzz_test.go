package macho

import (
	"testing"

	"coredbg/core"
	"coredbg/core/macho/fixup"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machotest"
)

func FuzzFile(f *testing.F) {
	f.Add(machotest.Words(0xfeedfacf, format.CPUX86_64, 3, format.MHExecute, 0, 0, 0, 0))
	f.Add([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x01\x01\x00\x00\x07\x00\x00\x00\x03\x00\x00\x00\x1c\x00\x00\x00\x20\x00\x00\x00\x00" +
		"\xcf\xfa\xed\xfe\x07\x00\x00\x01"))
	f.Add([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x34")) // a Java class
	f.Fuzz(func(t *testing.T, b []byte) {
		if img, err := NewFile(core.Bytes(b), "fuzz", format.CPUX86_64, nil); err == nil {
			machotest.ReadAll(img)
			if m := img.DebugMap(); m != nil {
				m.Find(img.Base())
			}
		}
	})
}

func FuzzFixups(f *testing.F) {
	exe, _ := machotest.TwoImages()
	f.Add(exe)
	old := machotest.Image{CPUType: format.CPUX86_64, FileType: format.MHExecute, UUID: 1, Segs: []machotest.Seg{
		{Name: "__TEXT", Addr: 0x100000000, Prot: 5}, {Name: "__DATA_CONST", Addr: 0x100001000, Prot: 3,
			Data: machotest.U64s(1, 2, 3, 4)}},
		Fixups: []byte("\x11\x21\x00\x52\x11\x71\x08\x90\x60\x7f\xc0\x05\x08")}
	b := old.Build()
	for i := range b { // its fixups as the opcodes of LC_DYLD_INFO_ONLY
		if le.Uint32(b[i:]) == format.LCChainedFixups {
			le.PutUint32(b[i:], format.LCDyldInfoOnly)
			break
		}
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		img, err := NewFile(core.Bytes(b), "fuzz", format.CPUX86_64, nil)
		if err != nil {
			return
		}
		find := func(*File, *fixup.Import) (core.Addr, error) { return 1, nil }
		for i := range min(len(img.segs), 8) {
			src := img.Fixed(i, 0x1000, find)
			for off, n := int64(0), 0; off < src.Size() && n < 64; n++ {
				w, err := src.Window(off)
				if err != nil {
					off += 4
				} else if len(w) == 0 {
					t.Fatal("an empty window")
				}
				off += int64(len(w))
			}
		}
	})
}
