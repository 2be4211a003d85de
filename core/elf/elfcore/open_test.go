package elfcore_test

import (
	"bytes"
	"context"
	stdelf "debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/elftest"
	"coredbg/core/elf/format"
	"coredbg/core/find"
)

// noFiles is a Finder without files.
type noFiles struct{}

func (noFiles) Find(context.Context, find.Want) find.Found { return find.Found{} }

// someFiles is a Finder over a map, which checks build-ids as Disk does.
type someFiles map[string][]byte

func (f someFiles) Find(_ context.Context, w find.Want) find.Found {
	data, ok := f[w.Path]
	if !ok || w.Kind != find.Image {
		return find.Found{}
	}
	if err := elf.CheckBuildID(core.Bytes(data), w.Path, w.ID); err != nil {
		return find.Found{Refused: []error{err}}
	}
	return find.Found{Source: core.Bytes(data), From: w.Path}
}

func open(t testing.TB, data []byte, files find.Finder) *core.Process {
	t.Helper()
	if files == nil {
		files = noFiles{}
	}
	p, err := elfcore.Open(core.Bytes(data), "core", elfcore.Options{Files: files})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return p
}

func warnings(p *core.Process) string {
	var s []string
	for _, w := range p.Warnings {
		s = append(s, w.String())
	}
	return strings.Join(s, "\n")
}

func TestOpenRefuses(t *testing.T) {
	exe := elftest.AMD64().Library([]byte{1, 2, 3, 4}, 512, 0)
	bad := elftest.AMD64().Core()
	badClass, badData := slices.Clone(bad), slices.Clone(bad)
	badClass[4], badData[5] = 9, 9
	for _, c := range []struct {
		name    string
		data    []byte
		want    string
		unknown bool
	}{
		{"empty", nil, "empty", true},
		{"text", []byte("hello, core\n"), "text file", true},
		{"zeros", make([]byte, 4096), "zeros", true},
		{"noise", []byte{1, 2, 3, 0xff, 0xfe}, "neither", true},
		{"library", exe, "executable or shared library, not a core", false},
		{"cut header", bad[:40], "ends inside its ELF header", false},
		{"class", badClass, "class", false},
		{"order", badData, "byte order", false},
	} {
		_, err := elfcore.Open(core.Bytes(c.data), "x", elfcore.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, core.ErrUnknownFormat) != c.unknown {
			t.Errorf("%s: %v, want one with %q, unknown format: %v", c.name, err, c.want, c.unknown)
		}
	}
}

// TestRegisters checks the places in each architecture's NT_PRSTATUS of the registers that unwinding
// needs. The indexes come from the kernel's user_regs_struct and pt_regs of the architecture.
func TestRegisters(t *testing.T) {
	le, be := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	for _, c := range []struct {
		m     stdelf.Machine
		order binary.ByteOrder
		wide  bool
		name  string
		want  map[string]uint64 // register to index in elf_gregset_t
	}{
		{stdelf.EM_X86_64, le, true, "x86-64", map[string]uint64{"r15": 0, "rbp": 4, "rbx": 5, "rax": 10,
			"rip": 16, "rsp": 19}},
		{stdelf.EM_386, le, false, "i386", map[string]uint64{"ebx": 0, "ebp": 5, "eax": 6, "eip": 12, "esp": 15}},
		{stdelf.EM_AARCH64, le, true, "aarch64", map[string]uint64{"x0": 0, "x29": 29, "x30": 30, "sp": 31, "pc": 32}},
		{stdelf.EM_ARM, le, false, "arm", map[string]uint64{"r0": 0, "r11": 11, "sp": 13, "lr": 14, "pc": 15}},
		{stdelf.EM_RISCV, le, true, "riscv64", map[string]uint64{"pc": 0, "ra": 1, "sp": 2, "s0": 8, "t6": 31}},
		{stdelf.EM_PPC64, le, true, "ppc64le", map[string]uint64{"r0": 0, "r1": 1, "r31": 31, "pc": 32, "lr": 36}},
		{stdelf.EM_PPC64, be, true, "ppc64", map[string]uint64{"r1": 1, "pc": 32}},
		{stdelf.EM_S390, be, true, "s390x", map[string]uint64{"pswa": 1, "r0": 2, "r15": 17}},
		{stdelf.EM_X86_64, le, false, "x32", map[string]uint64{"r15": 0, "rbp": 4, "rip": 16, "rsp": 19}},
		{stdelf.EM_PPC, be, false, "ppc", map[string]uint64{"r0": 0, "r1": 1, "r31": 31, "pc": 32, "lr": 36}},
		{stdelf.EM_S390, be, false, "s390", map[string]uint64{"pswa": 1, "r0": 2, "r15": 17}},
		{stdelf.EM_MIPS, be, false, "mips", map[string]uint64{"at": 0, "s0": 15, "sp": 28, "fp": 29,
			"ra": 30, "pc": 33}},
		{stdelf.EM_MIPS, le, false, "mipsel", map[string]uint64{"t0": 7, "ra": 30, "pc": 33}},
		{stdelf.EM_MIPS, le, true, "mips64el", map[string]uint64{"at": 0, "a4": 7, "sp": 28, "ra": 30, "pc": 33}},
		{stdelf.EM_SPARCV9, be, true, "sparc64", map[string]uint64{"g0": 0, "sp": 14, "o7": 15, "l0": 16, "fp": 30,
			"i7": 31, "pc": 33}},
		{stdelf.EM_LOONGARCH, le, true, "loongarch64", map[string]uint64{"ra": 1, "sp": 3, "fp": 22, "pc": 33}},
		{stdelf.EM_68K, be, false, "m68k", map[string]uint64{"d1": 0, "a0": 7, "fp": 13, "d0": 14, "sp": 15, "pc": 18}},
	} {
		p := open(t, elftest.New(c.m, c.order, c.wide).Thread(42, 11, 0x1000).Core(), nil)
		if p.Arch == nil || p.Arch.Name != c.name || p.Arch.Order != c.order {
			t.Errorf("%s: architecture %+v", c.name, p.Arch)
			continue
		}
		if len(p.Threads) != 1 || p.Threads[0].TID != 42 || !p.Threads[0].Crashed || p.Signal == nil ||
			p.Signal.Name != "SIGSEGV" {
			t.Errorf("%s: threads %v, signal %v", c.name, p.Threads, p.Signal)
			continue
		}
		for reg, i := range c.want {
			v, ok := p.Threads[0].Regs.Get(p.Arch.SlotOf(reg))
			if !ok || v != 0x1000+i {
				t.Errorf("%s: %s = %#x, %v, want %#x", c.name, reg, v, ok, 0x1000+i)
			}
			if !slices.ContainsFunc(p.Threads[0].Registers(), func(r core.Register) bool {
				return r.Name == reg &&
					r.Value == 0x1000+i
			}) {
				t.Errorf("%s: the full set has no %s = %#x", c.name, reg, 0x1000+i)
			}
		}
		if len(p.Warnings) > 0 {
			t.Errorf("%s: %s", c.name, warnings(p))
		}
	}
}

// TestN32: a core whose flags do not say so is known by the size of its notes.
func TestN32(t *testing.T) {
	b := elftest.New(stdelf.EM_MIPS, binary.LittleEndian, false)
	b.Flags = format.MIPSABI2
	b.Thread(42, 11, 0x1000)
	for _, flags := range []uint32{format.MIPSABI2, 0} {
		b.Flags = flags
		p := open(t, b.Core(), nil)
		if pc, _ := p.Threads[0].Regs.Get(p.Arch.PC); p.Arch != core.MIPSN32EL || pc != 0x1000+33 {
			t.Errorf("flags %#x: %s with the program counter %#x", flags, p.Arch.Name, pc)
		}
	}
}

func TestUnknownMachine(t *testing.T) {
	b := elftest.New(stdelf.EM_PARISC, binary.BigEndian, false)
	p := open(t, b.Load(0x1000, 0, core.Read, []byte("\x12\x34\x56\x78")).Note("CORE", elftest.NTPRStatus,
		make([]byte, 256), -1).Core(), nil)
	if p.Arch != nil || p.Machine != "parisc" || len(p.Threads) != 0 || len(p.Notes) != 1 ||
		!strings.Contains(warnings(p), "parisc") {
		t.Errorf("%v %q, %d threads, %d notes, %s", p.Arch, p.Machine, len(p.Threads), len(p.Notes), warnings(p))
	}
	if v := p.Cursor().U32(0x1000); v != 0x12345678 {
		t.Errorf("memory reads %#x", v)
	}
}

func TestManySegments(t *testing.T) {
	const n = 70000
	b := elftest.AMD64().Thread(1, 6, 0)
	for i := range uint64(n) {
		b.Load(0x10000+i*0x2000, 0x1000, core.Read, nil)
	}
	data := b.Core()
	if p := open(t, data, nil); len(p.Mappings) != n || len(p.Warnings) != 0 {
		t.Errorf("%d mappings of %d; %s", len(p.Mappings), n, warnings(p))
	}
	// Without section header 0, at the file's end, the place of the notes decides.
	if p := open(t, data[:len(data)-1], nil); len(p.Mappings) != n || !strings.Contains(warnings(p), "truncated") {
		t.Errorf("cut: %d mappings of %d; %s", len(p.Mappings), n, warnings(p))
	}
}

func TestOddSegments(t *testing.T) {
	data := []byte("0123456789abcdef")
	p := open(t, elftest.AMD64().
		Load(0x1000, 0, core.Read, data).
		Load(0x1008, 0, core.Read, []byte("LATER")).
		Load(^uint64(0)-7, 0x1000, core.Read, data).
		Load(0x9000, 0x20, core.Read|core.Write, data).Core(), nil)
	got := make([]byte, 16)
	if _, err := p.Space.ReadAt(got, 0x1000); err != nil || string(got) != "01234567LATERdef" {
		t.Errorf("overlap reads %q, %v", got, err)
	}
	if _, err := p.Space.ReadAt(got[:1], 0x9010); core.Fault(err) == nil || core.Fault(err).Gap != core.NotDumped {
		t.Errorf("past p_filesz: %v, want not dumped", err)
	}
	for _, want := range []string{"overlap", "wrap"} {
		if !strings.Contains(warnings(p), want) {
			t.Errorf("no warning with %q in %s", want, warnings(p))
		}
	}
}

// TestCutAnywhere cuts a core at each byte: it must open from the end of the ELF
// header on, say that it is cut, and read what is before the cut.
func TestCutAnywhere(t *testing.T) {
	seg := bytes.Repeat([]byte("segment."), 8)
	b := elftest.AMD64().Thread(7, 11, 0x100).Note("CORE", elftest.NTAuxv, elftest.AMD64().Auxv(6, 4096),
		-1).Thread(8, 11, 0x200)
	data := b.Load(0x1000, 0, core.Read, seg).Core()
	segOff := len(data) - len(seg)
	for n := 64; n < len(data); n++ {
		p := open(t, data[:n], nil)
		if !strings.Contains(warnings(p), "truncated") {
			t.Fatalf("cut at %d of %d without a word: %s", n, len(data), warnings(p))
		}
		if n <= segOff {
			continue
		}
		got := make([]byte, len(seg))
		k, err := p.Space.ReadAt(got, 0x1000)
		if k != n-segOff || core.Fault(err) == nil || core.Fault(err).Gap != core.Truncated ||
			!bytes.Equal(got[:k], seg[:k]) {
			t.Fatalf("cut at %d: read %d bytes, %v, want %d", n, k, err, n-segOff)
		}
		if len(p.Threads) != 2 || p.Threads[1].TID != 8 {
			t.Fatalf("cut at %d: threads lost", n)
		}
	}
}

func TestSignals(t *testing.T) {
	b := elftest.AMD64()
	info := func(signo, code int32, fields ...uint64) []byte {
		d := b.Append32(nil, uint32(signo), 0, uint32(code), 0)
		d = b.AppendWord(d, fields...)
		return append(d, make([]byte, 128-len(d))...)
	}
	for _, c := range []struct {
		desc []byte
		want string
	}{
		{info(11, 1, 0xdead), "SIGSEGV SEGV_MAPERR addr 0xdead"},
		{info(11, 0x80, 0), "SIGSEGV SI_KERNEL"},
		{info(11, 0, 77|1000<<32), "SIGSEGV SI_USER from 77 uid 1000"},
		{info(6, -6, 5|7<<32), "SIGABRT SI_TKILL from 5 uid 7"},
		{info(7, 2, 0x7000), "SIGBUS BUS_ADRERR addr 0x7000"},
		{info(8, 1, 0x400123), "SIGFPE FPE_INTDIV addr 0x400123"},
		{info(31, 1), "SIGSYS SYS_SECCOMP"},
		{info(35, -1, 1), "SIG35 SI_QUEUE from 1 uid 0"},
		{info(11, 99, 1)[:20], "SIGSEGV "},
		{info(4, 2)[:8], "SIGILL "},
	} {
		p := open(t, elftest.AMD64().Thread(1, 11, 0).Note("CORE", elftest.NTSigInfo, c.desc, -1).Core(), nil)
		s := p.Signal
		got := s.Name + " " + s.CodeName
		if s.HasAddr {
			got += fmt.Sprintf(" addr %v", s.Addr)
		}
		if s.HasSender {
			got += fmt.Sprintf(" from %d uid %d", s.PID, s.UID)
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
