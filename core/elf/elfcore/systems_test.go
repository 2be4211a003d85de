package elfcore_test

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/elftest"
)

// freeBSDCore has two threads and the kernel's notes about the process (FreeBSD, sys/sys/procfs.h,
// user.h, ptrace.h, sys/kern/imgact_elf.c).
func freeBSDCore() *elftest.Builder {
	b := elftest.AMD64()
	status := func(tid uint32, rip uint64) []byte {
		d := b.At(48+176, map[int]uint32{0: 1, 36: 11, 40: tid})
		d = b.Put(d, 8, 224, 176, 512)
		d = b.Put(d, 48+10*8, 0x7100) // rbp
		d = b.Put(d, 48+17*8, rip)
		copy(d[48+15*8:], b.Append16(nil, 9, 0, 0x13, 0x1b, 0, 0, 0x3b, 0x3c)) // trapno to ds
		return b.Put(d, 48+20*8, 0x7000)                                       // rsp
	}
	info := b.At(4+0x30+80, map[int]uint32{0: 160, 4: 100101, 12: 0x20, 52: 11, 60: 1})
	info = b.Put(info, 52+24, 0xdead)
	entry := func(start, end, off uint64, path string) []byte {
		d := b.At(136+len(path)+8-len(path)%8, nil)
		b.Order.PutUint32(d, uint32(len(d)))
		return elftest.Text(b.Put(d, 8, start, end, off), 136, path)
	}
	maps := append(b.Append32(nil, 1160), entry(0x400000, 0x401000, 0, "/bin/a")...)
	maps = append(append(maps, entry(0x401000, 0x402000, 0x1000, "/bin/a")...), entry(0x7000, 0x8000, 0, "")...)
	b.Note("FreeBSD", elftest.FreePRPSInfo, elftest.Text(elftest.Text(b.At(120, map[int]uint32{0: 1, 116: 812}), 16,
		"server"), 33, "server -d "), -1)
	b.Note("FreeBSD", elftest.NTPRStatus, status(100101, 0x400100), -1)
	b.Note("FreeBSD", elftest.FreeThrMisc, elftest.Text(make([]byte, 24), 0, "worker"), -1)
	b.Note("FreeBSD", elftest.FreeLWPInfo, info, -1)
	b.Note("FreeBSD", elftest.FreeSegBases, b.AppendWord(nil, 0x6000, 0), -1)
	b.Note("FreeBSD", elftest.NTPRStatus, status(100102, 0x400200), -1)
	b.Note("FreeBSD", elftest.FreeProcessInfo, b.At(4+8+64+16, map[int]uint32{76: 812, 80: 1}), -1)
	b.Note("FreeBSD", elftest.FreeVMMap, maps, -1)
	b.Note("FreeBSD", elftest.FreeAuxv, append(b.Append32(nil, 16), b.Auxv(elftest.ATPageSize, 4096)...), -1)
	return b.Load(0x400000, 0x2000, core.Read|core.Exec, make([]byte, 0x1000)).Load(0x7000, 0, core.Read|core.Write,
		make([]byte, 0x1000))
}

func TestFreeBSDSegments(t *testing.T) {
	have := map[string]core.Register{}
	for _, r := range open(t, freeBSDCore().Core(), nil).Threads[0].Registers() {
		have[r.Name] = r
	}
	for name, want := range map[string]uint64{"fs": 0x13, "gs": 0x1b, "es": 0x3b, "ds": 0x3c, "rip": 0x400100} {
		if r := have[name]; r.Value != want || name != "rip" && r.Size != 2 {
			t.Errorf("%s: %+v, not %#x", name, r, want)
		}
	}
}

// netBSDCore has two LWPs; the signal hit the second (NetBSD, sys/exec_elf.h,
// amd64/include/frame_regs.h 1.3).
func netBSDCore() *elftest.Builder {
	b := elftest.AMD64()
	regs := func(rip uint64) []byte {
		return b.Put(b.Put(b.Put(make([]byte, 26*8), 12*8, 0x7100), 21*8, rip), 24*8, 0x7000)
	}
	info := b.At(160, map[int]uint32{0: 1, 4: 160, 8: 11, 12: 1, 80: 812, 84: 1, 96: 1000, 108: 100, 120: 2, 156: 2})
	b.Note("NetBSD-CORE", elftest.NetProcInfo, elftest.Text(info, 124, "server"), -1).Note("NetBSD-CORE",
		elftest.NetAuxv, b.Auxv(elftest.ATPageSize, 4096), -1)
	return b.Note("NetBSD-CORE@1", 33, regs(0x400200), -1).Note("NetBSD-CORE@1", 35, make([]byte, 512), -1).
		Note("NetBSD-CORE@2", 33, regs(0x400100), -1).Load(0x400000, 0, core.Read|core.Exec, make([]byte, 0x1000))
}

// openBSDCore has one thread, of a machine with words of 64 or 32 bits (OpenBSD, sys/exec_elf.h;
// amd64/include/reg.h 1.6, i386/include/reg.h 1.3).
func openBSDCore(wide bool) *elftest.Builder {
	b := elftest.New(stdelf.EM_386, binary.LittleEndian, false)
	regs := make([]byte, 16*4)
	pc, sp, fp := 8, 4, 5
	if wide {
		b, regs = elftest.AMD64(), make([]byte, 24*8)
		pc, sp, fp = 16, 15, 12
	}
	info := elftest.Text(b.At(104, map[int]uint32{0: 1, 4: 104, 8: 11, 12: 1, 32: 812, 36: 1, 48: 1000, 60: 100}), 72,
		"server")
	for at, v := range map[int]uint64{pc: 0x400100, sp: 0x7000, fp: 0x7100} {
		regs = b.Put(regs, at*b.Ptr(), v)
	}
	return b.Note("OpenBSD", elftest.OpenProcInfo, info, -1).Note("OpenBSD@100101", elftest.OpenRegs, regs, -1)
}

// openBSDSparc has one thread of sparc64 and the cookie of its windows. The layout of its registers,
// and the cookie being only in return addresses on its stack, follow a core of OpenBSD among the test
// files of rizin.
func openBSDSparc() *elftest.Builder {
	b := elftest.New(stdelf.EM_SPARCV9, binary.BigEndian, true)
	regs := make([]byte, 36*8)
	for at, v := range map[int]uint64{1: 0x400100, 2: 0x400104, 3: 5 << 32, 4 + 7: 0x6000, 4 + 14: 0x7000,
		4 + 30: 0x7100} {
		regs = b.Put(regs, at*8, v)
	}
	info := elftest.Text(b.At(104, map[int]uint32{0: 1, 4: 104, 8: 11, 12: 1, 32: 812, 36: 1, 48: 1000, 60: 100}), 72,
		"server")
	return b.Note("OpenBSD", elftest.OpenProcInfo, info, -1).Note("OpenBSD", elftest.OpenCookie,
		b.AppendWord(nil, 0x3915a5bd152d4ed1), -1).
		Note("OpenBSD@100101", elftest.OpenRegs, regs, -1)
}

func TestOpenBSDSparc(t *testing.T) {
	p := open(t, openBSDSparc().Core(), nil)
	if p.WindowCookie != 0x3915a5bd152d4ed1 {
		t.Errorf("cookie %#x", p.WindowCookie)
	}
	have := map[string]uint64{}
	for _, r := range p.Threads[0].Registers() {
		have[r.Name] = r.Value
	}
	if have["npc"] != 0x400104 || have["g7"] != 0x6000 || have["y"] != 5 {
		t.Errorf("registers %#x", have)
	}
	short := elftest.New(stdelf.EM_SPARCV9, binary.BigEndian, true).Note("OpenBSD", elftest.OpenCookie, []byte{1, 2, 3},
		-1).Note("OpenBSD@1", elftest.OpenRegs, []byte{1}, -1)
	if p := open(t, short.Core(), nil); p.WindowCookie != 0 {
		t.Errorf("a cookie of 3 bytes: %#x", p.WindowCookie)
	}
	x86 := elftest.AMD64().Note("OpenBSD", elftest.OpenCookie, make([]byte, 8), -1)
	x86.Notes[len(x86.Notes)-1] = 1
	if p := open(t, x86.Core(), nil); p.WindowCookie != 0 {
		t.Errorf("x86-64 has no windows, but a cookie of %#x", p.WindowCookie)
	}
}

// illumosCore has two LWPs in the form of 64 or 32 bits, after notes with Linux' types
// (illumos, usr/src/uts/common/sys/procfs.h, usr/src/uts/intel/sys/regset.h).
func illumosCore(wide bool) *elftest.Builder {
	b := elftest.New(stdelf.EM_386, binary.LittleEndian, false)
	name, reg, size, fault, pc, sp, fp := 88, 344, 800, 28, 14, 17, 6
	if wide {
		b = elftest.AMD64()
		name, reg, size, fault, pc, sp, fp = 136, 544, 1296, 32, 17, 20, 10
	}
	lwp := func(id, sig uint32, at uint64) []byte {
		d := b.At(size, map[int]uint32{4: id, 12: sig, 16: sig, 20: 1})
		d = b.Put(d, fault, 0xdead)
		d = b.Put(d, reg+pc*b.Ptr(), at)
		d = b.Put(d, reg+fp*b.Ptr(), 0x7100)
		return b.Put(d, reg+sp*b.Ptr(), 0x7000)
	}
	info := elftest.Text(elftest.Text(b.At(416, map[int]uint32{4: 2, 8: 812, 12: 1, 24: 100, 32: 10}), name, "server"),
		name+16, "server -d")
	b.Note("CORE", elftest.NTPRStatus, make([]byte, 700), -1).Note("CORE", elftest.NTPRPSInfo, make([]byte, 260), -1)
	b.Note("CORE", elftest.IllumosPSInfo, info, -1).Note("CORE", elftest.IllumosPStatus,
		b.At(600, map[int]uint32{8: 812, 12: 1}), -1)
	b.Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATPageSize, 4096), -1)
	return b.Note("CORE", elftest.IllumosLWPStatus, lwp(1, 0, 0x400200), -1).Note("CORE", 17, make([]byte, 128), -1).
		Note("CORE", elftest.IllumosLWPStatus, lwp(2, 11, 0x400100), -1)
}

// TestSystems reads threads, registers, signals and names from cores of other systems.
func TestSystems(t *testing.T) {
	for _, c := range []struct {
		os            string
		core          *elftest.Builder
		tids          []int // the one that crashed first
		psargs, fault string
	}{
		{"freebsd", freeBSDCore(), []int{100101, 100102}, "server -d", "SEGV_MAPERR 0xdead"},
		{"netbsd", netBSDCore(), []int{2, 1}, "", "SEGV_MAPERR 0x0"},
		{"openbsd", openBSDCore(true), []int{100101}, "", "SEGV_MAPERR 0x0"},
		{"openbsd", openBSDCore(false), []int{100101}, "", "SEGV_MAPERR 0x0"},
		{"openbsd", openBSDSparc(), []int{100101}, "", "SEGV_MAPERR 0x0"},
		{"illumos", illumosCore(true), []int{2, 1}, "server -d", "SEGV_MAPERR 0xdead"},
		{"illumos", illumosCore(false), []int{2, 1}, "server -d", "SEGV_MAPERR 0xdead"},
	} {
		p := open(t, c.core.Core(), nil)
		if p.OS != c.os || p.PID != 812 || p.Name != "server" || p.PSArgs != c.psargs || p.Snapshot {
			t.Errorf("%s: %s, process %d, %q, %q, snapshot: %v", c.os, p.OS, p.PID, p.Name, p.PSArgs, p.Snapshot)
		}
		if p.Signal == nil || p.Signal.Name != "SIGSEGV" || p.Signal.CodeName+" "+p.Signal.Addr.String() != c.fault {
			t.Errorf("%s: signal %+v, want %s", c.os, p.Signal, c.fault)
		}
		if c.os != "openbsd" {
			if v, ok := p.AuxValue(elftest.ATPageSize); !ok || v != 4096 {
				t.Errorf("%s: the page size is %d, %v", c.os, v, ok)
			}
		}
		for i, tid := range c.tids {
			if len(p.Threads) != len(c.tids) || p.Threads[i].TID != tid || p.Threads[i].Crashed != (i == 0) {
				t.Fatalf("%s: threads %+v, want %v; %s", c.os, p.Threads, c.tids, warnings(p))
			}
			th := p.Threads[i]
			for slot, want := range map[int]uint64{p.Arch.PC: 0x400100 + uint64(i)*0x100, p.Arch.SP: 0x7000,
				p.Arch.FP: 0x7100} {
				if v, ok := th.Regs.Get(slot); !ok || v != want {
					t.Errorf("%s: thread %d has %#x in %s, want %#x", c.os, tid, v, p.Arch.RegNames[slot], want)
				}
			}
			pc := uint64(0)
			for _, r := range th.Registers() {
				if r.Name == p.Arch.RegNames[p.Arch.PC] {
					pc = r.Value
				}
			}
			if pc != 0x400100+uint64(i)*0x100 {
				t.Errorf("%s: of thread %d's registers %d are listed, with %#x as program counter", c.os, tid,
					len(th.Registers()), pc)
			}
		}
	}
	for _, b := range []*elftest.Builder{netBSDCore(), openBSDCore(true)} {
		if p := open(t, b.Core(), nil); p.PPID != 1 || p.UID != 1000 || p.GID != 100 {
			t.Errorf("%s: parent %d, user %d, group %d", p.OS, p.PPID, p.UID, p.GID)
		}
	}
	p := open(t, freeBSDCore().Core(), nil)
	if p.Threads[0].Name != "worker" || p.Threads[0].TLS != 0x6000 {
		t.Errorf("freebsd: thread %q with local storage at %v", p.Threads[0].Name, p.Threads[0].TLS)
	}
	if m := p.Module(0x401800); m == nil || m.Path != "/bin/a" {
		t.Errorf("freebsd: module %+v", m)
	}
}

// FuzzSystems opens cores of other systems whose notes are damaged.
func FuzzSystems(f *testing.F) {
	all := []*elftest.Builder{freeBSDCore(), netBSDCore(), openBSDCore(true), illumosCore(true), illumosCore(false)}
	for i, b := range all {
		f.Add(uint8(i), b.Notes)
	}
	f.Fuzz(func(t *testing.T, which uint8, notes []byte) {
		b := *all[int(which)%len(all)]
		b.Notes = notes
		if p, err := elfcore.Open(core.Bytes(b.Core()), "core", elfcore.Options{Files: noFiles{}}); err == nil {
			ask(p)
			p.Close()
		}
	})
}
