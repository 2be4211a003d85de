package elfcore_test

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core/elf/elftest"
	"coredbg/core/elf/note"
)

// TestNoteOwners: notes are known by their types, whoever's name stands with them.
func TestNoteOwners(t *testing.T) {
	b := elftest.AMD64()
	psinfo := make([]byte, 136)
	b.Order.PutUint32(psinfo[24:], 77)
	copy(psinfo[40:], "name")
	for _, c := range []struct {
		name    string
		owner   string
		add     func(b *elftest.Builder)
		threads int
	}{
		{"LINUX", "LINUX", func(*elftest.Builder) {}, 2},
		{"both", "CORE", func(b *elftest.Builder) { b.Note("LINUX", elftest.NTPRStatus, b.Status(1, 11, 0x9000), -1) },
			2},
		{"unknown", "KERNEL", func(*elftest.Builder) {}, 2},
		{"another system's", "FreeBSD", func(*elftest.Builder) {}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := elftest.AMD64().Note(c.owner, elftest.NTPRStatus, b.Status(1, 11, 0x1000), -1)
			c.add(b)
			b.Note(c.owner, elftest.NTPRPSInfo, psinfo, -1).Note("CORE", elftest.NTX86XState, make([]byte, 576), -1)
			b.Note(c.owner, elftest.NTPRStatus, b.Status(2, 0, 0x2000), -1)
			p := open(t, b.Core(), nil)
			if len(p.Threads) != c.threads {
				t.Fatalf("%d threads; %s", len(p.Threads), warnings(p))
			}
			if c.threads == 0 {
				return
			}
			if pc, _ := p.Threads[1].Regs.Get(p.Arch.PC); pc != 0x2010 || p.PID != 77 || p.Name != "name" {
				t.Errorf("the second thread is at %#x, the process is %d, %q", pc, p.PID, p.Name)
			}
			if p.Notes[0].Name != "NT_PRSTATUS" || p.Notes[0].TID != 1 {
				t.Errorf("the first note is %q of thread %d", p.Notes[0].Name, p.Notes[0].TID)
			}
			vectors := 0
			for _, r := range p.Threads[0].Registers() {
				if r.Set == "vector" {
					vectors++
				}
			}
			if vectors == 0 {
				t.Error("no vector registers of the note that the other owner has")
			}
		})
	}
}

// TestNoteOwnersOfMachines: the kernel writes the registers of riscv64 and of others as notes of either
// owner. Numbers are the same as in TestRegisters.
func TestNoteOwnersOfMachines(t *testing.T) {
	le, be := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	for _, m := range []struct {
		machine  stdelf.Machine
		order    binary.ByteOrder
		wide     bool
		pc       uint64 // its index in elf_gregset_t
		fp, last string // floating-point registers of NT_PRFPREG, "" if it has no such registers
		lastAt   int    // offset of eight bytes in it that have the last one
	}{
		{stdelf.EM_RISCV, le, true, 0, "f0", "f31", 31 * 8},
		{stdelf.EM_AARCH64, le, true, 32, "v0", "fpcr", 512},
		{stdelf.EM_PPC64, le, true, 32, "f0", "f31", 31 * 8},
		{stdelf.EM_PPC64, be, true, 32, "f0", "f31", 31 * 8},
		{stdelf.EM_S390, be, true, 1, "fpc", "f15", 8 + 15*8},
		{stdelf.EM_386, le, false, 12, "", "", 0},
		{stdelf.EM_ARM, le, false, 15, "", "", 0},
	} {
		for _, owner := range []string{"CORE", "LINUX", "KERNEL"} {
			for _, fpOwner := range []string{"CORE", "LINUX"} {
				t.Run(m.machine.String()+" "+m.order.String()+" "+owner+" "+fpOwner, func(t *testing.T) {
					b := elftest.New(m.machine, m.order, m.wide)
					fp := make([]byte, 528)
					b.Order.PutUint32(fp[m.lastAt:], 0x5eed)
					b.Order.PutUint32(fp[m.lastAt+4:], 0x5eed)
					b.Note(owner, elftest.NTPRStatus, b.Status(41, 11, 0x1000), -1).Note(fpOwner,
						elftest.NTFPRegSet, fp, -1).
						Note(owner, elftest.NTPRStatus, b.Status(42, 0, 0x2000), -1)
					p := open(t, b.Core(), nil)
					if len(p.Threads) != 2 || p.Signal == nil || p.Signal.Number != 11 || !p.Threads[0].Crashed {
						t.Fatalf("%d threads, signal %v; %s", len(p.Threads), p.Signal, warnings(p))
					}
					for i, base := range []uint64{0x1000, 0x2000} {
						if pc, ok := p.Threads[i].Regs.Get(p.Arch.PC); !ok || pc != base+m.pc ||
							p.Threads[i].TID != 41+i {
							t.Errorf("thread %d is at %#x, want %#x", p.Threads[i].TID, pc, base+m.pc)
						}
					}
					for i, name := range []string{"NT_PRSTATUS", "NT_PRFPREG", "NT_PRSTATUS"} {
						if n := p.Notes[i]; n.Name != name || n.TID != []int{41, 41, 42}[i] ||
							note.HoldsVectors(n) != (i == 1) {
							t.Errorf("note %d is %q of thread %d, with vectors: %v", i, n.Name, n.TID,
								note.HoldsVectors(n))
						}
					}
					if m.fp == "" {
						return
					}
					var names []string
					last := uint64(0)
					for _, r := range p.Threads[0].Registers() {
						if r.Set == "fp" || r.Set == "vector" {
							names = append(names, r.Name)
						}
						if r.Name == m.last {
							last = r.Value & 0xffffffff
						}
					}
					if len(names) == 0 || names[0] != m.fp || last != 0x5eed {
						t.Errorf("%q, of which %s is %#x", names, m.last, last)
					}
				})
			}
		}
	}
}
