package elfcore_test

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
)

// The orders of notes follow their writers: Linux, fs/binfmt_elf.c; GDB, linux-tdep.c; .NET,
// createdump's dumpwriterelf.cpp.
func TestCrashedThread(t *testing.T) {
	// pc sets the program counter of the thread that is added next.
	at := func(b *elftest.Builder, tid, sig int, pc uint64) *elftest.Builder {
		d := b.Status(tid, sig, 0)
		b.Order.PutUint64(d[112+16*8:], pc)
		return b.Note("CORE", elftest.NTPRStatus, d, -1)
	}
	new := func() *elftest.Builder {
		return elftest.AMD64().Load(0x400000, 0, core.Read|core.Exec, make([]byte, 4096))
	}
	const code = 0x400100
	for _, c := range []struct {
		name     string
		core     *elftest.Builder
		tid      int // of the crashed thread; 0 if no thread crashed
		first    int
		snapshot bool
		signal   string
	}{
		{"kernel", at(at(new(), 7, 11, code).Note("CORE", elftest.NTSigInfo, elftest.AMD64().Siginfo(11, 1, 16), -1), 8,
			11, code), 7, 7, false, "SIGSEGV"},
		{"kernel, another thread nowhere", at(at(new(), 7, 11, code).Note("CORE", elftest.NTSigInfo,
			elftest.AMD64().Siginfo(11, 1, 16), -1), 8, 11, 0x66), 7, 7, false, "SIGSEGV"},
		{"createdump with siginfo", at(at(new(), 7, 0, code), 8, 11, 0x66).Note("CORE", elftest.NTSigInfo,
			elftest.AMD64().Siginfo(11, 1, 0x66), -1), 8, 8, false, "SIGSEGV"},
		{"createdump without", at(at(at(new(), 7, 6, code), 8, 6, 0x66), 9, 6, code), 8, 8, false, "SIGABRT"},
		{"createdump, two nowhere", at(at(at(new(), 7, 6, code), 8, 6, 0x66), 9, 6, 0x77), 7, 7, false, "SIGABRT"},
		{"one with a signal", at(at(new(), 7, 0, code), 8, 11, code), 8, 8, false, "SIGSEGV"},
		{"gcore, stopped", at(at(new(), 7, 19, code).Note("CORE", elftest.NTSigInfo,
			elftest.AMD64().Siginfo(19, 0x80, 0), -1), 8, 0, code), 0, 7, true, "SIGSTOP"},
		{"gcore, attached", at(at(new(), 7, 0, code).Note("CORE", elftest.NTSigInfo,
			elftest.AMD64().Siginfo(19, 0x80, 0), -1), 8, 0, code), 0, 7, true, "SIGSTOP"},
		{"gcore without a signal", at(at(new(), 7, 0, code).Note("CORE", elftest.NTSigInfo, make([]byte, 128), -1), 8,
			0, code), 0, 7, true, ""},
		{"SIGTERM", at(new(), 7, 15, code), 0, 7, true, "SIGTERM"},
	} {
		p := open(t, c.core.Core(), nil)
		tid, signal := 0, ""
		for _, th := range p.Threads {
			if th.Crashed {
				tid = th.TID
			}
		}
		if p.Signal != nil {
			signal = p.Signal.Name
		}
		if tid != c.tid || p.Threads[0].TID != c.first || p.Snapshot != c.snapshot || signal != c.signal {
			t.Errorf("%s: thread %d crashed, %d is first, snapshot: %t, signal %q; want %d, %d, %t, %q",
				c.name, tid, p.Threads[0].TID, p.Snapshot, signal, c.tid, c.first, c.snapshot, c.signal)
		}
	}
}

func TestSignalOfUnknownMachine(t *testing.T) {
	// pr_cursig is at 12 in every struct elf_prstatus.
	status := func(sig byte) []byte { d := make([]byte, 256); d[12] = sig; return d }
	for _, c := range []struct {
		machine stdelf.Machine
		sig     byte
		want    string
	}{{stdelf.EM_LOONGARCH, 7, "SIGBUS"}, {stdelf.EM_MIPS, 10, "SIGBUS"}, {stdelf.EM_MIPS, 12, "SIGSYS"},
		{stdelf.EM_SPARCV9, 10, "SIGBUS"}, {stdelf.EM_PARISC, 10, "SIG10"}, {stdelf.EM_MIPS, 11, "SIGSEGV"}} {
		b := elftest.New(c.machine, binary.LittleEndian, true)
		p := open(t, b.Note("CORE", elftest.NTPRStatus, status(c.sig), -1).Core(), nil)
		if p.Signal == nil || p.Signal.Name != c.want || p.Signal.HasCode || p.Snapshot {
			t.Errorf("%v, signal %d: %+v, want %s", c.machine, c.sig, p.Signal, c.want)
		}
	}
}

// The offsets of fields are the ones that BFD reads (binutils, bfd/elf.c:
// elfcore_grok_freebsd_prstatus, elfcore_grok_netbsd_procinfo, elfcore_grok_openbsd_procinfo).
func TestSignalBSD(t *testing.T) {
	word := func(at int, v uint32) []byte {
		return binary.LittleEndian.AppendUint32(make([]byte, at, 256), v)[:256]
	}
	with := func(d []byte, at int, v uint32) []byte { binary.LittleEndian.PutUint32(d[at:], v); return d }
	for _, c := range []struct {
		name   string
		core   *elftest.Builder
		os     string
		signal string
		number int
		pid    int
	}{
		{"freebsd", elftest.AMD64().Note("FreeBSD", 1, word(36, 10), -1), "freebsd", "SIGBUS", 10, 0},
		{"freebsd, 32 bits", elftest.New(stdelf.EM_386, binary.LittleEndian, false).Note("FreeBSD", 1, word(20, 11),
			-1), "freebsd", "SIGSEGV", 11, 0},
		{"netbsd", elftest.AMD64().Note("NetBSD-CORE", 1, with(word(8, 6), 80, 99), -1), "netbsd", "SIGABRT", 6, 99},
		{"openbsd", elftest.AMD64().Note("OpenBSD", 10, with(word(8, 12), 32, 98), -1), "openbsd", "SIGSYS", 12, 98},
		{"freebsd, too short", elftest.AMD64().Note("FreeBSD", 1, make([]byte, 36), -1), "freebsd", "", 0, 0},
	} {
		p := open(t, c.core.Core(), nil)
		name, number := "", 0
		if p.Signal != nil {
			name, number = p.Signal.Name, p.Signal.Number
		}
		if p.OS != c.os || name != c.signal || number != c.number || p.PID != c.pid || p.Snapshot {
			t.Errorf("%s: %s, signal %q %d, pid %d, snapshot: %t", c.name, p.OS, name, number, p.PID, p.Snapshot)
		}
	}
}
