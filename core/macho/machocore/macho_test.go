package machocore_test

import (
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// sampleCore has two threads, in the unified flavors of the kernel and in the plain ones; the second
// crashed. Its segments are out of order, one is empty, and one is not whole in the file.
func sampleCore() []byte {
	unified := machotest.Words(7, 44, 4, 42, machotest.X86State(0x1111), 9, 6, 6, 4, 133, 0, uint64(0))
	plain := machotest.Words(4, 42, machotest.X86State(0x2222), 6, 4, 14, 6, uint64(0x10))
	cmds := machotest.Concat(
		machotest.SegmentCommand(0x9000, 0x1000, 0, 0, 3),
		machotest.SegmentCommand(0x5000, 0x2000, 0, 16, 5),
		machotest.SegmentCommand(0xa000, 0x1000, 0, 1<<40, 1),
		machotest.NoteCommand("main bin spec", 1<<60, 40),
		machotest.LC(format.LCThread, unified), machotest.LC(format.LCThread, plain))
	return machotest.CoreFile(format.CPUX86_64, 6, cmds)
}

func TestOpen(t *testing.T) {
	p, err := machocore.Open(core.Bytes(sampleCore()), "core", machocore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Threads) != 2 || !p.Threads[0].Crashed || p.Threads[0].TID != 2 || p.Threads[0].Regs.Val[16] != 0x2222 ||
		p.Threads[1].Regs.Val[16] != 0x1111 {
		t.Errorf("threads %+v", p.Threads)
	}
	if s := p.Signal; s == nil || s.Name != "SIGSEGV" || !s.HasAddr || s.Addr != 0x10 ||
		s.CodeText != "write of an address that is not mapped" {
		t.Errorf("signal %+v", s)
	}
	if len(p.Mappings) != 3 || p.Mappings[0].Start != 0x5000 || p.Mappings[0].Prot.String() != "r-x" ||
		p.Mappings[0].Dumped != 16 {
		t.Errorf("mappings %+v", p.Mappings)
	}
	for a, want := range map[core.Addr]core.Gap{0x5010: core.NotDumped, 0x9000: core.NotDumped, 0xaf00: core.Truncated,
		0x100: core.Unmapped} {
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
	if _, err := machocore.Open(core.Bytes("\x7fELF"), "x", machocore.Options{}); !errors.Is(err,
		core.ErrUnknownFormat) {
		t.Errorf("an ELF file: %v", err)
	}
	exe := machotest.Words(0xfeedfacf, format.CPUX86_64, 3, format.MHExecute, 0, 0, 0, 0)
	var bad *core.FormatError
	if _, err := machocore.Open(core.Bytes(exe), "x", machocore.Options{}); !errors.As(err, &bad) {
		t.Errorf("an executable: %v", err)
	}
}

// TestListedSegments gives an image without header and file the extent that a note implies, so that its
// addresses are named by it.
func TestListedSegments(t *testing.T) {
	const load, count = 0x500000000, 2
	note := format.HeaderSize + format.NoteSize + machotest.SegmentSize
	entries, segs := note+24, note+24+count*48
	names := segs + 4*32
	seg := func(name string, at uint64) []byte { return machotest.Words(machotest.Pad16(name), at, uint64(0)) }
	payload := machotest.Concat(machotest.Words(1, count, uint64(entries), 48, 0),
		machotest.Words(uint64(names), make([]byte, 16), uint64(load), uint64(segs), 2, 0),
		machotest.Words(^uint64(0), make([]byte, 16), uint64(load+0x100000), uint64(segs+64), 1<<31, 0),
		seg("__TEXT", load), seg("__DATA", load+0x4000), seg("__TEXT", load+0x100000), seg("__DATA", 1<<40),
		[]byte("/bin/a\x00"))
	cmds := machotest.Concat(machotest.NoteCommand("all image infos", uint64(note), uint64(len(payload))),
		machotest.SegmentCommand(0x7000_0000_0000, 0x1000, 0, 0, 3))
	p, err := machocore.Open(core.Bytes(append(machotest.CoreFile(format.CPUX86_64, 2, cmds), payload...)), "core",
		machocore.Options{})
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

func FuzzOpen(f *testing.F) {
	f.Add(sampleCore())
	f.Add(machotest.CoreFile(format.CPUARM64, 1<<31, machotest.LC(format.LCThread, machotest.Words(6, 1<<30))))
	f.Add(machotest.CoreFile(format.CPUARM64, 2, machotest.Concat(machotest.NoteCommand("all image infos", 0, 64),
		machotest.NoteCommand("addrable bits", 0, 16))))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := machocore.Open(core.Bytes(b), "fuzz", machocore.Options{})
		if err != nil {
			return
		}
		for _, th := range p.Threads {
			th.Registers()
		}
		for _, m := range p.Modules {
			if img, ok := m.Facts().Image.(*macho.File); ok {
				machotest.ReadAll(img)
				if m := img.DebugMap(); m != nil {
					m.Find(img.Base())
				}
			}
		}
	})
}
