package elfcore_test

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
)

// TestLyingNotes puts notes with false sizes between others, and expects the
// threads before and after them.
func TestLyingNotes(t *testing.T) {
	b := elftest.AMD64()
	status := func(tid int) []byte { return b.Status(tid, 11, uint64(tid)*0x1000) }
	aux := b.Auxv(6, 4096, 9, 0x1234)
	for _, c := range []struct {
		name string
		add  func(b *elftest.Builder)
		aux  bool // the auxiliary vector can be had whole
	}{
		{"auxv claims nothing", func(b *elftest.Builder) { b.Note("CORE", elftest.NTAuxv, aux, 0) }, false},
		{"auxv claims too little", func(b *elftest.Builder) { b.Note("CORE", elftest.NTAuxv, aux, len(aux)-20) },
			false},
		{"auxv claims the next note", func(b *elftest.Builder) { b.Note("CORE", elftest.NTAuxv, aux, len(aux)+100) },
			true},
		{"auxv claims 4 GiB", func(b *elftest.Builder) { b.Note("CORE", elftest.NTAuxv, aux, -5>>1) }, true},
		{"unknown note claims 2 GiB", func(b *elftest.Builder) {
			b.Note("LINUX", 0x999, []byte("abcd"), 1<<31-1).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
		{"siginfo swallows a thread", func(b *elftest.Builder) {
			b.Note("CORE", elftest.NTSigInfo, make([]byte, 128), 128+20+336).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
		{"NT_FILE claims a million", func(b *elftest.Builder) {
			b.Note("CORE", elftest.NTFile, b.Files(1000000, elftest.Mapped(0x1000, 0x2000, 0, "/bin/a")),
				-1).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
		{"NT_FILE of three bytes", func(b *elftest.Builder) {
			b.Note("CORE", elftest.NTFile, []byte{1, 2, 3}, -1).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
		{"odd XSTATE", func(b *elftest.Builder) {
			b.Note("LINUX", elftest.NTX86XState, make([]byte, 2697), -1).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
		{"another owner", func(b *elftest.Builder) {
			b.Note("Delve Header", 0x444c5645, []byte("linux/amd64"), -1).Note("CORE", elftest.NTAuxv, aux, -1)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := elftest.AMD64().Note("CORE", elftest.NTPRStatus, status(1), -1)
			c.add(b)
			p := open(t, b.Note("CORE", elftest.NTPRStatus, status(2), -1).Core(), nil)
			if len(p.Threads) != 2 || p.Threads[0].TID != 1 || p.Threads[1].TID != 2 {
				t.Fatalf("%d threads; %s", len(p.Threads), warnings(p))
			}
			if pc, _ := p.Threads[1].Regs.Get(p.Arch.PC); pc != 0x2000+16 {
				t.Errorf("the thread after it has pc %#x", pc)
			}
			if v, ok := p.AuxValue(9); c.aux && (!ok || v != 0x1234) {
				t.Errorf("AT_ENTRY = %#x, %v; %s", v, ok, warnings(p))
			}
		})
	}
}

// TestNotesInGarbage expects threads between runs of bytes that are not notes.
func TestNotesInGarbage(t *testing.T) {
	b := elftest.AMD64().Thread(1, 11, 0)
	b.Notes = append(b.Notes, bytes.Repeat([]byte{0xff, 0xee}, 50)...)
	b.Thread(2, 0, 0)
	b.Notes = append(b.Notes, make([]byte, 64)...)
	b.Thread(3, 0, 0)
	p := open(t, b.Core(), nil)
	if len(p.Threads) != 3 || !strings.Contains(warnings(p), "not a note") {
		t.Errorf("%d threads; %s", len(p.Threads), warnings(p))
	}
}

func TestShortPRStatus(t *testing.T) {
	b := elftest.AMD64()
	p := open(t, b.Note("CORE", elftest.NTPRStatus, b.Status(5, 11, 0x100)[:112+16*8], -1).Thread(6, 0, 0).Core(), nil)
	if len(p.Threads) != 2 || p.Threads[0].Regs.Has(p.Arch.PC) || !p.Threads[0].Regs.Has(6) ||
		!strings.Contains(warnings(p), "registers are missing") {
		t.Errorf("threads %v; %s", p.Threads, warnings(p))
	}
}

// TestThreadNotes checks that notes belong to the thread they follow, and which data a thread takes
// from them.
func TestThreadNotes(t *testing.T) {
	b := elftest.New(183, elftest.AMD64().Order, true) // EM_AARCH64
	mask := b.AppendWord(nil, 0x7f000000000000, 0x7e000000000000)
	p := open(t, b.Thread(1, 11, 0).Note("LINUX", elftest.NTARMTLS, b.AppendWord(nil, 0xabc0), -1).
		Thread(2, 0, 0).Note("LINUX", elftest.NTARMPAC, mask, -1).Note("LINUX", elftest.NTARMTLS,
		b.AppendWord(nil, 0xdef0), -1).Core(), nil)
	if p.Threads[0].TLS != 0xabc0 || p.Threads[1].TLS != 0xdef0 {
		t.Errorf("thread pointers %v, %v", p.Threads[0].TLS, p.Threads[1].TLS)
	}
	if p.CodeMask != 0x7e000000000000 || p.DataMask != 0x7f000000000000 {
		t.Errorf("masks %#x, %#x", p.CodeMask, p.DataMask)
	}
	var owners []int
	for _, n := range p.Notes {
		owners = append(owners, n.TID)
	}
	if want := []int{1, 1, 2, 2, 2}; !equal(owners, want) {
		t.Errorf("notes belong to %v, want %v", owners, want)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestXState checks the components' places of an Intel and an AMD processor, and
// that a component in its initial state reads as zero.
func TestXState(t *testing.T) {
	const xcr0, xstateBV, avx = 464, 512, 576
	for _, c := range []struct {
		size, opmask, zmm int
		layout            []byte
	}{{2696, 1088, 1152, nil}, {2440, 832, 896, nil}, {3000, 900, 1000, elftest.AMD64().Append32(nil,
		2, 256, 576, 0, 5, 64, 900, 0, 6, 512, 1000, 0, 7, 1024, 1600, 0)}} {
		b := elftest.AMD64()
		d := make([]byte, c.size)
		b.Order.PutUint64(d[xcr0:], 0xe7)
		b.Order.PutUint64(d[xstateBV:], 0xe3) // not AVX
		d[160] = 0x11                         // xmm0
		d[avx] = 0x22                         // stale
		d[c.opmask] = 0x33                    // k0
		d[c.zmm] = 0x44                       // zmm0, upper half
		b.Thread(1, 11, 0).Note("LINUX", elftest.NTX86XState, d, -1)
		if c.layout != nil {
			b.Note("LINUX", elftest.NTX86Layout, c.layout, -1)
		}
		regs := map[string]core.Register{}
		for _, r := range open(t, b.Core(), nil).Threads[0].Registers() {
			regs[r.Name] = r
		}
		if y := regs["ymm0"].Bytes; len(y) != 32 || y[0] != 0x11 || y[16] != 0 {
			t.Errorf("size %d: ymm0 = %x", c.size, y)
		}
		if z := regs["zmm0"].Bytes; len(z) != 64 || z[0] != 0x11 || z[32] != 0x44 {
			t.Errorf("size %d: zmm0 = %x", c.size, z)
		}
		if regs["k0"].Value != 0x33 {
			t.Errorf("size %d: k0 = %#x", c.size, regs["k0"].Value)
		}
	}
}
