package macho

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
)

// words puts 32-bit words and byte strings after each other.
func words(parts ...any) (b []byte) {
	for _, p := range parts {
		switch v := p.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case string:
			b = append(b, v...)
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

func lc(cmd int, body []byte) []byte { return append(words(cmd, 8+len(body)), body...) }

func segmentCommand(addr, size, off, filesize uint64, prot int) []byte {
	return lc(lcSegment64, words(make([]byte, 16), addr, size, off, filesize, 7, prot, 0, 0))
}

func noteCommand(owner string, off, size uint64) []byte {
	return lc(lcNote, words(owner+strings.Repeat("\x00", 16-len(owner)), off, size))
}

func x86State(pc uint64) []byte {
	b := make([]byte, 168)
	binary.LittleEndian.PutUint64(b[8*16:], pc)
	return b
}

func coreFile(cputype, ncmds int, cmds []byte) []byte {
	return append(words(0xfeedfacf, cputype, 3, mhCore, ncmds, len(cmds), 0, 0), cmds...)
}

func concat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// sampleCore has two threads, in the unified flavors of the kernel and in the
// plain ones, of which the second crashed, segments out of order, an empty one, and
// one that the file does not hold whole.
func sampleCore() []byte {
	unified := words(7, 44, 4, 42, x86State(0x1111), 9, 6, 6, 4, 133, 0, uint64(0))
	plain := words(4, 42, x86State(0x2222), 6, 4, 14, 6, uint64(0x10))
	cmds := concat(
		segmentCommand(0x9000, 0x1000, 0, 0, 3),
		segmentCommand(0x5000, 0x2000, 0, 16, 5),
		segmentCommand(0xa000, 0x1000, 0, 1<<40, 1),
		noteCommand("main bin spec", 1<<60, 40),
		lc(lcThread, unified), lc(lcThread, plain))
	return coreFile(cpuX86_64, 6, cmds)
}

func TestOpen(t *testing.T) {
	p, err := Open(core.Bytes(sampleCore()), "core", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Threads) != 2 || !p.Threads[0].Crashed || p.Threads[0].TID != 2 || p.Threads[0].Regs.Val[16] != 0x2222 || p.Threads[1].Regs.Val[16] != 0x1111 {
		t.Errorf("threads %+v", p.Threads)
	}
	if s := p.Signal; s == nil || s.Name != "SIGSEGV" || !s.HasAddr || s.Addr != 0x10 || s.CodeText != "write of an address that is not mapped" {
		t.Errorf("signal %+v", s)
	}
	if len(p.Mappings) != 3 || p.Mappings[0].Start != 0x5000 || p.Mappings[0].Prot.String() != "r-x" || p.Mappings[0].Dumped != 16 {
		t.Errorf("mappings %+v", p.Mappings)
	}
	for a, want := range map[core.Addr]core.Gap{0x5010: core.NotDumped, 0x9000: core.NotDumped, 0xaf00: core.Truncated, 0x100: core.Unmapped} {
		_, err := p.Space.Window(a)
		if f := core.Fault(err); f == nil || f.Gap != want {
			t.Errorf("%v: %v, want %v", a, err, want)
		}
	}
	if !p.Truncated {
		t.Error("the core is not called truncated")
	}
	if len(p.Warnings) < 3 {
		t.Errorf("warnings %v", p.Warnings)
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := Open(core.Bytes("\x7fELF"), "x", Options{}); !errors.Is(err, core.ErrUnknownFormat) {
		t.Errorf("an ELF file: %v", err)
	}
	exe := words(0xfeedfacf, cpuX86_64, 3, mhExecute, 0, 0, 0, 0)
	var format *core.FormatError
	if _, err := Open(core.Bytes(exe), "x", Options{}); !errors.As(err, &format) {
		t.Errorf("an executable: %v", err)
	}
}

// TestFaults has values of the Intel SDM (table 6-1, page-fault error code) and of
// the Arm ARM (ESR_EL1).
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		f      *fault
		mapped bool
		want   string
	}{
		{faultX86(14, 4, 0x10), false, "SIGSEGV read of an address that is not mapped"},
		{faultX86(14, 7, 0x10), true, "SIGBUS write of memory that does not allow it"},
		{faultX86(14, 0x15, 0x10), true, "SIGBUS execute of memory that does not allow it"},
		{faultX86(6, 0, 0), false, "SIGILL invalid opcode"},
		{faultX86(3, 0, 0), false, "SIGTRAP breakpoint instruction"},
		{faultX86(133, 0, 0), false, ""},
		{faultARM64(0x92000046, 0), false, "SIGSEGV write of an address that is not mapped"},
		{faultARM64(0x92000006, 0), false, "SIGSEGV read of an address that is not mapped"},
		{faultARM64(0x82000006, 0), false, "SIGSEGV execute of an address that is not mapped"},
		{faultARM64(0xf2000001, 0), false, "SIGTRAP brk instruction 0x1"},
		{faultARM64(0x56000080, 0), false, ""},
	} {
		got := ""
		if c.f != nil {
			s := c.f.signal(c.mapped)
			got = s.Name + " " + s.CodeText
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestListedSegments gives an image of which there is nothing the extent that a note
// implies, so that its addresses are named by it.
func TestListedSegments(t *testing.T) {
	const load, count = 0x500000000, 2
	note := headerSize + noteSize + segmentSize
	entries, segs := note+24, note+24+count*48
	names := segs + 4*32
	seg := func(name string, at uint64) []byte { return words(pad16(name), at, uint64(0)) }
	payload := concat(words(1, count, uint64(entries), 48, 0),
		words(uint64(names), make([]byte, 16), uint64(load), uint64(segs), 2, 0),
		words(absent, make([]byte, 16), uint64(load+0x100000), uint64(segs+64), 1<<31, 0),
		seg("__TEXT", load), seg("__DATA", load+0x4000), seg("__TEXT", load+0x100000), seg("__DATA", 1<<40), []byte("/bin/a\x00"))
	cmds := concat(noteCommand("all image infos", uint64(note), uint64(len(payload))), segmentCommand(0x7000_0000_0000, 0x1000, 0, 0, 3))
	p, err := Open(core.Bytes(append(coreFile(cpuX86_64, 2, cmds), payload...)), "core", Options{})
	if err != nil || len(p.Modules) != 2 {
		t.Fatalf("%v, %v", p.Modules, err)
	}
	if m := p.Module(load + 0x3fff); m == nil || m.Path != "/bin/a" || m.End != load+0x4000 {
		t.Errorf("the image is %+v", m)
	}
	if m := p.Module(load + 0x4000); m != nil {
		t.Errorf("what follows its code is in %v", m.Path)
	}
	if _, err := p.Space.Window(load); core.Fault(err) == nil || core.Fault(err).Gap != core.FileMissing {
		t.Errorf("its code: %v", err)
	}
	if m := p.Modules[1]; m.End != m.Start+1 {
		t.Errorf("the next segment is too far away to be believed: %+v", m)
	}
}

// readAll asks everything of an image.
func readAll(f *File) {
	f.FuncStarts()
	f.SectionExtents()
	if m := f.DebugMap(); m != nil {
		m.Find(f.Base())
	}
	_ = f.Symbols(true, func(core.ImageSymbol) bool { return true })
	_ = f.Symbols(false, func(core.ImageSymbol) bool { return true })
	_, _ = f.Section(".eh_frame")
	_, _ = f.Section("__all_image_info")
}

func FuzzOpen(f *testing.F) {
	f.Add(sampleCore())
	f.Add(coreFile(cpuARM64, 1<<31, lc(lcThread, words(6, 1<<30))))
	f.Add(coreFile(cpuARM64, 2, concat(noteCommand("all image infos", 0, 64), noteCommand("addrable bits", 0, 16))))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Open(core.Bytes(b), "fuzz", Options{})
		if err != nil {
			return
		}
		for _, th := range p.Threads {
			th.Registers()
		}
		for _, m := range p.Modules {
			if img, ok := m.Facts().Image.(*File); ok {
				readAll(img)
			}
		}
	})
}

func FuzzFile(f *testing.F) {
	f.Add(words(0xfeedfacf, cpuX86_64, 3, mhExecute, 0, 0, 0, 0))
	f.Add([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x01\x01\x00\x00\x07\x00\x00\x00\x03\x00\x00\x00\x1c\x00\x00\x00\x20\x00\x00\x00\x00" +
		"\xcf\xfa\xed\xfe\x07\x00\x00\x01"))
	f.Add([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x34")) // a Java class
	f.Fuzz(func(t *testing.T, b []byte) {
		if img, err := NewFile(core.Bytes(b), "fuzz", cpuX86_64, nil); err == nil {
			readAll(img)
		}
	})
}
