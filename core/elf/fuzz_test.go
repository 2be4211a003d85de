package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
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
	b := amd64Builder()
	full := amd64Builder().thread(1, 11, 0x1000).
		note("CORE", ntPRPSInfo, make([]byte, 136), -1).
		note("CORE", ntSigInfo, make([]byte, 128), -1).
		note("CORE", ntAuxv, b.auxv(atPHDR, 0x400040, atPHENT, 56, atPHNUM, 2, atEntry, 0x400000, atRandom, 0x600008, atSysinfoEHDR, 0x700000), -1).
		note("CORE", ntFile, b.fileDesc(1, fileEntry{0x400000, 0x402000, 0, "/bin/a"}), -1).
		note("CORE", ntFPRegSet, make([]byte, 512), -1).
		note("LINUX", ntX86XState, make([]byte, 2696), -1).thread(2, 0, 0).
		load(0x400000, 0x2000, core.Read|core.Exec, b.library([]byte("id"), 512, 0)).
		load(0x600000, 0, core.Read|core.Write, b.auxv(atPHDR, 0x400040)).
		load(0x700000, 0, core.Read|core.Exec, b.library([]byte("vdso"), 512, 0)).core()
	arm := newBuilder(stdelf.EM_ARM, binary.LittleEndian, false).thread(1, 11, 0).load(0x1000, 0, core.Read, make([]byte, 64)).core()
	s390 := newBuilder(stdelf.EM_S390, binary.BigEndian, true).thread(1, 11, 0).core()
	out := [][]byte{full, arm, s390, linkMapCore(3, 1), full[:700]}
	for _, m := range []stdelf.Machine{stdelf.EM_PPC, stdelf.EM_S390, stdelf.EM_MIPS, stdelf.EM_68K} {
		out = append(out, newBuilder(m, binary.BigEndian, false).thread(1, 11, 0).core())
	}
	n32 := newBuilder(stdelf.EM_MIPS, binary.BigEndian, false)
	n32.flags = mipsABI2
	return append(out, n32.thread(1, 11, 0).core(), newBuilder(stdelf.EM_SPARCV9, binary.BigEndian, true).thread(1, 11, 0).core())
}

func FuzzOpen(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := Open(core.Bytes(data), "core", Options{Files: noFiles{}}); err == nil {
			ask(p)
			p.Close()
		}
	})
}

func FuzzNotes(f *testing.F) {
	b := amd64Builder().thread(1, 11, 0).note("CORE", ntAuxv, amd64Builder().auxv(6, 4096), 1000).thread(2, 0, 0)
	f.Add(b.notes)
	f.Fuzz(func(t *testing.T, notes []byte) {
		b := amd64Builder()
		b.notes = notes
		ask(open(t, b.core(), nil))
	})
}

func FuzzFileNote(f *testing.F) {
	b := amd64Builder()
	f.Add(b.fileDesc(2, fileEntry{0x400000, 0x401000, 0, "/bin/a"}, fileEntry{0x401000, 0x402000, 0x1000, "/bin/a"}))
	f.Add(b.fileDesc(1<<40, fileEntry{0x400000, 0x401000, 0, "/bin/a"}))
	f.Fuzz(func(t *testing.T, desc []byte) {
		ask(open(t, amd64Builder().thread(1, 11, 0).note("CORE", ntFile, desc, -1).
			load(0x400000, 0x2000, core.Read|core.Exec, amd64Builder().library([]byte("id"), 512, 0)).core(), nil))
	})
}

func FuzzFile(f *testing.F) {
	f.Add(amd64Builder().library([]byte("build-id"), 1024, 0))
	f.Add(newBuilder(stdelf.EM_S390, binary.BigEndian, true).library([]byte("build-id"), 1024, 0))
	f.Add(withSections(amd64Builder(), []string{".text", "*.debug_info", ".zdebug_line"}, [][]byte{{1}, {1, 0, 0, 0}, []byte("ZLIB")}))
	f.Fuzz(func(t *testing.T, data []byte) { exercise(data) })
}
