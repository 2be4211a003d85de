package elfcore_test

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/elftest"
	"coredbg/core/elf/format"
)

// ask asks a process everything that opening it has not answered.
func ask(p *core.Process) {
	for _, t := range p.Threads[:min(len(p.Threads), 50)] {
		t.Registers()
	}
	for _, m := range p.Modules[:min(len(p.Modules), 50)] {
		f := m.Facts()
		m.LinkAddr(m.Start)
		p.Module(m.End)
		if f.Image != nil {
			f.Image.Section(".eh_frame")
			n := 0
			f.Image.Symbols(true, func(core.ImageSymbol) bool { n++; return n < 1000 })
		}
	}
	for i := range p.Tags[:min(len(p.Tags), 50)] {
		p.Tags[i].Tag(p.Tags[i].Start)
		p.Tags[i].Tag(p.Tags[i].End - 1)
		p.TagRun(p.Tags[i].End - 1)
	}
	var b [16]byte
	for _, m := range p.Mappings[:min(len(p.Mappings), 50)] {
		p.Space.ReadAt(b[:], m.Start)
		p.Space.ReadAt(b[:], m.End-1)
		p.Executable(m.Start)
	}
	core.Argv(p)
	core.Environ(p)
}

func seeds() [][]byte {
	b := elftest.AMD64()
	full := elftest.AMD64().Thread(1, 11, 0x1000).
		Note("CORE", elftest.NTPRPSInfo, make([]byte, 136), -1).
		Note("CORE", elftest.NTSigInfo, make([]byte, 128), -1).
		Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATPHDR, 0x400040, elftest.ATPHENT, 56, elftest.ATPHNUM, 2,
			elftest.ATEntry, 0x400000, elftest.ATRandom, 0x600008, elftest.ATSysinfoEHDR, 0x700000), -1).
		Note("CORE", elftest.NTFile, b.Files(1, elftest.Mapped(0x400000, 0x402000, 0, "/bin/a")), -1).
		Note("CORE", elftest.NTFPRegSet, make([]byte, 512), -1).
		Note("LINUX", elftest.NTX86XState, make([]byte, 2696), -1).Thread(2, 0, 0).
		Load(0x400000, 0x2000, core.Read|core.Exec, b.Library([]byte("id"), 512, 0)).
		Load(0x600000, 0, core.Read|core.Write, b.Auxv(elftest.ATPHDR, 0x400040)).
		Load(0x700000, 0, core.Read|core.Exec, b.Library([]byte("vdso"), 512, 0)).Core()
	arm := elftest.New(stdelf.EM_ARM, binary.LittleEndian, false).Thread(1, 11, 0).Load(0x1000, 0, core.Read,
		make([]byte, 64)).Core()
	s390 := elftest.New(stdelf.EM_S390, binary.BigEndian, true).Thread(1, 11, 0).Core()
	arm64 := elftest.ARM64().Thread(1, 11, 0x1000)
	arm64.Note("LINUX", elftest.NTARMSVE, arm64.VectorNote(32, 0, 528), -1).Note("LINUX", elftest.NTARMSSVE,
		arm64.VectorNote(16, 1, elftest.SVESize(16)), -1).
		Note("LINUX", elftest.NTARMZA, arm64.VectorNote(16, 0, 256), -1).Note("LINUX", elftest.NTARMZT,
		make([]byte, 64), -1)
	out := [][]byte{full, arm, s390, linkMapCore(3, 1), full[:700], arm64.Core(), taggedCore(4096, 128)}
	for _, m := range []stdelf.Machine{stdelf.EM_PPC, stdelf.EM_S390, stdelf.EM_MIPS, stdelf.EM_68K} {
		out = append(out, elftest.New(m, binary.BigEndian, false).Thread(1, 11, 0).Core())
	}
	n32 := elftest.New(stdelf.EM_MIPS, binary.BigEndian, false)
	n32.Flags = format.MIPSABI2
	return append(out, n32.Thread(1, 11, 0).Core(), elftest.New(stdelf.EM_SPARCV9, binary.BigEndian,
		true).Thread(1, 11, 0).Core())
}

func FuzzOpen(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := elfcore.Open(core.Bytes(data), "core", elfcore.Options{Files: noFiles{}}); err == nil {
			ask(p)
			p.Close()
		}
	})
}

func FuzzNotes(f *testing.F) {
	b := elftest.AMD64().Thread(1, 11, 0).Note("CORE", elftest.NTAuxv, elftest.AMD64().Auxv(6, 4096),
		1000).Thread(2, 0, 0)
	f.Add(b.Notes)
	f.Fuzz(func(t *testing.T, notes []byte) {
		b := elftest.AMD64()
		b.Notes = notes
		ask(open(t, b.Core(), nil))
	})
}

func FuzzFileNote(f *testing.F) {
	b := elftest.AMD64()
	f.Add(b.Files(2, elftest.Mapped(0x400000, 0x401000, 0, "/bin/a"),
		elftest.Mapped(0x401000, 0x402000, 0x1000, "/bin/a")))
	f.Add(b.Files(1<<40, elftest.Mapped(0x400000, 0x401000, 0, "/bin/a")))
	f.Fuzz(func(t *testing.T, desc []byte) {
		ask(open(t, elftest.AMD64().Thread(1, 11, 0).Note("CORE", elftest.NTFile, desc, -1).
			Load(0x400000, 0x2000, core.Read|core.Exec, elftest.AMD64().Library([]byte("id"), 512, 0)).Core(), nil))
	})
}
