package compact

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk/cfi"
)

func words(ws ...uint32) (b []byte) {
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// sample has a regular page for 0x100 to 0x200 and a compressed one from there to
// 0x300, one common encoding and one of the page.
func sample() []byte {
	const index, regular, compressed = 32, 68, 92
	return words(1, 28, 1, 32, 0, index, 3, 0x04000001, // header, common encodings
		0x100, regular, 0, 0x200, compressed, 0, 0x300, 0, 0, // index
		pageRegular, 8|2<<16, 0x100, 0x02001000, 0x180, 0x03000010, // entries
		pageCompressed, 12|2<<16, 20|1<<16, 0x00000000, 0x01000040, 0x04000002)
}

func TestFind(t *testing.T) {
	const base = 0x100000000
	tab := New(core.ARM64, sample(), base, core.Section{})
	for off, want := range map[uint64]uint32{0x100: 0x02001000, 0x17f: 0x02001000, 0x180: 0x03000010, 0x1ff: 0x03000010,
		0x200: 0x04000001, 0x240: 0x04000002, 0x2ff: 0x04000002} {
		if e, err := tab.Find(base + off); err != nil || e.Encoding != want {
			t.Errorf("%#x: %#x %v, want %#x", off, e.Encoding, err, want)
		}
	}
	for _, off := range []uint64{0, 0xff, 0x300, 1 << 32} {
		if e, err := tab.Find(base + off); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%#x: %+v %v", off, e, err)
		}
	}
	var dwarf *DWARFError
	if _, err := tab.Row(base + 0x180); !errors.As(err, &dwarf) || dwarf.Off != 0x10 {
		t.Errorf("a DWARF encoding: %v", err)
	}
}

// TestRows has encodings with their meanings in LLVM's compact_unwind_encoding.h.
func TestRows(t *testing.T) {
	text := core.Section{Addr: 0x1000, Data: []byte{0x48, 0x81, 0xec, 0x88, 0xbb, 0, 0}} // sub $0xbb88,%rsp
	x86 := New(core.AMD64, words(1), 0, text)
	for _, c := range []struct {
		enc  uint32
		reg  int8
		off  int64
		want map[int]int64 // slot to offset from the CFA
	}{
		{0x01000000, 6, 16, map[int]int64{6: -16, 16: -8}},
		{0x01020021, 6, 16, map[int]int64{6: -16, 16: -8, 3: -32, 14: -24}}, // rbx, r14 from rbp-16 on
		{0x02020000, 7, 16, map[int]int64{16: -8}},
		{0x02030400, 7, 24, map[int]int64{16: -8, 3: -16}},
		{0x03032400, 7, 0xbb90, map[int]int64{16: -8, 3: -16}}, // size at byte 3, plus one word
	} {
		r, err := x86.rowX86(Entry{0x1000, c.enc})
		checkRow(t, c.enc, r, err, c.reg, c.off, c.want)
	}
	for _, c := range []struct {
		enc  uint32
		reg  int8
		off  int64
		want map[int]int64
	}{
		{0x04000000, 29, 16, map[int]int64{29: -16, 30: -8}},
		{0x04000005, 29, 16, map[int]int64{29: -16, 30: -8, 19: -24, 20: -32, 23: -40, 24: -48}},
		{0x02003001, 31, 48, map[int]int64{19: -8, 20: -16}},
	} {
		r, err := rowARM64(c.enc)
		checkRow(t, c.enc, r, err, c.reg, c.off, c.want)
	}
	for _, enc := range []uint32{0x0f000000, 0x01010007, 0x02010c00 | 0x3ff} {
		if r, err := x86.rowX86(Entry{0x1000, enc}); err == nil {
			t.Errorf("%#x gives %+v", enc, r)
		}
	}
}

func checkRow(t *testing.T, enc uint32, r cfi.Row, err error, reg int8, off int64, want map[int]int64) {
	t.Helper()
	if err != nil || r.CFAReg != reg || r.CFAOff != off || len(r.Rules) != len(want) {
		t.Errorf("%#x: %+v %v", enc, r, err)
		return
	}
	for slot, off := range want {
		if rule := r.Rule(slot); rule.Kind != cfi.Offset || rule.Off != off {
			t.Errorf("%#x: slot %d %+v, want %d", enc, slot, rule, off)
		}
	}
}

// TestUnreadableSlot: the page that holds a saved register is missing, which costs
// the register and not the step.
func TestUnreadableSlot(t *testing.T) {
	r, err := rowRBP(0x01020021) // rbx at rbp-16, r14 at rbp-8
	if err != nil {
		t.Fatal(err)
	}
	const page, back, outer = 0x7000, 0x401234, 0x7800
	p := coretest.New(core.AMD64).Gap(page-0x1000, 0x1000, core.Read|core.Write, core.NotDumped).Words(page, outer,
		back).Process()
	var in core.Regs
	in.Set(core.AMD64.FP, page)
	in.Set(3, 33)
	in.Set(15, 15)
	out, cfa, err := cfi.NewRow(core.AMD64, r).Apply(&in, p.Cursor())
	if err != nil || cfa != page+16 {
		t.Fatalf("CFA %v, %v", cfa, err)
	}
	for slot, want := range map[int]uint64{core.AMD64.PC: back, core.AMD64.FP: outer, 15: 15} {
		if v, ok := out.Get(slot); !ok || v != want {
			t.Errorf("slot %d: %#x known %v, want %#x", slot, v, ok, want)
		}
	}
	if out.Has(3) || out.Has(14) {
		t.Error("registers whose slots cannot be read are known")
	}
}

// TestPermutations counts the choices of n out of six registers; each is another.
func TestPermutations(t *testing.T) {
	for n, want := range []int{1, 6, 30, 120, 360, 720, 720} {
		seen := map[string]bool{}
		for p := range uint32(want) {
			regs, ok := permutation(n, p)
			if !ok {
				t.Fatalf("%d registers, number %d", n, p)
			}
			key := ""
			for i, r := range regs {
				if slices.Contains(regs[:i], r) {
					t.Fatalf("%v has a register twice", regs)
				}
				key += strconv.Itoa(r)
			}
			seen[key] = true
		}
		if len(seen) != want {
			t.Errorf("%d registers: %d permutations, want %d", n, len(seen), want)
		}
	}
}

var objdumpEntry = regexp.MustCompile(`function offset=(0x[0-9a-f]+), encoding(?:\[\d+\])?=(0x[0-9a-f]+)`)

// machoFiles are Mach-O images that Apple's tools have made: what is in the folder
// COREDBG_MACHO_FILES, or in macho-files of the live set.
func machoFiles(t *testing.T) (files []string) {
	t.Helper()
	if root := os.Getenv("COREDBG_MACHO_FILES"); root != "" {
		files, _ = filepath.Glob(filepath.Join(root, "*"))
		return files
	}
	return coretest.Live(t)
}

// TestObjdump compares all entries of real images with llvm-objdump's list.
func TestObjdump(t *testing.T) {
	files := machoFiles(t)
	objdump, err := exec.LookPath("llvm-objdump-19")
	if err != nil {
		t.Skip("llvm-objdump-19 is not installed")
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			out, err := exec.Command(objdump, "--macho", "--unwind-info", path).Output()
			if err != nil {
				t.Fatal(err)
			}
			var want, got []Entry
			for _, m := range objdumpEntry.FindAllSubmatch(out, -1) {
				off, _ := strconv.ParseUint(string(m[1]), 0, 64)
				enc, _ := strconv.ParseUint(string(m[2]), 0, 32)
				want = append(want, Entry{off, uint32(enc)})
			}
			arch, info := unwindInfo(t, path)
			tab := New(arch, info, 0, core.Section{})
			tab.Entries(func(e Entry) bool { got = append(got, e); return true })
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%d entries differ from the %d of llvm-objdump", len(got), len(want))
			}
			for i, e := range got {
				if i > 0 && got[i-1].Start == e.Start || e.Encoding == 0 {
					continue
				}
				if f, err := tab.Find(e.Start); err != nil || f != e {
					t.Fatalf("found %+v %v, want %+v", f, err, e)
				}
			}
			t.Logf("%d entries", len(got))
		})
	}
}

func FuzzRow(f *testing.F) {
	f.Add(sample(), uint64(0x180), true)
	f.Add(sample(), uint64(0x240), false)
	f.Add(words(1, 28, 1<<31, 0, 0, 28, 1<<31, 0, 1<<31), uint64(0), false)
	f.Fuzz(func(t *testing.T, b []byte, pc uint64, arm bool) {
		arch := core.AMD64
		if arm {
			arch = core.ARM64
		}
		tab := New(arch, b, 0, core.Section{Data: b})
		if tab == nil {
			return
		}
		_, _ = tab.Row(pc)
		n := 0
		tab.Entries(func(Entry) bool { n++; return n < 1000 })
	})
}
