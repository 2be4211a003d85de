package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// at returns n bytes with 32-bit numbers at places of them.
func (b *builder) at(n int, places map[int]uint32) []byte {
	d := make([]byte, n)
	for at, v := range places {
		b.order.PutUint32(d[at:], v)
	}
	return d
}

// put writes words of the class' size at a place.
func (b *builder) put(d []byte, at int, v ...uint64) []byte {
	copy(d[at:], b.appendWord(nil, v...))
	return d
}

// text puts a text at a place.
func text(d []byte, at int, s string) []byte { copy(d[at:], s); return d }

// freeBSDCore has two threads and what the kernel says of the process (FreeBSD,
// sys/sys/procfs.h, user.h, ptrace.h, sys/kern/imgact_elf.c).
func freeBSDCore() *builder {
	b := amd64Builder()
	status := func(tid uint32, rip uint64) []byte {
		d := b.at(48+176, map[int]uint32{0: 1, 36: 11, 40: tid})
		d = b.put(d, 8, 224, 176, 512)
		d = b.put(d, 48+10*8, 0x7100) // rbp
		d = b.put(d, 48+17*8, rip)
		return b.put(d, 48+20*8, 0x7000) // rsp
	}
	info := b.at(4+0x30+80, map[int]uint32{0: 160, 4: 100101, 12: 0x20, 52: 11, 60: 1})
	info = b.put(info, 52+24, 0xdead)
	entry := func(start, end, off uint64, path string) []byte {
		d := b.at(136+len(path)+8-len(path)%8, nil)
		b.order.PutUint32(d, uint32(len(d)))
		return text(b.put(d, 8, start, end, off), 136, path)
	}
	maps := append(b.append32(nil, 1160), entry(0x400000, 0x401000, 0, "/bin/a")...)
	maps = append(append(maps, entry(0x401000, 0x402000, 0x1000, "/bin/a")...), entry(0x7000, 0x8000, 0, "")...)
	b.note("FreeBSD", freePRPSInfo, text(text(b.at(120, map[int]uint32{0: 1, 116: 812}), 16, "server"), 33, "server -d "), -1)
	b.note("FreeBSD", ntPRStatus, status(100101, 0x400100), -1)
	b.note("FreeBSD", freeThrMisc, text(make([]byte, 24), 0, "worker"), -1)
	b.note("FreeBSD", freeLWPInfo, info, -1)
	b.note("FreeBSD", freeSegBases, b.appendWord(nil, 0x6000, 0), -1)
	b.note("FreeBSD", ntPRStatus, status(100102, 0x400200), -1)
	b.note("FreeBSD", freeProcessInfo, b.at(4+8+64+16, map[int]uint32{76: 812, 80: 1}), -1)
	b.note("FreeBSD", freeVMMap, maps, -1)
	b.note("FreeBSD", freeAuxv, append(b.append32(nil, 16), b.auxv(atPageSize, 4096)...), -1)
	return b.load(0x400000, 0x2000, core.Read|core.Exec, make([]byte, 0x1000)).load(0x7000, 0, core.Read|core.Write, make([]byte, 0x1000))
}

const atPageSize = 6

// netBSDCore has two LWPs, of which the second was hit (NetBSD, sys/exec_elf.h,
// amd64/include/frame_regs.h 1.3).
func netBSDCore() *builder {
	b := amd64Builder()
	regs := func(rip uint64) []byte {
		return b.put(b.put(b.put(make([]byte, 26*8), 12*8, 0x7100), 21*8, rip), 24*8, 0x7000)
	}
	info := b.at(160, map[int]uint32{0: 1, 4: 160, 8: 11, 12: 1, 80: 812, 84: 1, 96: 1000, 108: 100, 120: 2, 156: 2})
	b.note("NetBSD-CORE", netProcInfo, text(info, 124, "server"), -1).note("NetBSD-CORE", netAuxv, b.auxv(atPageSize, 4096), -1)
	return b.note("NetBSD-CORE@1", 33, regs(0x400200), -1).note("NetBSD-CORE@1", 35, make([]byte, 512), -1).
		note("NetBSD-CORE@2", 33, regs(0x400100), -1).load(0x400000, 0, core.Read|core.Exec, make([]byte, 0x1000))
}

// openBSDCore has one thread, of a machine with words of 64 or 32 bits (OpenBSD, sys/exec_elf.h;
// amd64/include/reg.h 1.6, i386/include/reg.h 1.3).
func openBSDCore(wide bool) *builder {
	b := newBuilder(stdelf.EM_386, binary.LittleEndian, false)
	regs := make([]byte, 16*4)
	pc, sp, fp := 8, 4, 5
	if wide {
		b, regs = amd64Builder(), make([]byte, 24*8)
		pc, sp, fp = 16, 15, 12
	}
	info := text(b.at(104, map[int]uint32{0: 1, 4: 104, 8: 11, 12: 1, 32: 812, 36: 1, 48: 1000, 60: 100}), 72, "server")
	for at, v := range map[int]uint64{pc: 0x400100, sp: 0x7000, fp: 0x7100} {
		regs = b.put(regs, at*b.ptr(), v)
	}
	return b.note("OpenBSD", openProcInfo, info, -1).note("OpenBSD@100101", openRegs, regs, -1)
}

// illumosCore has two LWPs in the form of 64 or 32 bits, after notes with Linux' types
// (illumos, usr/src/uts/common/sys/procfs.h, usr/src/uts/intel/sys/regset.h).
func illumosCore(wide bool) *builder {
	b := newBuilder(stdelf.EM_386, binary.LittleEndian, false)
	name, reg, size, fault, pc, sp, fp := 88, 344, 800, 28, 14, 17, 6
	if wide {
		b = amd64Builder()
		name, reg, size, fault, pc, sp, fp = 136, 544, 1296, 32, 17, 20, 10
	}
	lwp := func(id, sig uint32, at uint64) []byte {
		d := b.at(size, map[int]uint32{4: id, 12: sig, 16: sig, 20: 1})
		d = b.put(d, fault, 0xdead)
		d = b.put(d, reg+pc*b.ptr(), at)
		d = b.put(d, reg+fp*b.ptr(), 0x7100)
		return b.put(d, reg+sp*b.ptr(), 0x7000)
	}
	info := text(text(b.at(416, map[int]uint32{4: 2, 8: 812, 12: 1, 24: 100, 32: 10}), name, "server"), name+16, "server -d")
	b.note("CORE", ntPRStatus, make([]byte, 700), -1).note("CORE", ntPRPSInfo, make([]byte, 260), -1)
	b.note("CORE", illumosPSInfo, info, -1).note("CORE", illumosPStatus, b.at(600, map[int]uint32{8: 812, 12: 1}), -1)
	b.note("CORE", ntAuxv, b.auxv(atPageSize, 4096), -1)
	return b.note("CORE", illumosLWPStatus, lwp(1, 0, 0x400200), -1).note("CORE", 17, make([]byte, 128), -1).
		note("CORE", illumosLWPStatus, lwp(2, 11, 0x400100), -1)
}

// TestSystems reads threads, registers, signals and names from cores of other systems.
func TestSystems(t *testing.T) {
	for _, c := range []struct {
		os            string
		core          *builder
		tids          []int // the one that crashed first
		psargs, fault string
	}{
		{"freebsd", freeBSDCore(), []int{100101, 100102}, "server -d", "SEGV_MAPERR 0xdead"},
		{"netbsd", netBSDCore(), []int{2, 1}, "", "SEGV_MAPERR 0x0"},
		{"openbsd", openBSDCore(true), []int{100101}, "", "SEGV_MAPERR 0x0"},
		{"openbsd", openBSDCore(false), []int{100101}, "", "SEGV_MAPERR 0x0"},
		{"illumos", illumosCore(true), []int{2, 1}, "server -d", "SEGV_MAPERR 0xdead"},
		{"illumos", illumosCore(false), []int{2, 1}, "server -d", "SEGV_MAPERR 0xdead"},
	} {
		p := open(t, c.core.core(), nil)
		if p.OS != c.os || p.PID != 812 || p.Name != "server" || p.PSArgs != c.psargs || p.Snapshot {
			t.Errorf("%s: %s, process %d, %q, %q, snapshot: %v", c.os, p.OS, p.PID, p.Name, p.PSArgs, p.Snapshot)
		}
		if p.Signal == nil || p.Signal.Name != "SIGSEGV" || p.Signal.CodeName+" "+p.Signal.Addr.String() != c.fault {
			t.Errorf("%s: signal %+v, want %s", c.os, p.Signal, c.fault)
		}
		if c.os != "openbsd" {
			if v, ok := p.AuxValue(atPageSize); !ok || v != 4096 {
				t.Errorf("%s: the page size is %d, %v", c.os, v, ok)
			}
		}
		for i, tid := range c.tids {
			if len(p.Threads) != len(c.tids) || p.Threads[i].TID != tid || p.Threads[i].Crashed != (i == 0) {
				t.Fatalf("%s: threads %+v, want %v; %s", c.os, p.Threads, c.tids, warnings(p))
			}
			th := p.Threads[i]
			for slot, want := range map[int]uint64{p.Arch.PC: 0x400100 + uint64(i)*0x100, p.Arch.SP: 0x7000, p.Arch.FP: 0x7100} {
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
				t.Errorf("%s: of thread %d's registers %d are listed, with %#x as program counter", c.os, tid, len(th.Registers()), pc)
			}
		}
	}
	for _, b := range []*builder{netBSDCore(), openBSDCore(true)} {
		if p := open(t, b.core(), nil); p.PPID != 1 || p.UID != 1000 || p.GID != 100 {
			t.Errorf("%s: parent %d, user %d, group %d", p.OS, p.PPID, p.UID, p.GID)
		}
	}
	p := open(t, freeBSDCore().core(), nil)
	if p.Threads[0].Name != "worker" || p.Threads[0].TLS != 0x6000 {
		t.Errorf("freebsd: thread %q with local storage at %v", p.Threads[0].Name, p.Threads[0].TLS)
	}
	if m := p.Module(0x401800); m == nil || m.Path != "/bin/a" {
		t.Errorf("freebsd: module %+v", m)
	}
}

// FuzzSystems opens cores of other systems whose notes are damaged.
func FuzzSystems(f *testing.F) {
	all := []*builder{freeBSDCore(), netBSDCore(), openBSDCore(true), illumosCore(true), illumosCore(false)}
	for i, b := range all {
		f.Add(uint8(i), b.notes)
	}
	f.Fuzz(func(t *testing.T, which uint8, notes []byte) {
		b := *all[int(which)%len(all)]
		b.notes = notes
		if p, err := Open(core.Bytes(b.core()), "core", Options{Files: noFiles{}}); err == nil {
			ask(p)
			p.Close()
		}
	})
}
